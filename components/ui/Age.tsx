import { useMemo } from 'react';
import { formatAge, formatDateAndSeconds } from '../../lib/time/formatTime';
import { isAgeKnown } from '../../lib/vitals/freshness';

interface AgeProps {
  /** The instant the age counts from and the server's time, epoch milliseconds. */
  since: number;
  now: number;
  timeZone: string;
}

/**
 * How old something is, "4 s", or "an unknown time" if it lies in the future. Its date and time, in the site's zone,
 * are in the tooltip.
 */
export function Age({ since, now, timeZone }: AgeProps) {
  // The age changes each second, the instant does not.
  const instant = useMemo(
    () => ({
      dateTime: new Date(since).toISOString(),
      title: formatDateAndSeconds(since, timeZone),
    }),
    [since, timeZone],
  );
  return (
    <time dateTime={instant.dateTime} title={instant.title}>
      {isAgeKnown(now - since) ? formatAge(now - since) : 'an unknown time'}
    </time>
  );
}
