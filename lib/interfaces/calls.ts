import type { Calls } from '../api/declaration';
import { byId } from '../api/idParam';
import { can } from '../session/policy';
import {
  checkedMessage,
  listedSender,
  messagesQuery,
  messagesResponse,
  newSender,
  openedMessage,
  proposedSettings,
  senderSettingsResponse,
  sendersResponse,
} from './schema';

const settingsChanged = {
  method: 'POST',
  status: 200,
  params: byId,
  response: senderSettingsResponse,
  changes: { read: 'listSenderSettings', by: 'whole' },
} as const;

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
    description:
      'Accepts a sender that no site has accepted into the site of the caller. Nothing of it is taken before its ' +
      'settings are confirmed.',
    body: newSender,
    response: listedSender,
    changes: { read: 'listSenders' },
  },
  listSenderSettings: {
    method: 'GET',
    path: '/api/v2/admin/senders/settings',
    status: 200,
    who: can('readMappings'),
    description: 'What holds for the senders of the site, what is proposed, and what their messages look like.',
    response: senderSettingsResponse,
  },
  proposeSenderSettings: {
    ...{ ...settingsChanged, path: '/api/v2/admin/senders/:id/settings', who: can('proposeMappings') },
    description: 'Proposes what holds for a sender. Nothing changes until it is confirmed.',
    body: proposedSettings,
  },
  confirmSenderSettings: {
    ...{ ...settingsChanged, path: '/api/v2/admin/senders/settings/:id/confirm', who: can('confirmMappings') },
    description: 'They hold from the next message of the sender on. Not the proposer.',
  },
  rejectSenderSettings: {
    ...{ ...settingsChanged, path: '/api/v2/admin/senders/settings/:id/reject', who: can('readMappings') },
    description: 'Rejects proposed settings, or withdraws one’s own.',
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
  checkMessage: {
    ...{ method: 'GET', path: '/api/v2/admin/messages/:id', status: 200, who: can('readMessages') },
    description:
      'What the lines of a message would be taken for now, and why others would not. It has no value, time or name ' +
      'of the message. That it was read is on record.',
    ...{ params: byId, response: checkedMessage },
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
