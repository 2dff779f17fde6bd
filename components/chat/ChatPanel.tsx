import dynamic from 'next/dynamic';
import { useChat } from '../../hooks/useChat';
import type { User } from '../../lib/session/schema';
import styles from './chat.module.css';
import { ChatBoundary } from './ChatBoundary';
import { ChatMessage } from './ChatMessage';

const ChatRoom = dynamic(() => import('./ChatRoom').then((module) => module.ChatRoom), {
  ssr: false,
  loading: ({ error, retry }) => (error == null ? <Connecting /> : <ChatNotDownloaded onAgain={() => retry?.()} />),
});

interface ChatPanelProps {
  user: User;
  /** `wide`: channels beside the messages; `narrow`: one of them at a time. */
  layout: 'wide' | 'narrow';
  /** The patient whose care team is opened first. */
  patientId?: number | null;
}

/** The chat, or why there is none at the moment. */
export function ChatPanel({ user, layout, patientId = null }: ChatPanelProps) {
  const { status, client, retry } = useChat();
  if (status === 'failed') {
    return (
      <ChatMessage title="Chat cannot be reached" onAgain={retry}>
        Everything else keeps working. Trying again every minute.
      </ChatMessage>
    );
  }
  return (
    <ChatBoundary>
      {client === null ? (
        <Connecting />
      ) : (
        <ChatRoom user={user} client={client} layout={layout} patientId={patientId} />
      )}
      <p className={styles.note}>
        Chat is not part of the patient record and alerts no one. In an emergency use the emergency call.
      </p>
    </ChatBoundary>
  );
}

function ChatNotDownloaded({ onAgain }: { onAgain: () => void }) {
  return (
    <ChatMessage title="Chat could not be loaded" onAgain={onAgain}>
      Everything else keeps working. If it fails again, reload the page.
    </ChatMessage>
  );
}

function Connecting() {
  return (
    <div role="status" className={styles.message}>
      Connecting …
    </div>
  );
}
