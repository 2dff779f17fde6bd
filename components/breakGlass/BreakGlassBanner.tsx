import { useEffect, useState } from 'react';
import { useBreakGlassActs } from '../../hooks/useBreakGlassActs';
import { useNow } from '../../hooks/useNow';
import type { ApiFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import { formatAge, formatTime } from '../../lib/time/formatTime';
import banner from '../ui/Banner.module.css';
import { NativeButton } from '../ui/NativeButton';

interface BreakGlassBannerProps {
  site: User['site'];
  /** Until when it is open, an instant. */
  until: string;
  /** The server's time when the page was made, epoch milliseconds. */
  initialNow: number;
  /** Called when the time is over. */
  onOver: () => void;
}

/** Stands on every page while every unit of the site is open, with the time that is left and the way to end it. */
export function BreakGlassBanner({ site, until, initialNow, onOver }: BreakGlassBannerProps) {
  const { end } = useBreakGlassActs();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const endsAt = Date.parse(until);
  const left = Math.max(0, endsAt - useNow(initialNow));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) {
      onOver();
    }
  }, [isOver, onOver]);
  const endNow = (): void => {
    setFailure(null);
    end().catch((problem: ApiFailure) => {
      setFailure(problem);
    });
  };
  return (
    <div role="status" className={banner.region}>
      <div className={`${banner.notice} ${banner.acting}`}>
        <span>
          <strong>Emergency access.</strong> Every patient of {site.name} is open to you until{' '}
          {formatTime(endsAt, site.timeZone)}
          <span aria-hidden="true"> ({formatAge(left)} left)</span>. Administrators are notified, and every view is
          audited.
        </span>
        <NativeButton onClick={endNow}>End now</NativeButton>
        {failure === null ? null : <span>It is still open. {failure.message}</span>}
      </div>
    </div>
  );
}
