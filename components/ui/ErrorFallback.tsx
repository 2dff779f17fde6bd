import styles from './ErrorFallback.module.css';
import { Logo } from './Logo';

interface ErrorFallbackProps {
  /** The id of the report that was made of the error; null where none was. */
  reportId: string | null;
}

/**
 * What stands in the place of what could not be drawn, as high as the place is. The text is fixed by the product
 * specification. It is no landmark of its own: inside the shell it stands in the page's `main`. A native button,
 * because antd itself may be what failed.
 */
export function ErrorFallback({ reportId }: ErrorFallbackProps) {
  return (
    <div className={styles.fallback} role="alert">
      <Logo size={64} label="Wardlight" />
      <p>
        Something went wrong. We have notified the Wardlight technical team and they have already started investigating.
      </p>
      <button
        type="button"
        className="ant-btn wardlight ant-btn-primary ant-btn-color-primary ant-btn-variant-solid"
        onClick={() => {
          location.reload();
        }}
      >
        Reload the page
      </button>
      {reportId === null ? null : (
        <p className={styles.report}>
          Report <code>{reportId}</code>
        </p>
      )}
    </div>
  );
}
