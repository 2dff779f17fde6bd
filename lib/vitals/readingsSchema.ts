import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';
import { consciousnessLevels, vitalKinds, type VitalKind } from './kinds';
import { measured } from './measured';

/**
 * Readings that a user took at one moment and entered, by kind in the unit of the kind. `oxygenFlow` 0 is air;
 * `consciousness` is one of A, C, V, P, U.
 */
export const newReadings = z.strictObject({
  /** The default is now. */
  takenAt: instant.optional(),
  readings: z
    .strictObject({
      spo2: measured('spo2'),
      heartRate: measured('heartRate'),
      pulseRate: measured('pulseRate'),
      respiratoryRate: measured('respiratoryRate'),
      temperature: measured('temperature'),
      systolic: measured('systolic'),
      diastolic: measured('diastolic'),
      perfusionIndex: measured('perfusionIndex'),
      oxygenFlow: measured('oxygenFlow'),
      consciousness: z.enum(consciousnessLevels).optional(),
      weight: measured('weight'),
    } satisfies Record<VitalKind, z.ZodType>)
    .refine((readings) => Object.keys(readings).length > 0, 'holds no reading'),
});
export type NewReadings = z.output<typeof newReadings>;

/** Why values are withdrawn. It stays out of the audit. */
export const withdrawalReason = line(500);

/** Withdraws all that a user typed in for one moment. */
export const readingsWithdrawal = z.strictObject({
  takenAt: instant,
  userId: z.int().positive(),
  reason: withdrawalReason,
});

/** The sets of the last 24 hours that the caller may withdraw, the newest first. */
export const typedSets = z.object({
  items: z.array(
    z.object({
      takenAt: instant,
      by: z.object({ id: z.int(), name: z.string() }),
      readings: z.array(z.object({ kind: z.enum(vitalKinds), value: z.number() })),
    }),
  ),
});
export type TypedSets = z.infer<typeof typedSets>;
