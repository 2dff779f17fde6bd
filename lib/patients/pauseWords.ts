import type { Patient } from './schema';
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
 */
export function pauseWords(
  { standby, comfortCare }: Pick<Patient, 'standby' | 'comfortCare'>,
  now: number,
): string | null {
  const standbyLeft = pauseLeft(standby, now);
  const comfortCareLeft = pauseLeft(comfortCare, now);
  const words = [
    ...(standbyLeft === null ? [] : [`Standby, ${standbyLeft} left`]),
    ...(comfortCareLeft === null ? [] : [`Comfort care, ${comfortCareLeft} left`]),
  ];
  return words.length === 0 ? null : words.join('; ');
}
