import { useEffect, useState } from 'react';
import type { StreamChat } from 'stream-chat';
import { readMessage, type NotedMessage } from '../../lib/chat/messageNote';

interface PresentMessage {
  /** The message as its user has seen it. */
  taken: NotedMessage;
  /** As it is now: `taken` itself, another text, or null if it was deleted. */
  present: NotedMessage | null;
  takePresent: () => void;
}

/** Follows a message that is open in a form: its author may edit or delete it meanwhile. */
export function usePresentMessage(client: StreamChat, opened: NotedMessage): PresentMessage {
  const [taken, setTaken] = useState(opened);
  const [present, setPresent] = useState<NotedMessage | null>(opened);
  const { id } = opened;
  useEffect(() => {
    const { unsubscribe } = client.on(({ type, message }) => {
      if (message?.id !== id) {
        return;
      }
      if (type === 'message.deleted') {
        setPresent(null);
      } else if (type === 'message.updated') {
        const changed = readMessage(message);
        // A pin or a reaction changes no text.
        setPresent((before) =>
          before === null || changed === null || saysTheSame(before, changed) ? before : changed,
        );
      }
    });
    return unsubscribe;
  }, [client, id]);
  return {
    taken,
    present: present !== null && saysTheSame(present, taken) ? taken : present,
    takePresent: () => {
      if (present !== null) {
        setTaken(present);
      }
    },
  };
}

function saysTheSame(one: NotedMessage, other: NotedMessage): boolean {
  return one.text === other.text && one.attachments === other.attachments;
}
