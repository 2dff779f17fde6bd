import dynamic from 'next/dynamic';
import { useState, Component, type ReactNode } from 'react';
import { useChat } from '../../hooks/useChat';
import { logError } from '../../lib/log';
import type { User } from '../../lib/session/schema';
import { antdOnDemand } from '../ui/antdOnDemand';
import type { NoteWish } from './MessageNoteDrawer';
import styles from './chat.module.css';

interface ChatMessageProps {
  title: string;
  children: ReactNode;
  onAgain: () => void;
}

/** Says that there is no chat at the moment. Not an alarm, because the monitoring does not depend on it. */
function ChatMessage({ title, children, onAgain }: ChatMessageProps) {
  return (
    <div role="status" className={styles.message}>
      <strong>{title}</strong>
      <span>{children}</span>
      <button type="button" className={styles.plain} onClick={onAgain}>
        Try again
      </button>
    </div>
  );
}

/** Catches errors while the chat is drawn, so that only the chat is missing. */
class ChatBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    // The error may contain messages, so only the fact is logged.
    logError('The chat could not be drawn');
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <ChatMessage title="Chat cannot be shown" onAgain={() => this.setState({ failed: false })}>
        Everything else keeps working.
      </ChatMessage>
    ) : (
      this.props.children
    );
  }
}

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
