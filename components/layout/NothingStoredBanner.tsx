import { useState } from 'react';
import { useNotStored } from '../../hooks/useNotStored';
import { useServerLost } from '../../hooks/useServerLost';
import { formatTime } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import { NativeButton } from '../ui/NativeButton';
import styles from '../ui/Banner.module.css';

/**
 * Says across the whole page that the server answers and can store nothing: a full disk, or a database that is away.
 * Yellow: numbers and alerts go on, which it does not say while the server is lost. A small entry may be stored though
 * the check of the server is not, so that it does not say that all is refused. Once all is stored again it says so
 * until a user closes it. The live region is always there: screen readers do not read one that appears with its text.
 */
export function NothingStoredBanner({ timeZone }: { timeZone: string }) {
  const since = useNotStored();
  const isLost = useServerLost() !== null;
  const [last, setLast] = useState(since);
  if (since !== null && since !== last) {
    setLast(since);
  }
  return (
    <div role="status">
      {since !== null ? (
        <div className={styles.nothingStored}>
          <Icon name="warning" />
          <strong>Nothing is stored since {formatTime(since, timeZone)}</strong>
          <span>
            {isLost ? null : 'Numbers and alerts go on. '}What you enter may be refused: write that down elsewhere, and
            call the operator.
          </span>
        </div>
      ) : last !== null ? (
        <div className={`${styles.notice} ${styles.acting}`}>
          <strong>Entries are stored again</strong>
          <span>Enter what was refused since {formatTime(last, timeZone)}.</span>
          <NativeButton onClick={() => setLast(null)}>Close</NativeButton>
        </div>
      ) : null}
    </div>
  );
}
