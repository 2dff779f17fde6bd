import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { anyone, can } from '../session/policy';
import { checkInLink, checkInLinksResponse, createdCheckInLink, newCheckInLink } from './linkSchema';
import { callRequested, newCallRequest, newCheckIn, openCheckInBody, openedCheckIn, sentCheckIn } from './schema';

/** Check-in from home: links that staff make, and what the patient's page sends with one. */
export const checkInCalls = {
  listCheckInLinks: {
    method: 'GET',
    path: '/api/v2/patients/:id/check-in-links',
    status: 200,
    who: can('sendCheckInLinks'),
    params: byId,
    response: checkInLinksResponse,
  },
  createCheckInLink: {
    method: 'POST',
    path: '/api/v2/patients/:id/check-in-links',
    status: 201,
    who: can('sendCheckInLinks'),
    description: 'The only response with the secret. A link needs the site’s emergency number and its alert rules.',
    params: byId,
    body: newCheckInLink,
    response: createdCheckInLink,
    changes: { read: 'listCheckInLinks' },
  },
  revokeCheckInLink: {
    method: 'POST',
    path: '/api/v2/check-in-links/:id/revoke',
    status: 200,
    who: can('sendCheckInLinks'),
    params: byId,
    response: checkInLink,
    changes: { read: 'listCheckInLinks' },
  },
  openCheckIn: {
    method: 'POST',
    path: '/api/v2/check-in/open',
    status: 200,
    who: anyone,
    description: 'A secret that opens nothing, for whatever reason, gets 404 `link_unusable`.',
    body: openCheckInBody,
    response: openedCheckIn,
  },
  sendCheckIn: {
    method: 'POST',
    path: '/api/v2/check-in/reports',
    status: 201,
    who: anyone,
    description:
      'One with a red flag is passed on whatever the year of birth, by a locked link as well. A wrong year counts. ' +
      'More than 20 an hour by one link get 429, red ones excepted.',
    body: newCheckIn,
    response: sentCheckIn,
  },
  requestCall: {
    method: 'POST',
    path: '/api/v2/check-in/call-requests',
    status: 201,
    who: anyone,
    description:
      'Raises a HIGH alert that a person alone ends, whatever the year of birth, by a locked link as well. It is ' +
      'never refused for its number: further requests join the open alert.',
    body: newCallRequest,
    response: callRequested,
  },
} as const satisfies Calls;
