import { formatTime } from './formatTime';
import type { EpochMs } from './epochMs';

const hour = 3_600_000;
/** A zone goes back by an hour, or by half of one. */
const shifts = [-hour, -hour / 2, hour / 2, hour] as const;

/** Returns "UTC+02:00" if the site's clocks show this time twice, when they go back; otherwise null. */
export function offsetIfRepeated(at: EpochMs, timeZone: string): string | null {
  const shown = formatTime(at, timeZone);
  if (!shifts.some((shift) => formatTime(at + shift, timeZone) === shown)) {
    return null;
  }
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? '';
  return `UTC${offset === '' ? '+00:00' : offset}`;
}
