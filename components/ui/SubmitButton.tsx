import type { ReactNode } from 'react';
import styles from './SubmitButton.module.css';

interface SubmitButtonProps {
  isWaiting: boolean;
  children: ReactNode;
}

/**
 * The browser's own button in antd's classes. While it waits it stays focusable, so that the keyboard keeps its place,
 * and as wide as before, so that nothing beside it moves.
 */
export function SubmitButton({ isWaiting, children }: SubmitButtonProps) {
  return (
    <button
      type="submit"
      aria-disabled={isWaiting}
      className="ant-btn wardlight ant-btn-primary ant-btn-color-primary ant-btn-variant-solid"
      onClick={(event) => {
        if (isWaiting) {
          event.preventDefault();
        }
      }}
    >
      <span className={styles.words}>
        <span aria-hidden={isWaiting}>{children}</span>
        <span aria-hidden={!isWaiting}>One moment …</span>
      </span>
    </button>
  );
}
