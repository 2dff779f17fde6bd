import { z } from 'zod';
import { assignmentBody, assignmentsAnswer, assignmentsQuery } from '../assignments/schema';
import { breakGlassBody, breakGlassNotices } from '../breakGlass/schema';
import { errorReports } from '../monitoring/schema';
import { auditAnswer, auditFilter, auditPeople, auditQuery } from '../audit/schema';
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
import { newPatient, patient, patientPatch, patientsAnswer, patientsQuery, patientsSearch } from '../patients/schema';
import { maxPictureBytes, ownSessionsAnswer, passwordChange, pictureTypes, profilePatch, sid, type PictureType } from '../profile/schema';
import {
  demoAnswer,
  demoBody,
  invitationAnswer,
  invitationBody,
  registerBody,
  registrationSites,
  resetConfirmBody,
  resetRequestBody,
  setupBody,
  signInBody,
  signUpBody,
  unlockBody,
  user,
} from '../session/schema';
import { unit, unitBody, unitsAnswer } from '../units/schema';
import { intendedUseBody, sitePatch, siteSettings } from '../site/schema';
import { approval, invitationsAnswer, listedUser, newInvitation, secretLink, userPatch, usersAnswer } from '../users/schema';
import { ingestAnswer, ingestBody, sparksAnswer, sparksQuery, vitalsAnswer, vitalsQuery } from '../vitals/schema';

/** A row's id in an address: digits only, within what a number holds exactly. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
  .transform(Number);
const byId = z.strictObject({ id: idParam });
const nothing = z.null();
/** The bytes of a picture, which alone are not sent as JSON. */
const picture = z.custom<Blob & { type: PictureType }>(
  (body) => body instanceof Blob && body.size <= maxPictureBytes && pictureTypes.some((type) => type === body.type),
);

/**
 * The endpoint table: address, request and answer of every call, read by the server (validation, OpenAPI) and by the
 * browser's client. An `:id` in a path is filled from `params`. `status` is that of success.
 */
