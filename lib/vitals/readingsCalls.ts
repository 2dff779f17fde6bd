import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { patient } from '../patients/schema';
import { newReadings, readingsWithdrawal, typedSets } from './readingsSchema';

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
  listTypedSets: {
    method: 'GET',
    path: '/api/v2/patients/:id/readings',
    status: 200,
    who: can('recordObservations'),
    params: byId,
    response: typedSets,
  },
  withdrawReadings: {
    method: 'POST',
    path: '/api/v2/patients/:id/readings/withdraw',
    status: 204,
    who: can('recordObservations'),
    params: byId,
    body: readingsWithdrawal,
    response: z.null(),
    changes: { read: 'listTypedSets' },
    description:
      'Says that a set was typed in for the wrong patient: its author, the charge nurse of the unit or a ward lead. ' +
      'Its values count no more, and the alerts that they raised end as withdrawn.',
  },
} as const satisfies Calls;
