import { useNotStored } from '../../hooks/useNotStored';
import styles from '../ui/Banner.module.css';

/** On every page of administrators while the disk is nearly full. Once it is full another banner says more. */
export function DiskLowBanner() {
  return useNotStored() !== null ? null : (
    <p className={styles.notice}>
      <strong>The disk of the server is nearly full.</strong> An operator has to make room: on a full disk nothing is
      stored, and what people enter may be refused.
    </p>
  );
}
