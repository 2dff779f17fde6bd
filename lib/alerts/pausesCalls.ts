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

const standby = '/api/v2/patients/:id/standby';
const ofPatient = { params: byId, changes: { read: 'getPatient' } } as const;
const change = { ...ofPatient, method: 'POST', who: can('setStandby') } as const;
const order = { ...ofPatient, path: '/api/v2/patients/:id/comfort-care', who: can('orderComfortCare') } as const;

/** What holds a patient's alerts back. */
export const pausesCalls = {
  startStandby: { ...change, path: standby, status: 201, body: newStandby, response: standbyResponse },
  getStandbyLeft: {
    ...{ method: 'GET', path: `${standby}/left`, status: 200, who: can('setStandby') },
    ...{ params: byId, response: standbyLeft },
  },
  endStandby: { ...change, path: `${standby}/end`, status: 200, response: standbyEnd },
  confirmComfortCare: { ...order, method: 'PUT', status: 200, body: newComfortCare, response: comfortCareResponse },
  endComfortCare: { ...order, method: 'DELETE', status: 204, response: z.null() },
} as const satisfies Calls;
