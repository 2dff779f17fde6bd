import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { limitPreview, proposedLimits } from './limitPreviewSchema';
import { newLimits, patientLimits } from './limitsSchema';

const limits = { path: '/api/v2/patients/:id/limits', status: 200, params: byId } as const;
const change = { ...limits, who: can('changeLimits') } as const;

/** Alert limits of a patient. */
export const limitsCalls = {
  getLimits: { ...limits, method: 'GET', who: can('readPatients'), response: patientLimits },
  changeLimits: {
    ...{ ...change, method: 'PUT', body: newLimits, response: patientLimits },
    // Without `by`: the response is about one patient, and the cache has those of others under the same name.
    changes: { read: 'getLimits' },
  },
  /** How many alerts other limits would have raised in the last 24 h. It changes nothing. */
  previewLimits: {
    ...{ ...change, method: 'POST', path: `${limits.path}/preview` },
    ...{ body: proposedLimits, response: limitPreview },
  },
} as const satisfies Calls;
