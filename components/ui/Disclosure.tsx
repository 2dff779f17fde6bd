import { useState, type ReactNode } from 'react';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  summary: string;
  className?: string;
  /** Returns the content; called only while it is open. */
  children: () => ReactNode;
}

/** Something folded that is rendered, or read, only while it is open. */
export function Disclosure({ summary, className, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={className} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles.summary}>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  );
}
