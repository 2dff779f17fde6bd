import { z } from 'zod';
import { deviceAssignment } from '../devices/schema';
import { earlierResult } from '../mappings/schema';
import { instant } from '../time/schema';

/** What became of the values that were held and were read again from the kept messages. */
export const releaseResult = earlierResult.extend({
  /** Between which times those were measured that are in the chart; null: there are none. */
  first: instant.nullable(),
  last: instant.nullable(),
});
export type ReleaseResult = z.infer<typeof releaseResult>;

/** A stay in a bed. Null: since before what is known; until now. */
const stay = z.strictObject({ from: instant.nullable(), until: instant.nullable() });
/** Whether the values are near the beginning of the stay or near its end. */
const change = z.enum(['begin', 'end']);

/** That values of a patient's bed were held, because the patient of the bed had just changed. */
const heldValues = z.object({
  unit: z.string(),
  bed: z.string(),
  stay,
  change,
  /** When the first of the messages and the last one came. */
  first: instant,
  last: instant,
  /** Null: they are not released. */
  release: z
    .object({
      id: z.int(),
      by: z.object({ id: z.int(), name: z.string() }),
      releasedAt: instant,
      /** From when the values are the patient's, or until when. */
      at: instant,
      /** `key_missing`: the kept messages cannot be read for now. */
      read: z.union([z.enum(['reading', 'key_missing']), releaseResult]),
    })
    .nullable(),
});
export type HeldValues = z.infer<typeof heldValues>;

/** The values of a patient's beds that were held near a move of the last 24 hours, the last first. */
export const heldResponse = z.object({ patientId: z.int(), items: z.array(heldValues) });

/** The two identifiers of the patient, whose monitor it is, and from when or until when. */
export const releaseBody = deviceAssignment.extend({ stay, change, at: instant });
export type ReleaseBody = z.infer<typeof releaseBody>;

export const takeBackBody = z.strictObject({ release: z.int() });
