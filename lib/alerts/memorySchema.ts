import { z } from 'zod';
import type { Combo } from './combo';
import type { Episode } from './episode';
import type { Memory } from './fold';
import { priorities } from './priority';
import { parameters } from './parameters';
import type { SpotFold } from './spotCheck';
import { spotParameters } from './spotRules';
import type { RuleState } from './stepRule';
import { trackNames, type TrackName } from './tracks';

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
}) satisfies z.ZodType<Episode>;

const ruleState = z.object({
  phase: z.enum(['idle', 'pending', 'active']),
  since: at,
  inLimitSince: at.nullable(),
  clearSince: at.nullable(),
}) satisfies z.ZodType<RuleState>;

const memory = z.object({
  groups: z
    .array(z.object({ states: z.array(ruleState).readonly(), isCalm: z.boolean(), episode: episode.nullable() }))
    .readonly(),
  oxygen: z.object({ flow: z.number(), measuredAt: at }).nullable(),
}) satisfies z.ZodType<Memory>;

const spotFold = z.object({
  phase: z.enum(['fine', 'rechecking', 'told']),
  priority: z.enum(priorities),
  since: at,
  isConfirmed: z.boolean(),
  weights: z.array(z.object({ at, value: z.number() })).readonly(),
  episode: episode.nullable(),
}) satisfies z.ZodType<SpotFold>;

const combo = z.object({
  state: ruleState,
  withSpo2: z.boolean(),
  withRate: z.boolean(),
  episode: episode.nullable(),
}) satisfies z.ZodType<Combo>;

/**
 * What the store keeps of where the rules stand with a patient, JSON: what only values of long ago can tell. Of a
 * device it is `technical`.
 */
export const memorySchema = z.object({
  tracks: z.object({ oxygenation: memory, rate: memory, perfusion: memory } satisfies Record<TrackName, typeof memory>),
  /** The readings at home, by parameter; none where nothing came. */
  spot: z.partialRecord(z.enum(spotParameters), spotFold),
  /** What is told by the clock and not by values: silence, batteries, clocks, symptoms, readings that do not come. */
  technical: z.partialRecord(z.enum(parameters), episode),
  combo,
  /** Signals that were heard before are not missed: their device was taken off. */
  signalsFrom: at,
  /** From when on the streams, and the readings, were begun anew; none where they never were. */
  begunAt: z.partialRecord(z.enum([...trackNames, 'readings']), at).default({}),
});
export type KeptMemory = z.infer<typeof memorySchema>;
