import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  issueReport,
  newComment,
  newReport,
  reportChange,
  reportNews,
  reportRead,
  reportsQuery,
  reportsResponse,
} from './schema';

/** The page polls the report after each of its changes, and after a refusal: then it shows what another user did. */
const changes = { read: 'readReport' } as const;

/** Issue reports: what went wrong, and what came of it. Error reports of the software are another thing. */
export const reportCalls = {
  listReports: {
    method: 'GET',
    path: '/api/v2/reports',
    status: 200,
    who: can('readReports'),
    description: 'Those that the caller may see. An administrator sees reports of software without patient and text.',
    query: reportsQuery,
    response: reportsResponse,
  },
  readReportNews: {
    method: 'GET',
    path: '/api/v2/reports/own',
    status: 200,
    who: can('readReports'),
    response: reportNews,
  },
  fileReport: {
    method: 'POST',
    path: '/api/v2/reports',
    status: 201,
    who: can('fileReports'),
    description: 'S1 raises one technical HIGH alert in the unit, or for the ward leads of the site without a unit.',
    body: newReport,
    response: issueReport,
    changes: { read: 'listReports' },
  },
  readReport: {
    method: 'GET',
    path: '/api/v2/reports/:id',
    status: 200,
    who: can('readReports'),
    params: byId,
    response: issueReport,
  },
  changeReport: {
    method: 'PATCH',
    path: '/api/v2/reports/:id',
    status: 200,
    who: can('manageReports'),
    params: byId,
    body: reportChange,
    response: issueReport,
    changes,
  },
  commentReport: {
    method: 'POST',
    path: '/api/v2/reports/:id/comments',
    status: 200,
    who: can('readReports'),
    description: 'By the reporter, or by a user who manages the report.',
    params: byId,
    body: newComment,
    response: issueReport,
    changes,
  },
  markReportRead: {
    method: 'POST',
    path: '/api/v2/reports/:id/read',
    status: 204,
    who: can('readReports'),
    params: byId,
    body: reportRead,
    response: z.null(),
    changes: { read: 'readReportNews' },
  },
} as const satisfies Calls;
