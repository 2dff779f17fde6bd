import type { ReactNode } from 'react';

interface SubmitButtonProps {
  isWaiting: boolean;
  children: ReactNode;
}

/**
 * The browser's own button in antd's classes. While it waits it stays focusable, so that the keyboard keeps its place.
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
      <span>{isWaiting ? 'One moment …' : children}</span>
    </button>
  );
}
