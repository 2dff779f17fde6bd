import styles from './Unread.module.css';

/** The number of unread messages, beside a link's text or, in a folded sidebar, on its icon. */
export function Unread({ count, isOnPicture = false }: { count: number; isOnPicture?: boolean }) {
  return count === 0 ? null : (
    <span className={isOnPicture ? styles.onPicture : styles.unread}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}
