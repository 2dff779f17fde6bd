import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { patient } from '../patients/schema';
import { newReadings } from './readingsSchema';

/** Readings that users enter. */
export const readingsCalls = {
  addReadings: {
    method: 'POST',
    path: '/api/v2/patients/:id/readings',
    status: 201,
    who: can('recordObservations'),
    params: byId,
    body: newReadings,
    response: patient,
  },
} as const satisfies Calls;
