import { useState, useEffect } from 'react';
import type { LinkKey } from '../../hooks/checkInCalls';
import { useLinkSecret } from '../../hooks/useLinkSecret';
import { takeKept } from '../../lib/browser/keptCheckIns';
import type { OpenedCheckIn } from '../../lib/checkIn/schema';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { FormFailure } from '../ui/FormFailure';
import { CallMe } from './CallMe';
import { CheckIn } from './CheckIn';
import { EmergencyLine } from './EmergencyLine';
import { YearForm } from './YearForm';
import styles from './checkIn.module.css';

/** Asks for the year of birth, then shows the check-in. What the link opens is known only after that. */
function OpenCheckIn({ secret }: { secret: string }) {
  const [open, setOpen] = useState<{ key: LinkKey; opened: OpenedCheckIn } | null>(null);
  const [closed, setClosed] = useState<{ yearOfBirth: number; text: string } | null>(null);
  const onOpened = (key: LinkKey, opened: OpenedCheckIn): void => {
    setOpen({ key, opened });
  };
  if (open !== null) {
    return <CheckIn linkKey={open.key} opened={open.opened} onOpened={onOpened} />;
  }
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <h1>Check-in</h1>
        {closed === null ? (
          <YearForm
            secret={secret}
            hasFocus
            onOpened={onOpened}
            onClosed={(yearOfBirth, text) => {
              setClosed({ yearOfBirth, text });
            }}
          />
        ) : (
          <FormFailure>{closed.text}</FormFailure>
        )}
      </main>
      <footer className={styles.foot}>
        {/* A locked link still passes on that help is needed. */}
        {closed === null ? null : (
          <CallMe
            linkKey={{ secret, yearOfBirth: closed.yearOfBirth }}
            emergencyNumber={null}
            timeZone={null}
            onWrongYear={() => undefined}
          />
        )}
        <EmergencyLine number={null} />
      </footer>
    </div>
  );
}

/**
 * Deletes the answers of check-ins that are kept on this phone for more than a day, whatever their link, also if none
 * is open. Their own link then says so. Those with a red flag wait for it.
 */
function useOldCheckIns(): void {
  useEffect(() => {
    // A browser that keeps nothing has nothing to delete.
    takeKept('', Date.now()).catch(() => undefined);
  }, []);
}

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
