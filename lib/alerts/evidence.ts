import { z } from 'zod';
import { vitalKinds } from '../vitals/kinds';
import { priorities } from './priority';

const limit = z.strictObject({ is: z.enum(['below', 'atMost', 'atLeast']), value: z.number() });
const limits = z.strictObject({ raise: z.array(limit).readonly(), clear: z.array(limit).readonly() }).nullable();

const worst = z.strictObject({
  rule: z.string(),
  priority: z.enum(priorities),
  limits,
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
});

/**
 * The most urgent rule of an alert with its limits, and the extremes of the conditions that have ended: what explains
 * its highest priority when its condition is milder or over.
 */
export type Worst = z.output<typeof worst>;

/**
 * What an alert was raised by, kept with it: the version of the rules, the patient's limits at that time, and the last
 * values, the newest first.
 */
export const evidence = z.strictObject({
  ruleVersion: z.int(),
  /** Null if the rule evaluates no value. */
  limits,
  samples: z
    .array(
      z.strictObject({
        kind: z.enum(vitalKinds),
        value: z.number(),
        /** By our clock, epoch milliseconds. */
        measuredAt: z.number(),
        deviceId: z.int(),
        isDoubtful: z.boolean(),
        /** When it arrived, if that was so late that people have to know; epoch milliseconds. */
        arrivedAt: z.number().optional(),
        /** The side of the limits on which it is an extreme that the alert names. */
        side: z.enum(['low', 'high']).optional(),
      }),
    )
    .readonly(),
  /** Earlier releases did not keep it. */
  worst: worst.optional(),
});
export type Evidence = z.output<typeof evidence>;

/** In place of evidence that cannot be read. The store keeps what it has until there is new evidence. */
export const unreadEvidence: Evidence = Object.freeze({ ruleVersion: 0, limits: null, samples: [] });
