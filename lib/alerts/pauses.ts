/** A patient is being cared for, washed or moved: for a while nothing new is raised about them. */
export interface Standby {
  by: number;
  reason: string;
  /** Epoch milliseconds. */
  until: number;
}

/** No standby lasts longer (clinical.md section 4). */
export const longestStandbyMinutes = 60;

/** A standby ends by itself. */
export function isInStandby(standby: Standby | null, now: number): boolean {
  return standby !== null && now < standby.until;
}

/** A physician has ordered that this patient is not to be disturbed by escalation. */
export interface ComfortCare {
  by: number;
  reason: string;
  /** When a physician last confirmed it, epoch milliseconds. */
  confirmedAt: number;
}

const comfortCareMs = 24 * 3_600_000;

/** When it ends if nobody confirms it again, epoch milliseconds. */
export function comfortCareUntil({ confirmedAt }: ComfortCare): number {
  return confirmedAt + comfortCareMs;
}

/**
 * Comfort care has to be confirmed every 24 hours (clinical.md section 2.4): without that it ends, and HIGH limits hold
 * again.
 */
export function isInComfortCare(comfortCare: ComfortCare | null, now: number): boolean {
  return comfortCare !== null && now < comfortCareUntil(comfortCare);
}
