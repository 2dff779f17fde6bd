import { useEffect, useId, useRef, useState, type ComponentType } from 'react';
import dialogStyles from './dialog.module.css';
import { NativeButton } from './NativeButton';
import styles from './onDemand.module.css';

export interface OpenedProps {
  onClose: () => void;
}

/**
 * Returns a component that opens over the page and whose code is downloaded when it opens, in the browser only. If the
 * download fails, a dialog says so and offers another try; the next opening tries again as well. After it closes, the
 * focus is where it was before.
 */
export function onDemand<Props extends OpenedProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const [downloaded, setDownloaded] = useState<{ component: ComponentType<Props> } | 'failed' | null>(null);
    const [attempt, setAttempt] = useState(1);
    useEffect(() => {
      const opener = document.activeElement;
      return () => {
        // It took the focus with it, unless the focus was moved on purpose.
        if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected) {
          opener.focus();
        }
      };
    }, []);
    useEffect(() => {
      let isOver = false;
      load().then(
        (component) => {
          if (!isOver) {
            setDownloaded({ component });
          }
        },
        () => {
          if (!isOver) {
            setDownloaded('failed');
          }
        },
      );
      return () => {
        isOver = true;
      };
    }, [attempt]);

    if (downloaded === null) {
      return null;
    }
    if (downloaded === 'failed') {
      return (
        <DownloadFailed
          onClose={props.onClose}
          onAgain={() => {
            setDownloaded(null);
            setAttempt(attempt + 1);
          }}
        />
      );
    }
    const { component: Downloaded } = downloaded;
    return <Downloaded {...props} />;
  };
}

/** The browser's own dialog, because antd may be what could not be downloaded. */
function DownloadFailed({ onAgain, onClose }: OpenedProps & { onAgain: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${dialogStyles.dialog} ${styles.failed}`}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId}>This could not be loaded</h2>
      <p>Check the network and try again. If it fails again, reload the page.</p>
      <div className={styles.actions}>
        <NativeButton look="primary" onClick={onAgain}>
          Try again
        </NativeButton>
        <NativeButton onClick={onClose}>Close</NativeButton>
      </div>
    </dialog>
  );
}
