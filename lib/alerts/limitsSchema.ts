import { z } from 'zod';
import { instant } from '../time/schema';
import { priorities } from './priority';
import { adjustableRules } from './limits';
import { reason } from './reason';

const limit = z.number('is not a number').nullable();
export const scale = z.union([z.literal(1), z.literal(2)]);

/** The wanted limits of a rule's two sides, in the kind's unit; null: off, left out: as without a setting. */
export const limitValues = z.strictObject({ low: limit.optional(), high: limit.optional() });

/** New values replace all former ones of the rule; no values return to the site's, or to the default. */
export const newLimits = z.strictObject({
  rule: z.enum(adjustableRules),
  values: limitValues,
  reason,
  /** When the limits have to be reviewed. */
  reviewAt: instant.nullable().default(null),
  /** When the patient's own limits of the rule were set that the user saw; null: there were none. */
  basedOn: instant.nullable(),
});
export type NewLimits = z.infer<typeof newLimits>;

/** Both sides of a rule; null: the rule has no limit on this side, or it is off. */
export const sides = z.object({ low: limit, high: limit });

const range = z.object({ min: z.int(), max: z.int() }).nullable();

/** The limits that were set, and whether their review is due. */
export const setLimits = z.object({
  values: limitValues,
  reason: z.string(),
  reviewAt: instant.nullable(),
  isReviewDue: z.boolean(),
  setAt: instant,
  setBy: z.object({ id: z.int(), name: z.string() }),
});
export type SetLimits = z.infer<typeof setLimits>;

export const adjustable = z.object({
  rule: z.enum(adjustableRules),
  priority: z.enum(priorities),
  unit: z.string(),
  /** Whether the low limit itself violates the rule: `below` no, `atMost` yes. The high limit itself always does. */
  lowIs: z.enum(['below', 'atMost']).nullable(),
  /** How long the violation has to last before the rule raises an alert, in milliseconds. */
  delayMs: z.int(),
  /** How far each side may be moved; null: the rule has no limit on this side. */
  bounds: z.object({ low: range, high: range }),
});

export const pastLimits = setLimits.omit({ isReviewDue: true }).extend({ rule: z.string(), scale: scale.nullable() });

/** Every rule with limits: its defaults, the site's, the patient's own, and those that apply now. */
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
  /** All settings for this patient, the newest first. */
  history: z.array(pastLimits),
});
export type PatientLimitsResponse = z.infer<typeof patientLimits>;
