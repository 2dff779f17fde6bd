import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can, device } from '../session/policy';
import { ingestResponse, ingestBody, sparksResponse, sparksQuery, vitalsResponse, vitalsQuery } from './schema';

/** What devices send and pages draw. */
export const vitalsCalls = {
  listSparks: {
    method: 'GET',
    path: '/api/v2/patients/sparks',
    status: 200,
    who: can('readPatients'),
    query: sparksQuery,
    response: sparksResponse,
  },
  getVitals: {
    method: 'GET',
    path: '/api/v2/patients/:id/vitals',
    status: 200,
    who: can('readPatients'),
    params: byId,
    query: vitalsQuery,
    response: vitalsResponse,
  },
  ingestVitals: {
    method: 'POST',
    path: '/api/v2/vitals',
    status: 200,
    who: device,
    description:
      'Stores samples and responds after the commit; the same call again is safe. 429 and 503 come with Retry-After: ' +
      'wait so many seconds, and send it again. Live samples are stored before late ones.',
    body: ingestBody,
    response: ingestResponse,
  },
} as const satisfies Calls;
