import type { ReactNode } from 'react';
import styles from './chat.module.css';

interface ChatMessageProps {
  title: string;
  children: ReactNode;
  onAgain: () => void;
}

/** Says that there is no chat at the moment. Not an alarm, because the monitoring does not depend on it. */
export function ChatMessage({ title, children, onAgain }: ChatMessageProps) {
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
