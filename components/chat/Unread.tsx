import styles from './Unread.module.css';

/** How many messages wait, beside the word that leads to them, or on its picture where there is no room for words. */
export function Unread({ count, isOnPicture = false }: { count: number; isOnPicture?: boolean }) {
  return count === 0 ? null : (
    <span className={isOnPicture ? styles.onPicture : styles.unread}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}
