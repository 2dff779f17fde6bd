import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newSymptomReport, symptomReport, symptomReportsResponse, symptomReportsQuery } from './schema';

/** What patients report about themselves. */
export const symptomCalls = {
  listSymptomReports: {
    method: 'GET',
    path: '/api/v2/patients/:id/symptoms',
    status: 200,
    who: can('readPatients'),
    params: byId,
    query: symptomReportsQuery,
    response: symptomReportsResponse,
  },
  addSymptomReport: {
    method: 'POST',
    path: '/api/v2/patients/:id/symptoms',
    status: 201,
    who: can('recordObservations'),
    params: byId,
    body: newSymptomReport,
    response: symptomReport,
  },
} as const satisfies Calls;
