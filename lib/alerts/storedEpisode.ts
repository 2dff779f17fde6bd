import { z } from 'zod';
import type { Episode } from './episode';
import { priorities } from './priority';
import type { RuleTimer } from './stepRule';

/** Epoch milliseconds that a clock can show (a `Date`): any other number is damage. */
export const storedTime = z.number().min(0).max(8.64e15);

export const storedEpisode = z.object({
  rule: z.string(),
  priority: z.enum(priorities),
  startedAt: storedTime,
  count: z.int(),
  since: storedTime,
  endedAt: storedTime.nullable(),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** These two are not in rows of an earlier version. */
  source: z.int().nullable().default(null),
  unconfirmedUntil: storedTime.nullable().default(null),
  side: z.enum(['low', 'high']).optional(),
  turnsSince: storedTime.optional(),
  evaluatedTo: storedTime.optional(),
}) satisfies z.ZodType<Episode>;

export const storedTimer = z.object({
  phase: z.enum(['idle', 'pending', 'active']),
  since: storedTime,
  /** Rows of an earlier release have neither. */
  from: storedTime.default(0),
  hasGap: z.boolean().default(false),
  inLimitSince: storedTime.nullable(),
  clearSince: storedTime.nullable(),
  unconfirmedUntil: storedTime.nullable().default(null),
  recent: z
    .array(z.object({ at: storedTime, is: z.enum(['low', 'high', 'within', 'gap']) }))
    .readonly()
    .optional(),
}) satisfies z.ZodType<RuleTimer>;
