import type { WaitingCheckIn } from '../../hooks/checkInOutbox';
import { keptMs } from '../../lib/checkIn/keptMs';
import { formatDayAndTime } from '../../lib/time/formatTime';

/** Returns where a check-in waits and for how long. */
export function keptText({ isOnPhone, at }: WaitingCheckIn, timeZone: string): string {
  return isOnPhone
    ? `Kept on this phone until ${formatDayAndTime(at + keptMs, timeZone)}. It is sent as soon as there is a ` +
        'connection and this page is open. If you close it, open the link again.'
    : 'It is kept only as long as this page is open. Do not close or reload it.';
}
