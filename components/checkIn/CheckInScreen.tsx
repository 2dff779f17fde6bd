import { useLinkSecret } from '../../hooks/useLinkSecret';
import { useOldCheckIns } from '../../hooks/useOldCheckIns';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import styles from './checkIn.module.css';
import { EmergencyLine } from './EmergencyLine';
import { OpenCheckIn } from './OpenCheckIn';

/**
 * The page of a patient at home, or of a person who looks after one, for whom there is no account: the link's secret
 * opens it. The secret stays in memory alone, so that the next person at this phone finds none.
 */
export function CheckInScreen() {
  const { secret } = useLinkSecret(null);
  useOldCheckIns();
  return (
    <ErrorBoundary
      resetKey=""
      fallback={
        <Plain title="Something went wrong">
          <p role="alert">Open the link in your message again. If you need help now, call your ward.</p>
        </Plain>
      }
    >
      {secret === undefined ? (
        <Plain title="Check-in" />
      ) : secret === null ? (
        <Plain title="Open the link again">
          <p>
            Tap the link in your message, or scan the code again. This page forgets the link when it is closed or
            reloaded, so that no one else can use it on this phone.
          </p>
          <p>If you cannot find the link, call your ward.</p>
        </Plain>
      ) : (
        <OpenCheckIn key={secret} secret={secret} />
      )}
    </ErrorBoundary>
  );
}

/** Before it is known which ward it is, and so which number to call. */
function Plain({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className={styles.foot}>
        <EmergencyLine number={null} />
      </footer>
    </div>
  );
}
