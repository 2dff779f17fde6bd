import type { ReactNode } from 'react';
import { Logo } from './Logo';
import styles from './PlainPage.module.css';
import { SafetyLine, SafetyStatement } from './SafetyStatement';

interface PlainPageProps {
  title: string;
  isWide?: boolean;
  /** Shows the whole safety statement: where people come before their first sign-in. Elsewhere it is one line. */
  hasStatement?: boolean;
  children: ReactNode;
}

/** A page outside the shell: one card, and what the product is not. */
export function PlainPage({ title, isWide = false, hasStatement = false, children }: PlainPageProps) {
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
      <footer className={styles.footer}>{hasStatement ? <SafetyStatement /> : <SafetyLine />}</footer>
    </div>
  );
}
