import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { heldResponse, releaseBody, takeBackBody } from './heldSchema';

const ofPatient = { status: 200, params: byId, response: heldResponse } as const;
const changes = { read: 'listHeldValues' } as const;
const change = { ...ofPatient, method: 'POST', who: can('writePatients'), changes } as const;

/** Values of a patient's bed that are held because the patient of the bed has just changed. */
export const heldCalls = {
  listHeldValues: { ...ofPatient, method: 'GET', path: '/api/v2/patients/:id/held-values', who: can('readPatients') },
  releaseValues: { ...change, path: '/api/v2/patients/:id/held-values/release', body: releaseBody },
  takeBackRelease: { ...change, path: '/api/v2/patients/:id/held-values/take-back', body: takeBackBody },
} as const satisfies Calls;
