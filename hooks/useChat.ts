import { createContext, useContext } from 'react';
import type { StreamChat } from 'stream-chat';

/**
 * The status of the chat:
 * - `off`: the installation has no chat, or no user who may chat is signed in.
 * - `connecting`: the first connection is being made.
 * - `connected`: there is a client. It restores a broken connection itself, so it may be without one for a while.
 * - `failed`: no connection. It is tried again after a minute, and at once by `retry`.
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
  /** Tries again at once after a failure. */
  retry: () => void;
}

export const noChat: ChatConnection = { status: 'off', client: null, unread: 0 };

export const ChatContext = createContext<ChatState | null>(null);

/** Returns the signed-in user's connection to the chat service. */
export function useChat(): ChatState {
  const chat = useContext(ChatContext);
  if (chat === null) {
    throw new Error('useChat must be used within a ChatProvider');
  }
  return chat;
}

/** Whether the installation has a chat and the signed-in user may use it. It says nothing about the connection. */
export const HasChatContext = createContext(false);

/** Returns whether the signed-in user has a chat. Unlike `useChat` it does not change with each message. */
export function useHasChat(): boolean {
  return useContext(HasChatContext);
}
