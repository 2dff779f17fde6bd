import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { can } from '../session/policy';
import { closedDeviceAlarms } from './schema';

/** What devices have reported of a patient as alarms. Those that are open come with the patient. */
export const deviceAlarmCalls = {
  listClosedDeviceAlarms: {
    method: 'GET',
    path: '/api/v2/patients/:id/device-alarms',
    status: 200,
    who: can('readPatients'),
    params: byId,
    response: closedDeviceAlarms,
  },
} as const satisfies Calls;
