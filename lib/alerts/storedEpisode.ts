import { z } from 'zod';
import { priorities } from './priority';

/** Epoch milliseconds that a clock can show (a `Date`): any other number is damage. */
export const storedTime = z.number().min(0).max(8.64e15);

export const storedEpisode = z.object({
  /** The most urgent rule that is active now, or was active last. */
  rule: z.string(),
  priority: z.enum(priorities),
  /** When the first of its conditions became active. */
  startedAt: storedTime,
  /** How many conditions began within it, and when the last one did. */
  count: z.int(),
  since: storedTime,
  /** When it ended; null while it lasts. */
  endedAt: storedTime.nullable(),
  /** The extremes of its source's values while it lasted; null if the rule evaluates no value. */
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  // These two are not in rows of an earlier version.
  /** The source of the values that raised `rule` (`Active`); null if no stream did. */
  source: z.int().nullable().default(null),
  /**
   * Until when a first reading beyond a HIGH limit waits for a second one: before that it is not confirmed (clinical.md
   * section 0, S1). Null: it is confirmed, or needs no second one.
   */
  unconfirmedUntil: storedTime.nullable().default(null),
  /** The side on which its values are beyond the limits, if its rules have two; since when they are on the other. */
  side: z.enum(['low', 'high']).optional(),
  turnsSince: storedTime.optional(),
  /** Of milder symptoms: the reports that were recorded up to here are known to it. */
  evaluatedTo: storedTime.optional(),
});

export const storedTimer = z.object({
  phase: z.enum(['idle', 'pending', 'active']),
  since: storedTime,
  // Rows of an earlier release have neither.
  /**
   * When the first violating value of the present condition was measured, moved on by silences that do not count; 0 if
   * that is unknown. `hasGap`: there was one of these silences, so that it has lasted at least since then.
   */
  from: storedTime.default(0),
  hasGap: z.boolean().default(false),
  /** Since when values have been within the limit again, while the timer still survives that. */
  inLimitSince: storedTime.nullable(),
  /** Since when the clear value has held. */
  clearSince: storedTime.nullable(),
  /** Until when a single value of a slow feed waits to be confirmed by a second one; null: it is (section 0, S1). */
  unconfirmedUntil: storedTime.nullable().default(null),
  /** Of a HIGH rule that is not active: the last two minutes, if a value violated it in them (section 00, A8). */
  recent: z
    .array(z.object({ at: storedTime, is: z.enum(['low', 'high', 'within', 'gap']) }))
    .readonly()
    .optional(),
});
