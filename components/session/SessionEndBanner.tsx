import { useEffect } from 'react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { useNow } from '../../hooks/useNow';
import { noteSessionEnd } from '../../lib/browser/sessionEnd';
import { formatTime } from '../../lib/time/formatTime';
import banner from '../ui/Banner.module.css';
import { NativeButton } from '../ui/NativeButton';

/** A session that ends by time says so this long before, in milliseconds (screens.md section 5). */
const warnMs = 15 * 60_000;

interface SessionEndBannerProps {
  initialNow: number;
  /** When the session ends by itself, epoch milliseconds. */
  endsAt: number;
  timeZone: string;
}

/**
 * Warns before the session of this screen ends by itself, also on the lock screen: afterwards it shows and sounds no
 * alerts, and no one may be there to see the sign-in page.
 */
export function SessionEndBanner({ initialNow, endsAt, timeZone }: SessionEndBannerProps) {
  const { signOut } = useCurrentUser();
  const isEnding = useNow(initialNow) >= endsAt - warnMs;
  useEffect(() => {
    noteSessionEnd(endsAt, timeZone);
  }, [endsAt, timeZone]);
  return (
    <div role="status">
      {isEnding ? (
        <div className={`${banner.notice} ${banner.acting}`}>
          <span>
            <strong>Your session ends at {formatTime(endsAt, timeZone)}.</strong> After that this screen shows and
            sounds no alerts.
          </span>
          <NativeButton onClick={() => void signOut()}>Sign in again</NativeButton>
        </div>
      ) : null}
    </div>
  );
}
