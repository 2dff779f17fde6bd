import { z } from 'zod';
import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { signedIn } from '../session/policy';
import { user } from '../session/schema';
import {
  maxPictureBytes,
  ownSessionsResponse,
  passwordChange,
  pictureTypes,
  profilePatch,
  sid,
  type PictureType,
} from './schema';

/** The bytes of a picture in the browser. */
const picture = z.custom<Blob & { type: PictureType }>(
  (body) => body instanceof Blob && body.size <= maxPictureBytes && pictureTypes.some((type) => type === body.type),
);

/** A user's own account. */
export const profileCalls = {
  changeProfile: {
    method: 'PATCH',
    path: '/api/v2/profile',
    status: 200,
    who: signedIn,
    body: profilePatch,
    response: user,
  },
  changePassword: {
    method: 'PUT',
    path: '/api/v2/profile/password',
    status: 204,
    who: signedIn,
    body: passwordChange,
    response: z.null(),
  },
  changePicture: {
    method: 'PUT',
    path: '/api/v2/profile/picture',
    status: 200,
    who: signedIn,
    body: picture,
    bytes: pictureTypes,
    response: user,
  },
  getPicture: {
    description: 'The picture of a colleague, a PNG of 256 x 256.',
    method: 'GET',
    path: '/api/v2/users/:id/picture',
    status: 200,
    who: signedIn,
    params: byId,
    query: z.strictObject({ v: z.string().max(20).optional() }),
    response: z.file(),
  },
  removePicture: { method: 'DELETE', path: '/api/v2/profile/picture', status: 200, who: signedIn, response: user },
  /** The user has read who made the link by which their password was set. */
  seePasswordLink: {
    method: 'POST',
    path: '/api/v2/profile/password-link/seen',
    status: 204,
    who: signedIn,
    response: z.null(),
  },
  listOwnSessions: {
    method: 'GET',
    path: '/api/v2/profile/sessions',
    status: 200,
    who: signedIn,
    response: ownSessionsResponse,
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/v2/profile/sessions',
    status: 204,
    who: signedIn,
    response: z.null(),
    changes: { read: 'listOwnSessions' },
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/api/v2/profile/sessions/:sid',
    status: 204,
    who: signedIn,
    params: z.strictObject({ sid }),
    response: z.null(),
    changes: { read: 'listOwnSessions' },
  },
} as const satisfies Calls;
