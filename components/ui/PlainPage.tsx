import type { ReactNode } from 'react';
import { Logo } from './Logo';
import styles from './PlainPage.module.css';
import { SafetyStatement } from './SafetyStatement';

interface PlainPageProps {
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

/** A page outside the shell: one card, and the safety statement, to be read before the first sign-in. */
export function PlainPage({ title, isWide = false, children }: PlainPageProps) {
  return (
    <div className={styles.page}>
      <main className={isWide ? `${styles.card} ${styles.wide}` : styles.card}>
        <div className={styles.brand}>
          <Logo size={32} />
          Wardlight
        </div>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className={styles.footer}>
        <SafetyStatement />
      </footer>
    </div>
  );
}
