import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { errorReports } from './schema';

/** Error reports that the server keeps. */
export const monitoringCalls = {
  listErrors: {
    method: 'GET',
    path: '/api/v2/admin/errors',
    status: 200,
    who: can('manageSite'),
    response: errorReports,
  },
} as const satisfies Calls;
