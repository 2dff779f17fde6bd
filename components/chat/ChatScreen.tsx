import dynamic from 'next/dynamic';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import styles from './chat.module.css';
import { ChatSetup } from './ChatSetup';

const ChatPanel = dynamic(() => import('./ChatPanel').then((module) => module.ChatPanel), { ssr: false });

interface ChatScreenProps {
  user: User;
  /** Whether the installation has a key of the chat service. */
  hasChat: boolean;
  /** The patient whose care team is opened. */
  patientId: number | null;
}

/** The chat as a page. Without a key its code is not downloaded, and administrators see how to set it up. */
export function ChatScreen({ user, hasChat, patientId }: ChatScreenProps) {
  const canChat = hasChat && can(user, 'chat');
  return (
    <div className={styles.screen}>
      <h1>Chat</h1>
      {canChat ? (
        <ChatPanel user={user} layout="wide" patientId={patientId} />
      ) : hasChat ? (
        <p>A wall display has no chat.</p>
      ) : can(user, 'manageSite') ? (
        <ChatSetup />
      ) : (
        <p>Chat is not set up on this installation. An administrator finds the steps here.</p>
      )}
    </div>
  );
}
