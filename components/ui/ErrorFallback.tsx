import styles from './ErrorFallback.module.css';
import { Logo } from './Logo';

/**
 * What stands in the place of what could not be drawn, as high as the place is. The text is fixed by the product specification.
 * It is no landmark of its own: inside the shell it stands in the page's `main`.
 */
export function ErrorFallback() {
  return (
    <div className={styles.fallback} role="alert">
      <Logo size={64} label="Wardlight" />
      <p>Something went wrong. We have notified the Wardlight technical team and they have already started investigating.</p>
    </div>
  );
}
