import type { ReactNode } from 'react';
import styles from './FormFailure.module.css';

/**
 * Why a form could not be sent, where no single field is to blame. The region is always there, so that it is read out.
 */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={children === null ? undefined : styles.failure}>
      {children}
    </div>
  );
}
