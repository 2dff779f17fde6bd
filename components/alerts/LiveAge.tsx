import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { formatClock } from '../../lib/time/formatTime';
import { Age } from '../ui/Age';

interface LiveAgeProps {
  instant: string;
  initialNow: number;
  timeZone: string;
}

/**
 * "53 s ago", which grows by itself, without a render of the row around it. While the server does not answer it is "at
 * 10:47": nothing grows beside facts that are as they were (screens.md section 6).
 */
export function LiveAge({ instant, initialNow, timeZone }: LiveAgeProps) {
  const now = useNow(initialNow);
  const isLost = useServerLost() !== null;
  const since = Date.parse(instant);
  return isLost ? (
    <time dateTime={instant}>at {formatClock(since, now, timeZone)}</time>
  ) : (
    <>
      <Age since={since} now={now} timeZone={timeZone} /> ago
    </>
  );
}
