import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { symptomsTodayQuery, symptomsTodayResponse } from './todaySchema';

/** What the patients of the dashboard reported today. */
export const symptomsTodayCalls = {
  getSymptomsToday: {
    method: 'GET',
    path: '/api/v2/symptoms/today',
    status: 200,
    who: can('readPatients'),
    query: symptomsTodayQuery,
    response: symptomsTodayResponse,
  },
} as const satisfies Calls;
