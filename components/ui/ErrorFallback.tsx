import { askForReport, useCanReport } from '../../hooks/issueReporting';
import styles from './ErrorFallback.module.css';
import { Logo } from './Logo';
import { NativeButton } from './NativeButton';

interface ErrorFallbackProps {
  /** The id of the error's report; null if there is no report. */
  reportId: string | null;
}

/**
 * Shown instead of a page that could not be rendered, as high as its place. The product specification fixes the text.
 * It is no landmark: inside the shell it is in the page's `main`. The button is native, because antd may have failed.
 */
export function ErrorFallback({ reportId }: ErrorFallbackProps) {
  const canReport = useCanReport();
  return (
    <div className={styles.fallback} role="alert">
      <Logo size={64} label="Wardlight" />
      <p>
        Something went wrong. We have notified the Wardlight technical team and they have already started investigating.
      </p>
      <button
        type="button"
        className="ant-btn wardlight ant-btn-primary ant-btn-color-primary ant-btn-variant-solid"
        onClick={() => location.reload()}
      >
        Reload the page
      </button>
      {canReport ? (
        <NativeButton onClick={() => askForReport(reportId === null ? {} : { errorReportId: reportId })}>
          Report issue
        </NativeButton>
      ) : null}
      {reportId === null ? null : (
        <p className={styles.report}>
          Report ID <code>{reportId}</code>
        </p>
      )}
    </div>
  );
}
