import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  chatDirectory,
  chatDirectoryQuery,
  chatTokenResponse,
  chatTokenBody,
  openChannelBody,
  openedChannel,
} from './schema';

/** What the page needs from the server for the chat. */
export const chatCalls = {
  getChatToken: {
    method: 'POST',
    path: '/api/v2/chat/chat-token',
    status: 200,
    who: can('chat'),
    body: chatTokenBody,
    response: chatTokenResponse,
  },
  getChatDirectory: {
    method: 'GET',
    path: '/api/v2/chat/directory',
    status: 200,
    who: can('chat'),
    query: chatDirectoryQuery,
    response: chatDirectory,
  },
  openChannel: {
    method: 'POST',
    path: '/api/v2/chat/channels',
    status: 200,
    who: can('chat'),
    body: openChannelBody,
    response: openedChannel,
  },
} as const satisfies Calls;
