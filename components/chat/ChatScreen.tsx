import dynamic from 'next/dynamic';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import styles from './chat.module.css';

/** Tells administrators how to set chat up. */
function ChatSetup() {
  return (
    <div className={styles.setup}>
      <p>
        Chat is not set up on this installation. Only administrators see this page in the menu, and no chat code is
        downloaded.
      </p>
      <h2>What it takes</h2>
      <ol>
        <li>
          An account with Stream (getstream.io), a service outside your hospital that carries the messages, with one app
          for this installation.
        </li>
        <li>
          Stream’s written agreement on patient data. Staff will write about patients, so do not start without it.
          Wardlight itself sends no patient’s name to Stream.
        </li>
        <li>
          The app’s key and secret in the server’s environment or its <code>.env</code> file, as{' '}
          <code>STREAM_API_KEY</code> and <code>STREAM_API_SECRET</code>, then a restart of Wardlight. The secret stays
          on the server.
        </li>
      </ol>
      <p>
        The file <code>docs/chat.md</code>, which comes with Wardlight, says what to set in Stream’s dashboard, what
        leaves the hospital, and how to try it.
      </p>
    </div>
  );
}

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
