import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { whenLoaded } from '../lib/browser/whenLoaded';
import { can } from '../lib/session/can';
import type { ChatCaller, ChatLine } from './chatLine';
import { ChatContext, HasChatContext, noChat } from './useChat';
import { useCurrentUser } from './useCurrentUser';

const noUser = { id: 0, fname: '', lname: '', email: '', siteId: 0, userImage: null };

interface ChatProviderProps {
  /** The public key of the chat service; null or undefined: no chat, and nothing of it is downloaded. */
  apiKey: string | null | undefined;
  children: ReactNode;
}

/** Keeps one connection to the chat service while a user is signed in. Use it inside the CurrentUserProvider. */
export function ChatProvider({ apiKey, children }: ChatProviderProps) {
  const { user } = useCurrentUser();
  const [connection, setConnection] = useState(noChat);
  const line = useRef<ChatLine | null>(null);
  const [attempt, setAttempt] = useState(0);

  // The user object is replaced often. Only another person, or a change of these fields, makes a new connection.
  const canChat = apiKey != null && can(user, 'chat');
  const { id, fname, lname, email, siteId, userImage } = user ?? noUser;
  const caller = useMemo<ChatCaller | null>(
    () => (canChat ? { apiKey, id, name: `${fname} ${lname}`, email, siteId, image: userImage } : null),
    [canChat, apiKey, id, fname, lname, email, siteId, userImage],
  );
  useEffect(() => {
    if (caller === null) {
      return undefined;
    }
    let isOver = false;
    const stopWaiting = afterFirstPaint(() => {
      import('./chatLine').then(
        ({ openChatLine }) => {
          if (!isOver) {
            line.current = openChatLine(caller, setConnection);
          }
        },
        () => {
          // No network, or another release on the server: `retry` downloads it again.
          if (!isOver) {
            setConnection({ ...noChat, status: 'failed' });
          }
        },
      );
    });
    return () => {
      isOver = true;
      stopWaiting();
      line.current?.close();
      line.current = null;
      setConnection(noChat);
    };
  }, [caller, attempt]);

  const value = useMemo(
    () => ({
      ...connection,
      retry: () => {
        if (line.current === null) {
          setAttempt((before) => before + 1);
        } else {
          line.current.retry();
        }
      },
    }),
    [connection],
  );
  return (
    <HasChatContext value={canChat}>
      <ChatContext value={value}>{children}</ChatContext>
    </HasChatContext>
  );
}

/** Runs something once the page has loaded and been painted. Returns a function that cancels it. */
function afterFirstPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopWaiting = whenLoaded(() => {
    timer = setTimeout(run, 0);
  });
  return () => {
    stopWaiting();
    clearTimeout(timer);
  };
}
