import { z } from 'zod';
import { newPatient, patient, patientPatch, patientsAnswer, patientsQuery, patientsSearch } from '../patients/schema';
import { demoAnswer, demoBody, setupBody, signInBody, user } from '../session/schema';
import { ingestAnswer, ingestBody, vitalsAnswer, vitalsQuery } from '../vitals/schema';

/** A row's id in an address: digits only, within what a number holds exactly. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
  .transform(Number);
const byId = z.strictObject({ id: idParam });
const nothing = z.null();

/**
 * The endpoint table: address, request and answer of every call, read by the server (validation, OpenAPI) and by the
 * browser's client. An `:id` in a path is filled from `params`. `status` is that of success.
 */
export const routes = {
  getCurrentUser: { method: 'GET', path: '/api/user/getCurrentUser', status: 200, response: user },
  updateLastActive: { method: 'PUT', path: '/api/v2/users/updateLastActive/:id', status: 204, params: byId, response: nothing },
  signIn: { method: 'POST', path: '/api/v2/auth/sign-in', status: 200, body: signInBody, response: user },
  signOut: { method: 'POST', path: '/api/v2/auth/sign-out', status: 204, response: nothing },
  setup: { method: 'POST', path: '/api/v2/setup', status: 201, body: setupBody, response: user },
  startDemo: { method: 'POST', path: '/api/v2/demo', status: 201, body: demoBody, response: demoAnswer },
  listPatients: { method: 'GET', path: '/api/v2/patients', status: 200, query: patientsQuery, response: patientsAnswer },
  searchPatients: { method: 'POST', path: '/api/v2/patients/search', status: 200, body: patientsSearch, response: patientsAnswer },
  createPatient: { method: 'POST', path: '/api/v2/patients', status: 201, body: newPatient, response: patient },
  getPatient: { method: 'GET', path: '/api/v2/patients/:id', status: 200, params: byId, response: patient },
  changePatient: { method: 'PATCH', path: '/api/v2/patients/:id', status: 200, params: byId, body: patientPatch, response: patient },
  getVitals: { method: 'GET', path: '/api/v2/patients/:id/vitals', status: 200, params: byId, query: vitalsQuery, response: vitalsAnswer },
  ingestVitals: { method: 'POST', path: '/api/v2/vitals', status: 200, body: ingestBody, response: ingestAnswer },
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
