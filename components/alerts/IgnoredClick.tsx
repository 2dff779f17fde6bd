import styles from './IgnoredClick.module.css';
import type { Ignored } from './useMoveGuard';

interface IgnoredClickProps {
  ignored: Ignored | null;
  /** What has taken the place of what the click was meant for. */
  happened?: string;
}

/**
 * Says beside the pointer, and to screen readers, that a list has ignored a click because its rows had just moved. Lies
 * over the page, so it moves nothing, takes no click, and goes by itself (`useMoveGuard`). Put it outside of what has
 * `container-type`, which would place it wrongly.
 */
export function IgnoredClick({ ignored, happened = 'The list just moved.' }: IgnoredClickProps) {
  return (
    <p
      role="status"
      className={ignored === null ? 'visually-hidden' : styles.ignored}
      style={
        ignored === null
          ? undefined
          : { left: `min(${ignored.x}px, 100vw - 280px)`, top: `min(${ignored.y + 20}px, 100vh - 56px)` }
      }
    >
      {ignored === null ? null : `${happened} ${ignored.isKey ? 'Press' : 'Click'} again.`}
    </p>
  );
}
