import type { ReactNode } from 'react';
import styles from './NotShowingPatients.module.css';

interface NotShowingPatientsProps {
  /** The site's time, "14:05", since when; null: it is not known. */
  since?: string | null;
  /** What to do about it. */
  children: ReactNode;
}

/**
 * Says that a screen on a wall shows no patient, in the size of the wall's own numbers: everyone in the corridor must
 * see that the ward is not on it (screens.md section 9).
 */
export function NotShowingPatients({ since = null, children }: NotShowingPatientsProps) {
  return (
    <div role="alert" className={styles.band}>
      <strong>NOT SHOWING PATIENTS{since === null ? '' : ` since ${since}`}</strong>
      <span>{children}</span>
    </div>
  );
}
