import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { exportQuery } from './schema';

/** The files of one patient. */
export const exportCalls = {
  exportPatient: {
    method: 'GET',
    path: '/api/v2/patients/:id/export',
    status: 200,
    who: can('exportPatient'),
    description:
      'One kind of a patient’s data as comma-separated values, oldest first. 403 password_needed: the caller gave ' +
      'their password more than 5 minutes ago (POST /api/v2/auth/confirm-password). If the connection breaks, the ' +
      'file is not whole.',
    params: byId,
    query: exportQuery,
    response: z.string(),
  },
} as const satisfies Calls;
