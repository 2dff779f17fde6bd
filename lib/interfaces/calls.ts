import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { can } from '../session/policy';
import {
  listedSender,
  messagesQuery,
  messagesResponse,
  newSender,
  openedMessage,
  senderSettings,
  sendersResponse,
} from './schema';

/** The HL7 gateways of a site. */
export const interfaceCalls = {
  listSenders: {
    method: 'GET',
    path: '/api/v2/admin/senders',
    status: 200,
    who: can('manageDevices'),
    description:
      'The HL7 senders of the site, and those that no site has accepted. It says nothing of what is in messages.',
    response: sendersResponse,
  },
  acceptSender: {
    method: 'POST',
    path: '/api/v2/admin/senders',
    status: 201,
    who: can('manageDevices'),
    description: 'Accepts a sender that no site has accepted into the site of the caller.',
    body: newSender,
    response: listedSender,
    changes: { read: 'listSenders' },
  },
  changeSender: {
    method: 'PATCH',
    path: '/api/v2/admin/senders/:id',
    status: 200,
    who: can('manageDevices'),
    description: 'Says what a heart rate of 0 means, and how it is answered, from its next message on.',
    params: byId,
    body: senderSettings,
    response: listedSender,
    changes: { read: 'listSenders', by: 'row' },
  },
  revokeSender: {
    method: 'POST',
    path: '/api/v2/admin/senders/:id/revoke',
    status: 200,
    who: can('manageDevices'),
    description: 'Its messages are refused from now on, and the values of its sources are no longer expected.',
    params: byId,
    response: listedSender,
    changes: { read: 'listSenders', by: 'row' },
  },
  listMessages: {
    method: 'GET',
    path: '/api/v2/admin/messages',
    status: 200,
    who: can('readMessages'),
    description:
      'The last messages of the senders of the site, and what became of them. It says nothing of what is in them.',
    query: messagesQuery,
    response: messagesResponse,
  },
  openMessage: {
    method: 'POST',
    path: '/api/v2/admin/messages/:id/open',
    status: 200,
    who: can('openMessages'),
    description: 'What is in a message. That it was opened is on record.',
    params: byId,
    response: openedMessage,
  },
} as const satisfies Calls;
