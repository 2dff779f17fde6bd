import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newLimits, newSiteLimits, patientLimits, siteLimits } from './limitsSchema';

/** Alert limits of a patient and of the site. */
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
  },
  getSiteLimits: {
    method: 'GET',
    path: '/api/v2/site/limits',
    status: 200,
    who: can('readAlerts'),
    response: siteLimits,
  },
  changeSiteLimits: {
    method: 'PUT',
    path: '/api/v2/site/limits',
    status: 200,
    who: can('changeSiteLimits'),
    body: newSiteLimits,
    response: siteLimits,
  },
} as const satisfies Calls;
