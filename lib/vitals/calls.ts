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
    body: ingestBody,
    response: ingestResponse,
  },
} as const satisfies Calls;
