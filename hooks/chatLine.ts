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

/** After a failure it is tried again this much later, in milliseconds. */
export const tryAgainAfterMs = 60_000;

/** Whose line it is, and to which app of the service. */
export interface ChatCaller {
  apiKey: string;
  id: number;
  name: string;
  email: string;
  siteId: number;
  image: string | null;
}

export interface ChatLine {
  /** Tries again at once where it failed. */
  retry: () => void;
  close: () => void;
}

/**
 * Opens the line to the chat service and keeps it until it is closed; `tell` hears of every change until then. There is
 * one client at a time: the one before is done with before the next is made.
 *
 * The package mends a connection that breaks by itself. What it does not do is left to us: to begin again after the
 * first attempt failed, to ask for a token that was refused, and to leave no socket behind when somebody signs out in
 * between.
 */
export function openChatLine(
  { apiKey, id: userId, name, email, siteId, image }: ChatCaller,
  tell: (connection: ChatConnection) => void,
): ChatLine {
  const id = chatUserId(userId);
  /** What one attempt made. Whoever is not the present one any more has no say. */
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
    tell({ ...noChat, status: 'failed' });
    timer = setTimeout(begin, tryAgainAfterMs);
  }

  function end(attempt: Attempt): void {
    present = null;
    clearTimeout(timer);
    if (attempt.client !== null) {
      hangUp(attempt.client);
    }
  }

  /** Gives the first token, and asks for another whenever the service says that one has expired. */
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
      // The package leaves a provider's failure unhandled, and opens a socket for whatever it is given.
      return await new Promise<never>(() => {});
    };
  }

  async function connect(attempt: Attempt): Promise<void> {
    const first = await fetchToken();
    if (present !== attempt) {
      return;
    }
    // The fallback asks again and again where a proxy lets no socket through. With it the package also takes a closed
    // line for closed.
    const client = new StreamChat(apiKey, { enableInsights: false, enableWSFallback: true });
    attempt.client = client;
    client.on((event) => {
      if (present === attempt && attempt.isConnected) {
        hear(client, event);
      }
    });
    await client.connectUser({ id, name, email, siteId, image: image ?? undefined }, tokensFor(attempt, first));
    if (present === attempt) {
      attempt.isConnected = true;
      tell({ status: 'connected', client, unread: unreadOf(client) });
    }
  }

  function hear(client: StreamChat, { total_unread_count: unread }: Event): void {
    if (unread !== undefined) {
      tell({ status: 'connected', client, unread });
    }
  }

  function begin(): void {
    clearTimeout(timer);
    const attempt: Attempt = { client: null, isConnected: false, isReopening: false };
    present = attempt;
    tell({ ...noChat, status: 'connecting' });
    connect(attempt).catch((problem: unknown) => {
      fail(attempt, problem);
    });
  }

  /** The socket of a client that is connected, made anew. The screens keep what they show and what was typed. */
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
      tell({ status: 'connected', client, unread: unreadOf(client) });
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
      // Reopened beside its fallback, the package would have two connections.
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

/** Without a connection, and not about to have one. */
function isUnhealthy({ wsConnection, wsFallback }: StreamChat): boolean {
  return wsConnection?.isHealthy !== true && wsConnection?.isConnecting !== true && wsFallback?.isHealthy() !== true;
}

/** Ends a client for good. The package closes an open socket only, so one that is still being opened is closed here. */
function hangUp(client: StreamChat): void {
  const close = (): void => client.wsConnection?.ws?.close();
  const socket = client.wsConnection?.ws;
  client.disconnectUser().catch(() => {
    // It is gone for us whatever the service says.
  });
  socket?.close();
  // A connection whose token had just come opens its socket a moment later.
  setTimeout(close, 0);
}

function unreadOf({ user }: StreamChat): number {
  const own: Partial<OwnUserResponse> | undefined = user;
  return own?.total_unread_count ?? 0;
}

/** What of a failure may be logged: its code and status. The package puts both into the JSON of a message. */
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
