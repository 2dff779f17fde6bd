import { z } from 'zod';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { auditResponse, auditFilter, auditPeople, auditQuery } from './schema';

/** The audit log. */
export const auditCalls = {
  listAudit: {
    method: 'GET',
    path: '/api/v2/audit',
    status: 200,
    who: can('readAudit'),
    query: auditQuery,
    response: auditResponse,
  },
  listAuditPeople: {
    method: 'GET',
    path: '/api/v2/audit/people',
    status: 200,
    who: can('readAudit'),
    response: auditPeople,
  },
  // A file of comma-separated values, opened as a link.
  exportAudit: {
    method: 'GET',
    path: '/api/v2/audit/export',
    status: 200,
    who: can('exportAudit'),
    query: auditFilter,
    response: z.string(),
  },
} as const satisfies Calls;
