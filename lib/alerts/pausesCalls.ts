import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  comfortCareResponse,
  newComfortCare,
  newStandby,
  standbyResponse,
  standbyEnd,
  standbyLeft,
} from './pausesSchema';

/** What holds a patient's alerts back. */
export const pausesCalls = {
  startStandby: {
    method: 'POST',
    path: '/api/v2/patients/:id/standby',
    status: 201,
    who: can('setStandby'),
    params: byId,
    body: newStandby,
    response: standbyResponse,
    changes: { read: 'getPatient' },
  },
  getStandbyLeft: {
    method: 'GET',
    path: '/api/v2/patients/:id/standby/left',
    status: 200,
    who: can('setStandby'),
    params: byId,
    response: standbyLeft,
  },
  endStandby: {
    method: 'POST',
    path: '/api/v2/patients/:id/standby/end',
    status: 200,
    who: can('setStandby'),
    params: byId,
    response: standbyEnd,
    changes: { read: 'getPatient' },
  },
  confirmComfortCare: {
    method: 'PUT',
    path: '/api/v2/patients/:id/comfort-care',
    status: 200,
    who: can('orderComfortCare'),
    params: byId,
    body: newComfortCare,
    response: comfortCareResponse,
    changes: { read: 'getPatient' },
  },
  endComfortCare: {
    method: 'DELETE',
    path: '/api/v2/patients/:id/comfort-care',
    status: 204,
    who: can('orderComfortCare'),
    params: byId,
    response: z.null(),
    changes: { read: 'getPatient' },
  },
} as const satisfies Calls;
