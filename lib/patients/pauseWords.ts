import type { Patient } from './schema';
import { formatClock } from '../time/formatTime';
import { parseInstant } from '../time/parseInstant';

const minuteMs = 60_000;

/**
 * Returns the time left of a pause at `now` (epoch milliseconds), in words: "12 min", and above two hours "23 h"; null
 * if it is over or there is none. Never shorter than it is.
 */
export function pauseLeft(pause: { until: string } | null, now: number): string | null {
  const ms = pause === null ? 0 : (parseInstant(pause.until) ?? 0) - now;
  if (ms <= 0) {
    return null;
  }
  return ms > 120 * minuteMs ? `${Math.ceil(ms / (60 * minuteMs))} h` : `${Math.ceil(ms / minuteMs)} min`;
}

/**
 * Returns which alerts of a patient are paused, for the small line under a name: "Standby, 12 min left"; null if none.
 * While the server does not answer, `lostIn` is the site's zone: "Standby until 14:05".
 */
export function pauseWords(
  { standby, comfortCare }: Pick<Patient, 'standby' | 'comfortCare'>,
  now: number,
  lostIn: string | null = null,
): string | null {
  const wordsOf = (name: string, pause: { until: string } | null): string[] => {
    const left = pauseLeft(pause, now);
    if (pause === null || left === null) {
      return [];
    }
    return [
      lostIn === null ? `${name}, ${left} left` : `${name} until ${formatClock(Date.parse(pause.until), now, lostIn)}`,
    ];
  };
  const words = [...wordsOf('Standby', standby), ...wordsOf('Comfort care', comfortCare)];
  return words.length === 0 ? null : words.join('; ');
}
