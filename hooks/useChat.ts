import { createContext, useContext } from 'react';
import type { StreamChat } from 'stream-chat';

/**
 * How it stands with the chat:
 * - `off`: there is none here, or nobody who could chat.
 * - `connecting`: the first connection is being made.
 * - `connected`: there is a client. It mends its own connection, so it may be without one for a while.
 * - `failed`: it could not be had. It is tried again by itself, and at once by `retry`.
 */
export type ChatStatus = 'off' | 'connecting' | 'connected' | 'failed';

export interface ChatConnection {
  status: ChatStatus;
  /** Null unless `status` is `connected`. */
  client: StreamChat | null;
  /** Messages that the user has not read. */
  unread: number;
}

export interface ChatState extends ChatConnection {
  /** Tries again at once where it failed. */
  retry: () => void;
}

export const noChat: ChatConnection = { status: 'off', client: null, unread: 0 };

export const ChatContext = createContext<ChatState | null>(null);

/** The signed-in user's connection to the chat service. */
export function useChat(): ChatState {
  const chat = useContext(ChatContext);
  if (chat === null) {
    throw new Error('useChat must be used within a ChatProvider');
  }
  return chat;
}
