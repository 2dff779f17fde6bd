import { Drawer } from 'antd';
import type { OpenedMessage } from '../../lib/interfaces/schema';
import styles from './admin.module.css';

interface MessageDrawerProps {
  message: OpenedMessage;
  onClose: () => void;
}

/** What is in a message, segment by segment, as it was sent. */
export function MessageDrawer({ message: { sha256, segments }, onClose }: MessageDrawerProps) {
  return (
    <Drawer title="Message" size={800} open onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>As it was sent. That you opened it is on record.</p>
        <ol className={styles.segments} aria-label="Segments">
          {segments.map((segment, index) => (
            // Segments have no id, and their order never changes.
            <li key={index}>{segment}</li>
          ))}
        </ol>
        <p className={`${styles.text} ${styles.quiet}`}>SHA-256 {sha256}</p>
      </div>
    </Drawer>
  );
}
