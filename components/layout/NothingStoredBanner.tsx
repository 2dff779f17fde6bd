import { useNotStored } from '../../hooks/useNotStored';
import { formatTime } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from '../ui/Banner.module.css';

/**
 * Says across the whole page that the server answers and can store nothing: a full disk, or a database that is away.
 * Yellow: numbers and alerts go on. The live region is always there: screen readers do not read one that appears with
 * its text.
 */
export function NothingStoredBanner({ timeZone }: { timeZone: string }) {
  const since = useNotStored();
  return (
    <div role="status">
      {since === null ? null : (
        <div className={styles.nothingStored}>
          <Icon name="warning" />
          <strong>Nothing is stored since {formatTime(since, timeZone)}</strong>
          <span>
            Numbers and alerts go on. What you enter is refused: write it down elsewhere, and call the operator.
          </span>
        </div>
      )}
    </div>
  );
}
