import type { ReactNode } from 'react';
import styles from './FormFailure.module.css';

/** Says why a form was refused, unless a field does. The region is always there, so that its text is read out. */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={children === null ? undefined : styles.failure}>
      {children}
    </div>
  );
}
