import { z } from 'zod';
import { news2RuleIds } from './news2Rules';
import { news2PartNames } from './news2Values';
import { priorities } from './priority';
import { storedEpisode, storedTime } from './storedEpisode';

const measured = z.object({ at: storedTime, value: z.number() });

export const storedSpotFold = z.object({
  /** `rechecking`: an amber reading waits for a second one, and nothing is raised yet. */
  phase: z.enum(['fine', 'rechecking', 'raised']),
  priority: z.enum(priorities),
  /** The time of the reading that waits, or of the first one with this priority. */
  since: storedTime,
  /**
   * Whether a second reading, or the lack of one in time, has confirmed a red one. This governs the alert's words, not
   * whether it is raised.
   */
  isConfirmed: z.boolean(),
  // These three are not in rows of an earlier version.
  /** The last reading that was as bad as `priority`. */
  worstAt: storedTime.default(0),
  /** The tier of the readings since then: it is taken if none is worse for 10 min. Null: there is none. */
  milder: z.enum(priorities).nullable().default(null),
  /** The minute after an evaluated reading, with the worst of the further ones in it. */
  minute: z.object({ startedAt: storedTime, worst: measured.nullable() }).nullable().default(null),
  /** The weights of the last three days. */
  weights: z.array(measured).readonly(),
  // Earlier releases knew neither of these two.
  /** When the newest reading that counts was taken; 0: there is none. */
  lastAt: storedTime.default(0),
  /** The last red reading that arrived too late to be evaluated like a new one; null: there is none. */
  late: z
    .object({ reading: measured.extend({ source: z.int(), deviceId: z.int() }), arrivedAt: storedTime })
    .nullable()
    .default(null),
  episode: storedEpisode.nullable(),
});

const times = z.partialRecord(z.enum(news2PartNames), storedTime);

/** A rule about the score that is not idle. Times are those of measuring. */
export const storedNews2Timer = z.object({
  phase: z.enum(['pending', 'active']),
  /** When the first violating value was measured. */
  violatedSince: storedTime,
  /**
   * The values that await a second one: those that violated first, or once active those that recovered first; null
   * while nothing is awaited.
   */
  awaited: times.nullable(),
  /**
   * One save raised it (clinical.md section 00, A5): with these values, and until when it waits for a second one. Null:
   * it needed none. Earlier releases knew no single saves.
   */
  save: z.object({ values: times, unconfirmedUntil: storedTime }).nullable().default(null),
});

export const storedNews2 = z.object({
  timers: z.partialRecord(z.enum(news2RuleIds), storedNews2Timer),
  /**
   * The points of each part while a rule about the sum is active. They stay until the part is measured again, because a
   * patient does not get better by growing old values.
   */
  held: z.partialRecord(z.enum(news2PartNames), z.number()),
  /** Single values that were measured up to then are known; 0: none are. Earlier releases kept no more of them. */
  typedAt: storedTime,
  /** The last single value of each part that was evaluated: a further one is a save. */
  saved: z.partialRecord(z.enum(news2PartNames), measured).default({}),
  episode: storedEpisode.nullable(),
});
