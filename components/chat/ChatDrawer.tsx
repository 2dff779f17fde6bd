import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import styles from './chat.module.css';
import { ChatPanel } from './ChatPanel';

interface ChatDrawerProps {
  user: User;
  onClose: () => void;
}

/** The chat beside a page. It has a column of its own, so that it covers neither a patient nor an alarm. */
export function ChatDrawer({ user, onClose }: ChatDrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <aside
      className={styles.drawer}
      aria-label="Chat"
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) {
          onClose();
        }
      }}
    >
      <div className={styles.drawerHead}>
        <h2 ref={heading} tabIndex={-1}>
          Chat
        </h2>
        <Link href={paths.chat} prefetch={false}>
          Open as a page
        </Link>
        <button type="button" className={styles.plain} onClick={onClose}>
          Close
        </button>
      </div>
      <ChatPanel user={user} layout="narrow" />
    </aside>
  );
}
