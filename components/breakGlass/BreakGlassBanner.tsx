import { useEffect } from 'react';
import { useNow } from '../../hooks/useNow';
import { useOwnCall } from '../../hooks/useOwnCall';
import type { User } from '../../lib/session/schema';
import { formatAge, formatTime } from '../../lib/time/formatTime';
import banner from '../ui/Banner.module.css';
import { NativeButton } from '../ui/NativeButton';
import { useAction } from '../ui/useAction';

interface BreakGlassBannerProps {
  site: User['site'];
  /** When the access ends, an instant. */
  until: string;
  /** The server's time when the page was made, epoch milliseconds. */
  initialNow: number;
  /** Called when the time is over. */
  onOver: () => void;
}

/** Is on every page while every unit of the site is open, with the time that is left and a button that ends it. */
export function BreakGlassBanner({ site, until, initialNow, onOver }: BreakGlassBannerProps) {
  const end = useOwnCall('endBreakGlass');
  const { failure, carryOut } = useAction();
  const endsAt = Date.parse(until);
  const left = Math.max(0, endsAt - useNow(initialNow));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) {
      onOver();
    }
  }, [isOver, onOver]);
  return (
    <div role="status">
      <div className={`${banner.notice} ${banner.acting}`}>
        <span>
          <strong>Emergency access.</strong> Every patient of {site.name} is open to you until{' '}
          {formatTime(endsAt, site.timeZone)}
          <span aria-hidden="true"> ({formatAge(left)} left)</span>. Administrators are notified, and every view is
          audited.
        </span>
        <NativeButton onClick={() => void carryOut(() => end({}))}>End now</NativeButton>
        {failure === null ? null : <span>It is still open. {failure.message}</span>}
      </div>
    </div>
  );
}
