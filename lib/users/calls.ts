import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  approval,
  invitationsResponse,
  listedUser,
  newInvitation,
  secretLink,
  userPatch,
  usersResponse,
} from './schema';

/** The users of a site and its invitations, for administrators. */
export const userCalls = {
  listUsers: {
    method: 'GET',
    path: '/api/v2/admin/users',
    status: 200,
    who: can('manageUsers'),
    response: usersResponse,
  },
  changeUser: {
    method: 'PATCH',
    path: '/api/v2/admin/users/:id',
    status: 200,
    who: can('manageUsers'),
    params: byId,
    body: userPatch,
    response: listedUser,
    changes: { read: 'listUsers', by: 'row' },
  },
  approveUser: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/approve',
    status: 200,
    who: can('manageUsers'),
    params: byId,
    body: approval,
    response: listedUser,
    changes: { read: 'listUsers', by: 'row' },
  },
  rejectUser: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/reject',
    status: 204,
    who: can('manageUsers'),
    params: byId,
    response: z.null(),
    changes: { read: 'listUsers' },
  },
  makeResetLink: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/reset-link',
    status: 201,
    who: can('manageUsers'),
    params: byId,
    response: secretLink,
    changes: { read: 'listUsers' },
  },
  endUserSessions: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/end-sessions',
    status: 204,
    who: can('manageUsers'),
    params: byId,
    response: z.null(),
    changes: { read: 'listUsers' },
  },
  listInvitations: {
    method: 'GET',
    path: '/api/v2/admin/invitations',
    status: 200,
    who: can('manageUsers'),
    response: invitationsResponse,
  },
  invite: {
    method: 'POST',
    path: '/api/v2/admin/invitations',
    status: 201,
    who: can('manageUsers'),
    body: newInvitation,
    response: secretLink,
    changes: { read: 'listInvitations' },
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/v2/admin/invitations/:id',
    status: 204,
    who: can('manageUsers'),
    params: byId,
    response: z.null(),
    changes: { read: 'listInvitations' },
  },
} as const satisfies Calls;
