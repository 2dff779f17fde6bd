import { z } from 'zod';
import {
  chatDirectory,
  chatDirectoryQuery,
  chatTokenAnswer,
  chatTokenBody,
  openChannelBody,
  openedChannel,
} from '../chat/schema';
import { idParam } from './idParam';
import {
  newPatient,
  patient,
  patientAnswer,
  patientPatch,
  patientsAnswer,
  patientsQuery,
  patientsSearch,
} from '../patients/schema';
import {
  maxPictureBytes,
  ownSessionsAnswer,
  passwordChange,
  pictureTypes,
  profilePatch,
  sid,
  type PictureType,
} from '../profile/schema';
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
import { ingestAnswer, ingestBody, sparksAnswer, sparksQuery, vitalsAnswer, vitalsQuery } from '../vitals/schema';

const byId = z.strictObject({ id: idParam });
const nothing = z.null();
/** The bytes of a picture, which alone are not sent as JSON. */
const picture = z.custom<Blob & { type: PictureType }>(
  (body) => body instanceof Blob && body.size <= maxPictureBytes && pictureTypes.some((type) => type === body.type),
);

/**
 * The calls of the ward's own screens and of devices: what a page needs at first is here and nowhere else. See
 * `routes`.
 */
export const dailyRoutes = {
  getCurrentUser: { method: 'GET', path: '/api/user/getCurrentUser', status: 200, response: user },
  updateLastActive: {
    method: 'PUT',
    path: '/api/v2/users/updateLastActive/:id',
    status: 204,
    params: byId,
    response: nothing,
  },
  signIn: { method: 'POST', path: '/api/v2/auth/sign-in', status: 200, body: signInBody, response: user },
  signUp: { method: 'POST', path: '/api/v2/auth/sign-up', status: 201, body: signUpBody, response: user },
  readInvitation: {
    method: 'POST',
    path: '/api/v2/auth/invitation',
    status: 200,
    body: invitationBody,
    response: invitationAnswer,
  },
  listRegistrationSites: { method: 'GET', path: '/api/v2/auth/register', status: 200, response: registrationSites },
  register: { method: 'POST', path: '/api/v2/auth/register', status: 202, body: registerBody, response: nothing },
  requestReset: {
    method: 'POST',
    path: '/api/v2/auth/password-reset/request',
    status: 202,
    body: resetRequestBody,
    response: nothing,
  },
  confirmReset: {
    method: 'POST',
    path: '/api/v2/auth/password-reset/confirm',
    status: 204,
    body: resetConfirmBody,
    response: nothing,
  },
  signOut: { method: 'POST', path: '/api/v2/auth/sign-out', status: 204, response: nothing },
  noteInput: { method: 'POST', path: '/api/v2/auth/activity', status: 204, response: nothing },
  lock: { method: 'POST', path: '/api/v2/auth/lock', status: 204, response: nothing },
  unlock: { method: 'POST', path: '/api/v2/auth/unlock', status: 200, body: unlockBody, response: user },
  changeProfile: { method: 'PATCH', path: '/api/v2/profile', status: 200, body: profilePatch, response: user },
  changePassword: {
    method: 'PUT',
    path: '/api/v2/profile/password',
    status: 204,
    body: passwordChange,
    response: nothing,
  },
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
  listPatients: {
    method: 'GET',
    path: '/api/v2/patients',
    status: 200,
    query: patientsQuery,
    response: patientsAnswer,
  },
  searchPatients: {
    method: 'POST',
    path: '/api/v2/patients/search',
    status: 200,
    body: patientsSearch,
    response: patientsAnswer,
  },
  createPatient: { method: 'POST', path: '/api/v2/patients', status: 201, body: newPatient, response: patient },
  listSparks: {
    method: 'GET',
    path: '/api/v2/patients/sparks',
    status: 200,
    query: sparksQuery,
    response: sparksAnswer,
  },
  getPatient: { method: 'GET', path: '/api/v2/patients/:id', status: 200, params: byId, response: patientAnswer },
  changePatient: {
    method: 'PATCH',
    path: '/api/v2/patients/:id',
    status: 200,
    params: byId,
    body: patientPatch,
    response: patient,
  },
  getVitals: {
    method: 'GET',
    path: '/api/v2/patients/:id/vitals',
    status: 200,
    params: byId,
    query: vitalsQuery,
    response: vitalsAnswer,
  },
  getChatToken: {
    method: 'POST',
    path: '/api/v2/chat/chat-token',
    status: 200,
    body: chatTokenBody,
    response: chatTokenAnswer,
  },
  getChatDirectory: {
    method: 'GET',
    path: '/api/v2/chat/directory',
    status: 200,
    query: chatDirectoryQuery,
    response: chatDirectory,
  },
  openChannel: {
    method: 'POST',
    path: '/api/v2/chat/channels',
    status: 200,
    body: openChannelBody,
    response: openedChannel,
  },
  ingestVitals: { method: 'POST', path: '/api/v2/vitals', status: 200, body: ingestBody, response: ingestAnswer },
} as const;
