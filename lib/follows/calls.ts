import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import { followedResponse, followSeen } from './schema';

/** Only who reads a patient's notes follows the patient: notes and handoffs are what is new. */
const own = {
  who: can('readNotes'),
  status: 204,
  params: byId,
  response: z.null(),
  changes: { read: 'listFollowed' },
} as const;

/** The patients whose news a user wants on the start page. Each user reads and changes their own. */
export const followCalls = {
  listFollowed: {
    method: 'GET',
    path: '/api/v2/patients/followed',
    status: 200,
    who: can('readNotes'),
    response: followedResponse,
  },
  followPatient: { ...own, method: 'PUT', path: '/api/v2/patients/:id/follow' },
  unfollowPatient: { ...own, method: 'DELETE', path: '/api/v2/patients/:id/follow' },
  markFollowedSeen: { ...own, method: 'POST', path: '/api/v2/patients/:id/follow/seen', body: followSeen },
} as const satisfies Calls;
