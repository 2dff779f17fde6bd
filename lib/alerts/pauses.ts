import type { EpochMs } from '../time/epochMs';

/** A standby: staff are with the patient, so for a while nothing new is raised. */
export interface Standby {
  by: number;
  reason: string;
  /** Epoch milliseconds. */
  until: number;
}

/** No standby lasts longer (clinical.md section 4). */
export const longestStandbyMinutes = 60;

/** Returns whether a standby runs at `now`. It ends by itself. */
export function isInStandby(standby: Standby | null, now: EpochMs): boolean {
  return standby !== null && now < standby.until;
}

/** Comfort care: a physician has ordered that escalation must not disturb this patient. */
export interface ComfortCare {
  by: number;
  reason: string;
  /** When a physician last confirmed it, epoch milliseconds. */
  confirmedAt: EpochMs;
}

const comfortCareMs = 24 * 3_600_000;

/** Returns when comfort care ends unless it is confirmed again, epoch milliseconds. */
export function comfortCareUntil({ confirmedAt }: ComfortCare): number {
  return confirmedAt + comfortCareMs;
}

/**
 * Returns whether comfort care applies at `now`. A physician has to confirm it every 24 hours (clinical.md section
 * 2.4); otherwise it ends and HIGH limits apply again.
 */
export function isInComfortCare(comfortCare: ComfortCare | null, now: EpochMs): boolean {
  return comfortCare !== null && now < comfortCareUntil(comfortCare);
}
