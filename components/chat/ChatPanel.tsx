import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useChat } from '../../hooks/useChat';
import type { User } from '../../lib/session/schema';
import { antdOnDemand } from '../ui/antdOnDemand';
import styles from './chat.module.css';
import { ChatBoundary } from './ChatBoundary';
import { ChatMessage } from './ChatMessage';
import type { NoteWish } from './MessageNoteDrawer';

const ChatRoom = dynamic(() => import('./ChatRoom').then((module) => module.ChatRoom), {
  ssr: false,
  loading: ({ error, retry }) => (error == null ? <Connecting /> : <ChatNotDownloaded onAgain={() => retry?.()} />),
});

const MessageNoteDrawer = antdOnDemand(() => import('./MessageNoteDrawer').then((module) => module.MessageNoteDrawer));

interface ChatPanelProps {
  user: User;
  /** `wide`: channels beside the messages; `narrow`: one of them at a time. */
  layout: 'wide' | 'narrow';
  /** The patient whose care team is opened first. */
  patientId?: number | null;
}

/** The chat, or why there is none at the moment. A note that is being made from a message outlives its connection. */
export function ChatPanel(props: ChatPanelProps) {
  const { user } = props;
  const [wish, setWish] = useState<NoteWish | null>(null);
  return (
    <>
      <ChatOrWhyNot {...props} onMakeNote={setWish} />
      {wish === null ? null : <MessageNoteDrawer {...wish} user={user} onClose={() => setWish(null)} />}
    </>
  );
}

interface ChatOrWhyNotProps extends ChatPanelProps {
  onMakeNote: (wish: NoteWish) => void;
}

function ChatOrWhyNot({ user, layout, patientId = null, onMakeNote }: ChatOrWhyNotProps) {
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
        <ChatRoom user={user} client={client} layout={layout} patientId={patientId} onMakeNote={onMakeNote} />
      )}
      <p className={styles.note}>
        Chat is not part of the patient record and alerts no one. In an emergency, call the emergency number.
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
