import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { unit, unitBody, unitsResponse } from './schema';

/** The units of a site. */
export const unitCalls = {
  listUnits: { method: 'GET', path: '/api/v2/units', status: 200, who: can('readUnits'), response: unitsResponse },
  createUnit: {
    method: 'POST',
    path: '/api/v2/units',
    status: 201,
    who: can('manageSite'),
    body: unitBody,
    response: unit,
    changes: { read: 'listUnits' },
  },
  renameUnit: {
    method: 'PATCH',
    path: '/api/v2/units/:id',
    status: 200,
    who: can('manageSite'),
    params: byId,
    body: unitBody,
    response: unit,
    changes: { read: 'listUnits', by: 'row' },
  },
  deleteUnit: {
    method: 'DELETE',
    path: '/api/v2/units/:id',
    status: 204,
    who: can('manageSite'),
    params: byId,
    response: z.null(),
    changes: { read: 'listUnits' },
  },
} as const satisfies Calls;
