import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newLimits, patientLimits } from './limitsSchema';

/** Alert limits of a patient. */
export const limitsCalls = {
  getLimits: {
    method: 'GET',
    path: '/api/v2/patients/:id/limits',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: patientLimits,
  },
  changeLimits: {
    method: 'PUT',
    path: '/api/v2/patients/:id/limits',
    status: 200,
    who: can('changeLimits'),
    params: byId,
    body: newLimits,
    response: patientLimits,
    changes: { read: 'getLimits', by: 'whole' },
  },
} as const satisfies Calls;
