import { StreamChat, type Event, type OwnUserResponse } from 'stream-chat';
import { chatUserId } from '../lib/chat/chatUserId';
import { ApiFailure } from '../lib/browser/client';
import { logError } from '../lib/log';
import { poll } from './poll';
import { noChat, type ChatConnection } from './useChat';

declare module 'stream-chat' {
  interface CustomUserData {
    email?: string;
    siteId?: number;
  }
}

/** A failed connection is tried again after this time, in milliseconds. */
export const tryAgainAfterMs = 60_000;

/** The user of a connection, and the app of the service. */
export interface ChatCaller {
  apiKey: string;
  id: number;
  name: string;
  email: string;
  siteId: number;
  image: string | null;
}

export interface ChatLine {
  /** Tries again at once after a failure. */
  retry: () => void;
  close: () => void;
}

/**
 * Connects to the chat service until it is closed, and calls `onChange` with every change until then. There is one
 * client at a time.
 *
 * The package restores a broken connection. It does not try again after a failed first attempt, does not fetch another
 * token after a refused one, and leaves a socket open if the user signs out while it connects. That is done here.
 */
export function openChatLine(
  { apiKey, id: userId, name, email, siteId, image }: ChatCaller,
  onChange: (connection: ChatConnection) => void,
): ChatLine {
  const id = chatUserId(userId);
  /** The state of one attempt. Events of an attempt that is not `present` are ignored. */
  interface Attempt {
    client: StreamChat | null;
    isConnected: boolean;
    isReopening: boolean;
  }
  let present: Attempt | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const fetchToken = async (): Promise<string> => (await poll('getChatToken', { body: { id } })).data.token;

  function fail(attempt: Attempt, problem: unknown): void {
    if (present !== attempt) {
      return;
    }
    logError('Failed to connect user:', forLog(problem));
    end(attempt);
    onChange({ ...noChat, status: 'failed' });
    timer = setTimeout(begin, tryAgainAfterMs);
  }

  function end(attempt: Attempt): void {
    present = null;
    clearTimeout(timer);
    if (attempt.client !== null) {
      hangUp(attempt.client);
    }
  }

  /** Returns the first token, and fetches another whenever the service says that it has expired. */
  function tokensFor(attempt: Attempt, first: string): () => Promise<string> {
    let next: string | null = first;
    return async () => {
      try {
        const token = next ?? (await fetchToken());
        next = null;
        if (present === attempt) {
          return token;
        }
      } catch (problem) {
        fail(attempt, problem);
      }
      // The package does not handle a failure of its token provider, and opens a socket with any value it gets.
      return await new Promise<never>(() => {});
    };
  }

  async function connect(attempt: Attempt): Promise<void> {
    const first = await fetchToken();
    if (present !== attempt) {
      return;
    }
    // The fallback polls if a proxy blocks sockets. With it the package also notices a closed connection.
    const client = new StreamChat(apiKey, { enableInsights: false, enableWSFallback: true });
    attempt.client = client;
    client.on((event) => {
      if (present === attempt && attempt.isConnected) {
        noteEvent(client, event);
      }
    });
    await client.connectUser({ id, name, email, siteId, image: image ?? undefined }, tokensFor(attempt, first));
    if (present === attempt) {
      attempt.isConnected = true;
      onChange({ status: 'connected', client, unread: unreadOf(client) });
    }
  }

  function noteEvent(client: StreamChat, { total_unread_count: unread }: Event): void {
    if (unread !== undefined) {
      onChange({ status: 'connected', client, unread });
    }
  }

  function begin(): void {
    clearTimeout(timer);
    const attempt: Attempt = { client: null, isConnected: false, isReopening: false };
    present = attempt;
    onChange({ ...noChat, status: 'connecting' });
    connect(attempt).catch((problem: unknown) => {
      fail(attempt, problem);
    });
  }

  /** Opens a new socket for a connected client. The screens keep what they show and what was typed. */
  async function reopen(attempt: Attempt, client: StreamChat): Promise<void> {
    attempt.isReopening = true;
    const socket = client.wsConnection?.ws;
    const closed = client.closeConnection();
    socket?.close();
    await closed;
    if (present !== attempt) {
      return;
    }
    await client.openConnection();
    if (present === attempt) {
      await client.recoverState();
    }
    if (present === attempt) {
      attempt.isReopening = false;
      onChange({ status: 'connected', client, unread: unreadOf(client) });
    }
  }

  const cameOnline = (): void => {
    if (present === null) {
      begin();
      return;
    }
    const attempt = present;
    const { client } = attempt;
    if (client === null || !attempt.isConnected || attempt.isReopening || !isUnhealthy(client)) {
      return;
    }
    if (client.wsFallback === undefined) {
      reopen(attempt, client).catch((problem: unknown) => {
        fail(attempt, problem);
      });
    } else {
      // If the socket were opened again beside the fallback, there would be two connections.
      end(attempt);
      begin();
    }
  };

  window.addEventListener('online', cameOnline);
  begin();
  return {
    retry: () => {
      if (present === null) {
        begin();
      }
    },
    close: () => {
      window.removeEventListener('online', cameOnline);
      clearTimeout(timer);
      if (present !== null) {
        end(present);
      }
    },
  };
}

/** Whether a client has no connection and is not connecting. */
function isUnhealthy({ wsConnection, wsFallback }: StreamChat): boolean {
  return wsConnection?.isHealthy !== true && wsConnection?.isConnecting !== true && wsFallback?.isHealthy() !== true;
}

/** Ends a client for good. The package closes only open sockets, so a socket that is still opening is closed here. */
function hangUp(client: StreamChat): void {
  const close = (): void => client.wsConnection?.ws?.close();
  const socket = client.wsConnection?.ws;
  client.disconnectUser().catch(() => {
    // The client is not used any more, whether or not the service confirms it.
  });
  socket?.close();
  // A connection that has just got its token opens its socket a moment later.
  setTimeout(close, 0);
}

function unreadOf({ user }: StreamChat): number {
  const own: Partial<OwnUserResponse> | undefined = user;
  return own?.total_unread_count ?? 0;
}

/** Returns what may be logged of a failure: code and status. The package puts both into the message, as JSON. */
function forLog(problem: unknown): { code?: string; status?: number } {
  if (problem instanceof ApiFailure) {
    return problem.forLog();
  }
  const said = problem instanceof Error ? parts(problem.message) : {};
  const code = said.code ?? (problem instanceof Error && 'code' in problem ? problem.code : undefined);
  const status = said.StatusCode ?? (problem instanceof Error && 'status' in problem ? problem.status : undefined);
  return {
    code:
      typeof code === 'number' || (typeof code === 'string' && /^[\w-]{1,40}$/.test(code)) ? String(code) : 'unknown',
    ...(typeof status === 'number' ? { status } : {}),
  };
}

function parts(message: string): { code?: unknown; StatusCode?: unknown } {
  try {
    const said: unknown = JSON.parse(message);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}
