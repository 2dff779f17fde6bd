import { z } from 'zod';
import { instant } from '../time/schema';
import { priorities } from './priority';
import { adjustableRules } from './limits';
import { reason } from './reason';

const limit = z.number().nullable();
const scale = z.union([z.literal(1), z.literal(2)]);

/** What somebody wants of a rule's two sides, in the kind's unit; null: off, left out: as it is without it. */
export const limitValues = z.strictObject({ low: limit.optional(), high: limit.optional() });

/** New values take the place of all former ones of the rule; without any the rule is back to what lies beneath. */
export const newLimits = z.strictObject({
  rule: z.enum(adjustableRules),
  values: limitValues,
  reason,
  /** When somebody has to look at it again. */
  reviewAt: instant.nullable().default(null),
});
export type NewLimits = z.infer<typeof newLimits>;

/** The same for all patients of a site; where a rule's limits are by SpO2 scale, of those on one scale. */
export const newSiteLimits = newLimits.extend({ scale: scale.nullable().default(null) });
export type NewSiteLimits = z.infer<typeof newSiteLimits>;

/** Both sides of a rule; null: there is no such side, or it is off. */
const sides = z.object({ low: limit, high: limit });

const range = z.object({ min: z.int(), max: z.int() }).nullable();

/** What somebody has set, and whether the time to look at it again has come. */
const setLimits = z.object({
  values: limitValues,
  reason: z.string(),
  reviewAt: instant.nullable(),
  isReviewDue: z.boolean(),
  setAt: instant,
  setBy: z.object({ id: z.int(), name: z.string() }),
});
export type SetLimits = z.infer<typeof setLimits>;

const adjustable = z.object({
  rule: z.enum(adjustableRules),
  priority: z.enum(priorities),
  unit: z.string(),
  /**
   * What of the low limit itself violates the rule: not the value, or also the value. At or above the high limit always
   * does.
   */
  lowIs: z.enum(['below', 'atMost']).nullable(),
  /** How long it has to be violated before it is told, in milliseconds. */
  delayMs: z.int(),
  /** How far each side may be moved; null: there is no such side. */
  bounds: z.object({ low: range, high: range }),
});

const pastLimits = setLimits.omit({ isReviewDue: true }).extend({ rule: z.string(), scale: scale.nullable() });

/**
 * Every rule with limits: what they are by default, by the site's word, by the patient's own, and what of it all holds
 * now.
 */
export const patientLimits = z.object({
  scale,
  items: z.array(
    adjustable.extend({
      /** Null: the rule is not for the patient's SpO2 scale. */
      default: sides.nullable(),
      site: setLimits.nullable(),
      own: setLimits.nullable(),
      /** Null: the rule is not for the patient's SpO2 scale. */
      holds: sides.nullable(),
    }),
  ),
  /** Everything that was set for this patient, the newest first. */
  history: z.array(pastLimits),
});
export type PatientLimitsAnswer = z.infer<typeof patientLimits>;

/** The same for the site: a rule whose limits are by SpO2 scale stands once for each scale that it is for. */
export const siteLimits = z.object({
  items: z.array(
    adjustable.extend({ scale: scale.nullable(), default: sides, site: setLimits.nullable(), holds: sides }),
  ),
  history: z.array(pastLimits),
});
export type SiteLimitsAnswer = z.infer<typeof siteLimits>;
