import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { newSpo2Target, spo2Target } from './spo2TargetSchema';

/** A patient's SpO2 scale and target range. */
export const spo2TargetCalls = {
  getSpo2Target: {
    method: 'GET',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: spo2Target,
  },
  setSpo2Target: {
    method: 'PUT',
    path: '/api/v2/patients/:id/spo2-target',
    status: 200,
    who: can('setSpo2Scale'),
    params: byId,
    body: newSpo2Target,
    response: spo2Target,
    changes: { read: 'getSpo2Target' },
  },
} as const satisfies Calls;
