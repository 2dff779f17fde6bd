import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  likelyDuplicates,
  newPatient,
  patient,
  patientResponse,
  patientPatch,
  patientsResponse,
  patientsQuery,
  patientsSearch,
  swapBedsBody,
  swapBedsResponse,
} from './schema';

/** Patients: the polled list, the search, one patient. */
export const patientCalls = {
  listPatients: {
    method: 'GET',
    path: '/api/v2/patients',
    status: 200,
    who: can('readPatients'),
    query: patientsQuery,
    response: patientsResponse,
  },
  searchPatients: {
    method: 'POST',
    path: '/api/v2/patients/search',
    status: 200,
    who: can('readPatients'),
    body: patientsSearch,
    response: patientsResponse,
  },
  listLikelyDuplicates: {
    ...{ method: 'GET', path: '/api/v2/patients/duplicates', status: 200 },
    ...{ who: can('writePatients'), response: likelyDuplicates },
  },
  createPatient: {
    method: 'POST',
    path: '/api/v2/patients',
    status: 201,
    who: can('writePatients'),
    body: newPatient,
    response: patient,
    changes: { read: 'listPatients' },
  },
  getPatient: {
    method: 'GET',
    path: '/api/v2/patients/:id',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: patientResponse,
  },
  changePatient: {
    method: 'PATCH',
    path: '/api/v2/patients/:id',
    status: 200,
    who: can('writePatients'),
    params: byId,
    body: patientPatch,
    response: patient,
    changes: { read: 'getPatient' },
  },
  swapBeds: {
    method: 'POST',
    path: '/api/v2/patients/swap-beds',
    status: 200,
    who: can('writePatients'),
    body: swapBedsBody,
    response: swapBedsResponse,
    changes: { read: 'getPatient' },
  },
} as const satisfies Calls;
