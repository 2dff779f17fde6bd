import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { breakGlassBody, breakGlassNotices } from './schema';
import { user } from '../session/schema';

/** Emergency access and its notices. */
export const breakGlassCalls = {
  breakGlass: {
    method: 'POST',
    path: '/api/v2/auth/break-glass',
    status: 200,
    who: can('breakGlass'),
    body: breakGlassBody,
    response: user,
  },
  endBreakGlass: {
    method: 'POST',
    path: '/api/v2/auth/break-glass/end',
    status: 200,
    who: can('breakGlass'),
    response: user,
  },
  listBreakGlass: {
    method: 'GET',
    path: '/api/v2/admin/break-glass',
    status: 200,
    who: can('manageUsers'),
    response: breakGlassNotices,
  },
  seeBreakGlass: {
    method: 'POST',
    path: '/api/v2/admin/break-glass/:id/seen',
    status: 204,
    who: can('manageUsers'),
    params: byId,
    response: z.null(),
    changes: { read: 'listBreakGlass' },
  },
} as const satisfies Calls;
