import { useOpening } from '../../hooks/useOpening';
import { NativeButton } from '../ui/NativeButton';
import styles from './OpeningBar.module.css';

/**
 * Shows below the header that a click was heard: a line after 150 ms of waiting for a page, and a sentence while the
 * server does not answer. It covers a little of the page and pushes nothing.
 */
export function OpeningBar() {
  const { isWaiting, isHeld, stay } = useOpening();
  return (
    <div className={styles.place}>
      {isWaiting ? <div className={styles.bar} data-opening /> : null}
      <div role="status">
        {isHeld ? (
          <div className={styles.held}>
            <span>Not reachable - opening as soon as the server answers</span>
            {stay === null ? null : <NativeButton onClick={stay}>Stay here</NativeButton>}
          </div>
        ) : null}
      </div>
    </div>
  );
}
