import { z } from 'zod';
import { assignmentBody, assignmentsAnswer, assignmentsQuery } from '../assignments/schema';
import { auditAnswer, auditFilter, auditPeople, auditQuery } from '../audit/schema';
import { breakGlassBody, breakGlassNotices } from '../breakGlass/schema';
import {
  deviceAssignment,
  devicePatch,
  devicesAnswer,
  deviceToken,
  listedDevice,
  newDevice,
  newToken,
  refusedAnswer,
  refusedQuery,
} from '../devices/schema';
import { errorReports } from '../monitoring/schema';
import { user } from '../session/schema';
import { intendedUseBody, sitePatch, siteSettings } from '../site/schema';
import { unit, unitBody, unitsAnswer } from '../units/schema';
import {
  approval,
  invitationsAnswer,
  listedUser,
  newInvitation,
  secretLink,
  userPatch,
  usersAnswer,
} from '../users/schema';
import { idParam } from './idParam';

const byId = z.strictObject({ id: idParam });
const nothing = z.null();

/**
 * The calls of those who administer, assign or open in an emergency. The browser fetches these schemas when one is
 * made.
 */
export const administrationRoutes = {
  listUnits: { method: 'GET', path: '/api/v2/units', status: 200, response: unitsAnswer },
  createUnit: { method: 'POST', path: '/api/v2/units', status: 201, body: unitBody, response: unit },
  renameUnit: { method: 'PATCH', path: '/api/v2/units/:id', status: 200, params: byId, body: unitBody, response: unit },
  deleteUnit: { method: 'DELETE', path: '/api/v2/units/:id', status: 204, params: byId, response: nothing },
  getAssignments: {
    method: 'GET',
    path: '/api/v2/assignments',
    status: 200,
    query: assignmentsQuery,
    response: assignmentsAnswer,
  },
  assign: {
    method: 'PUT',
    path: '/api/v2/assignments',
    status: 200,
    body: assignmentBody,
    response: assignmentsAnswer,
  },
  breakGlass: { method: 'POST', path: '/api/v2/auth/break-glass', status: 200, body: breakGlassBody, response: user },
  endBreakGlass: { method: 'POST', path: '/api/v2/auth/break-glass/end', status: 200, response: user },
  listBreakGlass: { method: 'GET', path: '/api/v2/admin/break-glass', status: 200, response: breakGlassNotices },
  seeBreakGlass: {
    method: 'POST',
    path: '/api/v2/admin/break-glass/:id/seen',
    status: 204,
    params: byId,
    response: nothing,
  },
  listUsers: { method: 'GET', path: '/api/v2/admin/users', status: 200, response: usersAnswer },
  changeUser: {
    method: 'PATCH',
    path: '/api/v2/admin/users/:id',
    status: 200,
    params: byId,
    body: userPatch,
    response: listedUser,
  },
  approveUser: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/approve',
    status: 200,
    params: byId,
    body: approval,
    response: listedUser,
  },
  rejectUser: { method: 'POST', path: '/api/v2/admin/users/:id/reject', status: 204, params: byId, response: nothing },
  makeResetLink: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/reset-link',
    status: 201,
    params: byId,
    response: secretLink,
  },
  endUserSessions: {
    method: 'POST',
    path: '/api/v2/admin/users/:id/end-sessions',
    status: 204,
    params: byId,
    response: nothing,
  },
  listInvitations: { method: 'GET', path: '/api/v2/admin/invitations', status: 200, response: invitationsAnswer },
  invite: { method: 'POST', path: '/api/v2/admin/invitations', status: 201, body: newInvitation, response: secretLink },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/api/v2/admin/invitations/:id',
    status: 204,
    params: byId,
    response: nothing,
  },
  listErrors: { method: 'GET', path: '/api/v2/admin/errors', status: 200, response: errorReports },
  listAudit: { method: 'GET', path: '/api/v2/audit', status: 200, query: auditQuery, response: auditAnswer },
  listAuditPeople: { method: 'GET', path: '/api/v2/audit/people', status: 200, response: auditPeople },
  // A file of comma-separated values, opened as a link.
  exportAudit: { method: 'GET', path: '/api/v2/audit/export', status: 200, query: auditFilter, response: z.string() },
  getSite: { method: 'GET', path: '/api/v2/admin/site', status: 200, response: siteSettings },
  changeSite: { method: 'PATCH', path: '/api/v2/admin/site', status: 200, body: sitePatch, response: siteSettings },
  acceptIntendedUse: {
    method: 'POST',
    path: '/api/v2/site/intended-use',
    status: 200,
    body: intendedUseBody,
    response: siteSettings,
  },
  listDevices: { method: 'GET', path: '/api/v2/devices', status: 200, response: devicesAnswer },
  addDevice: { method: 'POST', path: '/api/v2/devices', status: 201, body: newDevice, response: deviceToken },
  changeDevice: {
    method: 'PATCH',
    path: '/api/v2/devices/:id',
    status: 200,
    params: byId,
    body: devicePatch,
    response: listedDevice,
  },
  renewDeviceToken: {
    method: 'POST',
    path: '/api/v2/devices/:id/token',
    status: 201,
    params: byId,
    body: newToken,
    response: deviceToken,
  },
  revokeDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/revoke',
    status: 200,
    params: byId,
    response: listedDevice,
  },
  assignDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/assignment',
    status: 200,
    params: byId,
    body: deviceAssignment,
    response: listedDevice,
  },
  unassignDevice: {
    method: 'DELETE',
    path: '/api/v2/devices/:id/assignment',
    status: 204,
    params: byId,
    response: nothing,
  },
  listRefused: {
    method: 'GET',
    path: '/api/v2/devices/:id/quarantine',
    status: 200,
    params: byId,
    query: refusedQuery,
    response: refusedAnswer,
  },
} as const;
