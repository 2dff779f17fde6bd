import { z } from 'zod';
import { consciousnessLevels } from './kinds';
import { news2Kinds } from './news2Kinds';

export const news2Bands = ['low', 'low-medium', 'medium', 'high'] as const;
export type News2Band = (typeof news2Bands)[number];

/**
 * One of the seven. `value` is rounded, as it is shown and scored. `points` is null where another part that is missing
 * decides it: SpO2 from 93 % on scale 2 scores nothing on air.
 */
const part = z.object({
  value: z.union([z.number(), z.enum(consciousnessLevels)]),
  points: z.int().min(0).max(3).nullable(),
});

/** NEWS2 of a patient, or what is known of it. */
export const news2Response = z.object({
  /** All seven are known and at most 60 min old. */
  complete: z.boolean(),
  /** Null unless complete. */
  score: z.int().min(0).max(20).nullable(),
  /** The least and the greatest score that the missing parts leave possible. */
  range: z.tuple([z.int().min(0).max(20), z.int().min(0).max(20)]),
  /** Unknown unless complete: few parts never prove that a patient is well. */
  band: z.enum([...news2Bands, 'unknown']),
  /** The band that an incomplete score proves already; null if it proves none, or if `band` says all. */
  atLeast: z.enum(news2Bands).nullable(),
  scale: z.union([z.literal(1), z.literal(2)]),
  parts: z.partialRecord(z.enum(news2Kinds), part),
  /** What is not known; the pulse is named once, as the oximeter's. */
  missing: z.array(z.enum(news2Kinds)),
});
export type News2 = z.infer<typeof news2Response>;