export const routes = {
  getCurrentUser: { method: 'GET', path: '/api/user/getCurrentUser', status: 200, response: user },
  updateLastActive: { method: 'PUT', path: '/api/v2/users/updateLastActive/:id', status: 204, params: byId, response: nothing },
  signIn: { method: 'POST', path: '/api/v2/auth/sign-in', status: 200, body: signInBody, response: user },
  signUp: { method: 'POST', path: '/api/v2/auth/sign-up', status: 201, body: signUpBody, response: user },
  readInvitation: { method: 'POST', path: '/api/v2/auth/invitation', status: 200, body: invitationBody, response: invitationAnswer },
  listRegistrationSites: { method: 'GET', path: '/api/v2/auth/register', status: 200, response: registrationSites },
  register: { method: 'POST', path: '/api/v2/auth/register', status: 202, body: registerBody, response: nothing },
  requestReset: { method: 'POST', path: '/api/v2/auth/password-reset/request', status: 202, body: resetRequestBody, response: nothing },
  confirmReset: { method: 'POST', path: '/api/v2/auth/password-reset/confirm', status: 204, body: resetConfirmBody, response: nothing },
  signOut: { method: 'POST', path: '/api/v2/auth/sign-out', status: 204, response: nothing },
  noteInput: { method: 'POST', path: '/api/v2/auth/activity', status: 204, response: nothing },
  lock: { method: 'POST', path: '/api/v2/auth/lock', status: 204, response: nothing },
  unlock: { method: 'POST', path: '/api/v2/auth/unlock', status: 200, body: unlockBody, response: user },
  changeProfile: { method: 'PATCH', path: '/api/v2/profile', status: 200, body: profilePatch, response: user },
  changePassword: { method: 'PUT', path: '/api/v2/profile/password', status: 204, body: passwordChange, response: nothing },
  changePicture: { method: 'PUT', path: '/api/v2/profile/picture', status: 200, body: picture, response: user },
  removePicture: { method: 'DELETE', path: '/api/v2/profile/picture', status: 200, response: user },
  listOwnSessions: { method: 'GET', path: '/api/v2/profile/sessions', status: 200, response: ownSessionsAnswer },
  endOtherSessions: { method: 'DELETE', path: '/api/v2/profile/sessions', status: 204, response: nothing },
  endOwnSession: {
    method: 'DELETE',
    path: '/api/v2/profile/sessions/:sid',
    status: 204,
    params: z.strictObject({ sid }),
    response: nothing,
  },
  setup: { method: 'POST', path: '/api/v2/setup', status: 201, body: setupBody, response: user },
  startDemo: { method: 'POST', path: '/api/v2/demo', status: 201, body: demoBody, response: demoAnswer },
  listPatients: { method: 'GET', path: '/api/v2/patients', status: 200, query: patientsQuery, response: patientsAnswer },
  searchPatients: { method: 'POST', path: '/api/v2/patients/search', status: 200, body: patientsSearch, response: patientsAnswer },
  createPatient: { method: 'POST', path: '/api/v2/patients', status: 201, body: newPatient, response: patient },
  listSparks: { method: 'GET', path: '/api/v2/patients/sparks', status: 200, query: sparksQuery, response: sparksAnswer },
  getPatient: { method: 'GET', path: '/api/v2/patients/:id', status: 200, params: byId, response: patient },
  changePatient: { method: 'PATCH', path: '/api/v2/patients/:id', status: 200, params: byId, body: patientPatch, response: patient },
  getVitals: { method: 'GET', path: '/api/v2/patients/:id/vitals', status: 200, params: byId, query: vitalsQuery, response: vitalsAnswer },
  listUnits: { method: 'GET', path: '/api/v2/units', status: 200, response: unitsAnswer },
  createUnit: { method: 'POST', path: '/api/v2/units', status: 201, body: unitBody, response: unit },
  renameUnit: { method: 'PATCH', path: '/api/v2/units/:id', status: 200, params: byId, body: unitBody, response: unit },
  deleteUnit: { method: 'DELETE', path: '/api/v2/units/:id', status: 204, params: byId, response: nothing },
  getAssignments: { method: 'GET', path: '/api/v2/assignments', status: 200, query: assignmentsQuery, response: assignmentsAnswer },
  assign: { method: 'PUT', path: '/api/v2/assignments', status: 200, body: assignmentBody, response: assignmentsAnswer },
  breakGlass: { method: 'POST', path: '/api/v2/auth/break-glass', status: 200, body: breakGlassBody, response: user },
  endBreakGlass: { method: 'POST', path: '/api/v2/auth/break-glass/end', status: 200, response: user },
  listBreakGlass: { method: 'GET', path: '/api/v2/admin/break-glass', status: 200, response: breakGlassNotices },
  seeBreakGlass: { method: 'POST', path: '/api/v2/admin/break-glass/:id/seen', status: 204, params: byId, response: nothing },
  listUsers: { method: 'GET', path: '/api/v2/admin/users', status: 200, response: usersAnswer },
  changeUser: { method: 'PATCH', path: '/api/v2/admin/users/:id', status: 200, params: byId, body: userPatch, response: listedUser },
  approveUser: { method: 'POST', path: '/api/v2/admin/users/:id/approve', status: 200, params: byId, body: approval, response: listedUser },
  rejectUser: { method: 'POST', path: '/api/v2/admin/users/:id/reject', status: 204, params: byId, response: nothing },
  makeResetLink: { method: 'POST', path: '/api/v2/admin/users/:id/reset-link', status: 201, params: byId, response: secretLink },
  endUserSessions: { method: 'POST', path: '/api/v2/admin/users/:id/end-sessions', status: 204, params: byId, response: nothing },
  listInvitations: { method: 'GET', path: '/api/v2/admin/invitations', status: 200, response: invitationsAnswer },
  invite: { method: 'POST', path: '/api/v2/admin/invitations', status: 201, body: newInvitation, response: secretLink },
  withdrawInvitation: { method: 'DELETE', path: '/api/v2/admin/invitations/:id', status: 204, params: byId, response: nothing },
  listErrors: { method: 'GET', path: '/api/v2/admin/errors', status: 200, response: errorReports },
  listAudit: { method: 'GET', path: '/api/v2/audit', status: 200, query: auditQuery, response: auditAnswer },
  listAuditPeople: { method: 'GET', path: '/api/v2/audit/people', status: 200, response: auditPeople },
  // A file of comma-separated values, opened as a link.
  exportAudit: { method: 'GET', path: '/api/v2/audit/export', status: 200, query: auditFilter, response: z.string() },
  getSite: { method: 'GET', path: '/api/v2/admin/site', status: 200, response: siteSettings },
  changeSite: { method: 'PATCH', path: '/api/v2/admin/site', status: 200, body: sitePatch, response: siteSettings },
  acceptIntendedUse: {
    method: 'POST',
    path: '/api/v2/admin/site/intended-use',
    status: 200,
    body: intendedUseBody,
    response: siteSettings,
  },
  listDevices: { method: 'GET', path: '/api/v2/devices', status: 200, response: devicesAnswer },
  addDevice: { method: 'POST', path: '/api/v2/devices', status: 201, body: newDevice, response: deviceToken },
  changeDevice: { method: 'PATCH', path: '/api/v2/devices/:id', status: 200, params: byId, body: devicePatch, response: listedDevice },
  renewDeviceToken: { method: 'POST', path: '/api/v2/devices/:id/token', status: 201, params: byId, body: newToken, response: deviceToken },
  revokeDevice: { method: 'POST', path: '/api/v2/devices/:id/revoke', status: 200, params: byId, response: listedDevice },
  assignDevice: {
    method: 'POST',
    path: '/api/v2/devices/:id/assignment',
    status: 200,
    params: byId,
    body: deviceAssignment,
    response: listedDevice,
  },
  unassignDevice: { method: 'DELETE', path: '/api/v2/devices/:id/assignment', status: 204, params: byId, response: nothing },
  listRefused: {
    method: 'GET',
    path: '/api/v2/devices/:id/quarantine',
    status: 200,
    params: byId,
    query: refusedQuery,
    response: refusedAnswer,
  },
  ingestVitals: { method: 'POST', path: '/api/v2/vitals', status: 200, body: ingestBody, response: ingestAnswer },
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
