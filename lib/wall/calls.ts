import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { wallQuery, wallResponse } from './schema';

/** The wall of a unit. */
export const wallCalls = {
  readWall: {
    method: 'GET',
    path: '/api/v2/wall',
    status: 200,
    who: can('readWall'),
    description:
      'Beds, initials, values and alerts of a unit, or of the whole reach of the user: no name, MRN or date of ' +
      'birth. More beds than a wall shows: no tiles, and the units to choose from.',
    query: wallQuery,
    response: wallResponse,
  },
} as const satisfies Calls;
