import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { assignmentBody, assignmentsResponse, assignmentsQuery } from './schema';

/** The assignments of staff to patients during a shift. */
export const assignmentCalls = {
  getAssignments: {
    method: 'GET',
    path: '/api/v2/assignments',
    status: 200,
    who: can('readAssignments'),
    query: assignmentsQuery,
    response: assignmentsResponse,
  },
  assign: {
    method: 'PUT',
    path: '/api/v2/assignments',
    status: 200,
    who: can('writeAssignments'),
    body: assignmentBody,
    response: assignmentsResponse,
  },
} as const satisfies Calls;
