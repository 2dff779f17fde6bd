import { z } from 'zod';
import { instant } from '../time/schema';
import { consciousnessLevels, type VitalKind } from './kinds';
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
