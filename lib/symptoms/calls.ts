import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  listedReport,
  newSymptomReport,
  symptomReport,
  symptomReportsQuery,
  symptomReportsResponse,
  symptomsInErrorBody,
} from './schema';
import { symptomsTodayQuery, symptomsTodayResponse } from './todaySchema';

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
  markSymptomsInError: {
    method: 'POST',
    path: '/api/v2/symptoms/:id/entered-in-error',
    status: 200,
    who: can('recordObservations'),
    description:
      'The report stays on record. Milder rules no longer count it; a red flag stays until a person ends it. The ' +
      'readings of a check-in are withdrawn with it: they are no latest values, and what they raised is over.',
    params: byId,
    body: symptomsInErrorBody,
    response: listedReport,
    changes: { read: 'listSymptomReports' },
  },
  /** What the patients of the dashboard reported today. */
  getSymptomsToday: {
    method: 'GET',
    path: '/api/v2/symptoms/today',
    status: 200,
    who: can('readPatients'),
    query: symptomsTodayQuery,
    response: symptomsTodayResponse,
  },
} as const satisfies Calls;
