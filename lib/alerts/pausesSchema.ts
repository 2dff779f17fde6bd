import { z } from 'zod';
import { instant } from '../time/schema';
import { longestStandbyMinutes } from './pauses';
import { reason } from './reason';

const by = z.object({ id: z.int(), name: z.string() });

export const newStandby = z.strictObject({
  reason,
  minutes: z
    .int('is not a whole number of minutes')
    .min(1, 'is less than a minute')
    .max(longestStandbyMinutes, `is more than ${longestStandbyMinutes} minutes`),
});
export type NewStandby = z.infer<typeof newStandby>;

/**
 * A standby that runs: nothing new is raised for the patient before `until`. `isRenewal`: it goes on from another one.
 */
export const standbyResponse = z.object({
  startedAt: instant,
  until: instant,
  reason: z.string(),
  by,
  isRenewal: z.boolean(),
});
export type StandbyResponse = z.infer<typeof standbyResponse>;

/**
 * The minutes that the caller may give a patient now, and those that are left of 120 in any 4 h: a physician or ward
 * lead may give more.
 */
export const standbyLeft = z.object({ minutes: z.int(), ofBudget: z.int() });

/** When a standby was ended before its time. */
export const standbyEnd = z.object({ endedAt: instant });

export const newComfortCare = z.strictObject({ reason });
export type NewComfortCare = z.infer<typeof newComfortCare>;

/** Comfort care that applies. It ends at `until` unless it is confirmed. */
export const comfortCareResponse = z.object({ confirmedAt: instant, until: instant, reason: z.string(), by });
export type ComfortCareResponse = z.infer<typeof comfortCareResponse>;
