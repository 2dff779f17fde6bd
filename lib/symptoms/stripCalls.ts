import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { symptomStripQuery, symptomStripResponse } from './stripSchema';

/** The symptoms of a patient below their charts. */
export const symptomStripCalls = {
  getSymptomStrip: {
    method: 'GET',
    path: '/api/v2/patients/:id/symptom-strip',
    status: 200,
    who: can('readPatients'),
    params: byId,
    query: symptomStripQuery,
    response: symptomStripResponse,
  },
} as const satisfies Calls;
