import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { limitPreview, proposedLimits } from './limitPreviewSchema';
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
    // Without `by`: the response is about one patient, and the cache has those of others under the same name.
    changes: { read: 'getLimits' },
  },
  /** How many alerts other limits would have raised in the last 24 h. It changes nothing. */
  previewLimits: {
    method: 'POST',
    path: '/api/v2/patients/:id/limits/preview',
    status: 200,
    who: can('changeLimits'),
    params: byId,
    body: proposedLimits,
    response: limitPreview,
  },
} as const satisfies Calls;
