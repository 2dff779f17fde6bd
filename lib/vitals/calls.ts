import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can, device } from '../session/policy';
import { ingestAnswer, ingestBody, sparksAnswer, sparksQuery, vitalsAnswer, vitalsQuery } from './schema';

/** What devices send and pages draw. */
export const vitalsCalls = {
  listSparks: {
    method: 'GET',
    path: '/api/v2/patients/sparks',
    status: 200,
    who: can('readPatients'),
    query: sparksQuery,
    response: sparksAnswer,
  },
  getVitals: {
    method: 'GET',
    path: '/api/v2/patients/:id/vitals',
    status: 200,
    who: can('readPatients'),
    params: byId,
    query: vitalsQuery,
    response: vitalsAnswer,
  },
  ingestVitals: {
    method: 'POST',
    path: '/api/v2/vitals',
    status: 200,
    who: device,
    body: ingestBody,
    response: ingestAnswer,
  },
} as const satisfies Calls;
