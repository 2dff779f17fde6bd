import type { WaitingCheckIn } from '../../hooks/checkInOutbox';
import { hasRedFlag } from '../../lib/checkIn/hasRedFlag';
import { keptMs } from '../../lib/checkIn/keptMs';
import { formatDayAndTime } from '../../lib/time/formatTime';

/** Returns where a check-in waits and for how long. */
export function keptText(waiting: WaitingCheckIn, timeZone: string): string {
  const until = hasRedFlag(waiting) ? 'it is sent' : formatDayAndTime(waiting.at + keptMs, timeZone);
  return waiting.isOnPhone
    ? `Kept on this phone until ${until}. It is sent ${waiting.mayHaveArrived ? 'again ' : ''}as soon as there is a ` +
        'connection and this page is open. If you close it, open the link again.'
    : 'It is kept only as long as this page is open. Do not close or reload it.';
}
