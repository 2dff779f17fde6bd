import { z } from 'zod';
import { news2RuleIds } from './news2Rules';
import { news2PartNames } from './news2Values';
import type { Episode } from './episode';
import type { Feed } from './feeds';
import type { StreamState } from './fold';
import { priorities } from './priority';
import { parameters } from './parameters';
import type { SpotFold } from './spotCheck';
import { spotParameters } from './spotRules';
import type { RuleTimer } from './stepRule';
import type { News2State } from './stepNews2';
import { streamNames, type StreamName } from './streams';

/** Epoch milliseconds. */
const at = z.number();

const episode = z.object({
  rule: z.string(),
  priority: z.enum(priorities),
  startedAt: at,
  count: z.int(),
  since: at,
  endedAt: at.nullable(),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** These two are not in rows of an earlier version. */
  source: z.int().nullable().default(null),
  unconfirmedUntil: at.nullable().default(null),
  side: z.enum(['low', 'high']).optional(),
  turnsSince: at.optional(),
}) satisfies z.ZodType<Episode>;

const ruleTimer = z.object({
  phase: z.enum(['idle', 'pending', 'active']),
  since: at,
  inLimitSince: at.nullable(),
  clearSince: at.nullable(),
  unconfirmedUntil: at.nullable().default(null),
}) satisfies z.ZodType<RuleTimer>;

const feed = z.object({
  source: z.int(),
  deviceId: z.int().nullable(),
  isAssigned: z.boolean(),
  counts: z.boolean(),
  steadySince: at.nullable(),
}) satisfies z.ZodType<Feed>;

const streamState = z.object({
  /** None in rows of an earlier version: their timers belong to the first device of each source. */
  feeds: z.array(feed).readonly().default([]),
  groups: z
    .array(z.object({ states: z.array(ruleTimer).readonly(), isCalm: z.boolean(), episode: episode.nullable() }))
    .readonly(),
  oxygen: z.object({ flow: z.number(), measuredAt: at }).nullable(),
}) satisfies z.ZodType<StreamState>;

const spotFold = z.object({
  phase: z.enum(['fine', 'rechecking', 'raised']),
  priority: z.enum(priorities),
  since: at,
  isConfirmed: z.boolean(),
  /** These three are not in rows of an earlier version. */
  worstAt: at.default(0),
  milder: z.enum(priorities).nullable().default(null),
  minute: z
    .object({ startedAt: at, worst: z.object({ at, value: z.number() }).nullable() })
    .nullable()
    .default(null),
  weights: z.array(z.object({ at, value: z.number() })).readonly(),
  episode: episode.nullable(),
}) satisfies z.ZodType<SpotFold>;

const news2Timer = z.object({
  phase: z.enum(['pending', 'active']),
  violatedSince: at,
  awaited: z.partialRecord(z.enum(news2PartNames), at).nullable(),
});

const news2 = z.object({
  timers: z.partialRecord(z.enum(news2RuleIds), news2Timer),
  held: z.partialRecord(z.enum(news2PartNames), z.number()),
  typedAt: at,
  episode: episode.nullable(),
}) satisfies z.ZodType<News2State>;

/**
 * The rule state of a patient as the store keeps it, JSON: what depends on values of long ago. A device has `technical`
 * alone.
 */
export const storedRuleState = z.object({
  streams: z.object({ oxygenation: streamState, rate: streamState, perfusion: streamState } satisfies Record<
    StreamName,
    typeof streamState
  >),
  /** The readings at home, by parameter; none before the first reading. */
  spot: z.partialRecord(z.enum(spotParameters), spotFold),
  /** Conditions that the clock evaluates: silence, batteries, clocks, symptoms, missing readings. */
  technical: z.partialRecord(z.enum(parameters), episode),
  /** Rows of earlier releases have none: the score is evaluated from the start. */
  news2: news2.default(() => ({ timers: {}, held: {}, typedAt: 0, episode: null })),
  /** Signals that were last seen before this are not missed: their device was taken off. */
  signalsFrom: at,
  /**
   * When the streams and the readings were last reset, and up to when red flags are answered; none if they never were.
   */
  resetAt: z.partialRecord(z.enum([...streamNames, 'readings', 'symptoms']), at).default({}),
});
export type StoredRuleState = z.infer<typeof storedRuleState>;
