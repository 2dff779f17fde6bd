import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { deviceAssignment } from '../devices/schema';
import { can } from '../session/policy';
import { instant } from '../time/schema';

/** That values of a bed were held, because the patient had just come into it. */
const heldValues = z.object({
  bed: z.string(),
  /** When the patient came, and until when values were held. */
  since: instant,
  until: instant,
  /** Who released the values; null: they are held. */
  releasedBy: z.string().nullable(),
});
export type HeldValues = z.infer<typeof heldValues>;

/** Those of the bed in which a patient is, and those of the last 24 hours that are released; the last first. */
export const heldResponse = z.object({ patientId: z.int(), items: z.array(heldValues) });

/** When the patient came into the bed. */
const takeBackBody = z.strictObject({ since: instant });
/** The same, and the two identifiers of the patient on whom the monitor of the bed is since then. */
export const releaseBody = deviceAssignment.extend({ since: instant });

const ofPatient = { status: 200, params: byId, response: heldResponse } as const;
const changes = { read: 'listHeldValues' } as const;
const change = { ...ofPatient, method: 'POST', who: can('writePatients'), changes } as const;

/** Values of a patient's bed that are held because the patient of the bed has just changed. */
export const heldCalls = {
  listHeldValues: { ...ofPatient, method: 'GET', path: '/api/v2/patients/:id/held-values', who: can('readPatients') },
  releaseValues: { ...change, path: '/api/v2/patients/:id/held-values/release', body: releaseBody },
  takeBackRelease: { ...change, path: '/api/v2/patients/:id/held-values/take-back', body: takeBackBody },
} as const satisfies Calls;
