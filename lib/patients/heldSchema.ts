import { z } from 'zod';
import { deviceAssignment } from '../devices/schema';
import { instant } from '../time/schema';

/** That values of a bed were held, because the patient had just come into it. */
const heldValues = z.object({
  bed: z.string(),
  /** When the patient came. */
  since: instant,
  /** Who released the values; null: they are held. */
  releasedBy: z.string().nullable(),
});
export type HeldValues = z.infer<typeof heldValues>;

/** Those of the bed in which a patient is, and those of the last 24 hours that are released; the last first. */
export const heldResponse = z.object({ patientId: z.int(), items: z.array(heldValues) });

/** When the patient came into the bed. */
export const takeBackBody = z.strictObject({ since: instant });
/** The same, and the two identifiers of the patient on whom the monitor of the bed is since then. */
export const releaseBody = deviceAssignment.extend({ since: instant });
