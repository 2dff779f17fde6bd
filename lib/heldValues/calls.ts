import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { heldResponse, releaseBody, takeBackBody } from './schema';

/** Values of a patient's bed that are held because the patient of the bed has just changed. */
export const heldValuesCalls = {
  listHeldValues: {
    method: 'GET',
    path: '/api/v2/patients/:id/held-values',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: heldResponse,
  },
  releaseValues: {
    method: 'POST',
    path: '/api/v2/patients/:id/held-values/release',
    status: 200,
    who: can('writePatients'),
    params: byId,
    body: releaseBody,
    response: heldResponse,
    changes: { read: 'listHeldValues' },
  },
  takeBackRelease: {
    method: 'POST',
    path: '/api/v2/patients/:id/held-values/take-back',
    status: 200,
    who: can('writePatients'),
    params: byId,
    body: takeBackBody,
    response: heldResponse,
    changes: { read: 'listHeldValues' },
  },
} as const satisfies Calls;
