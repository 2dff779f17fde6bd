import { useState } from 'react';
import type { LinkKey } from '../../hooks/checkInCalls';
import type { OpenedCheckIn } from '../../lib/checkIn/schema';
import { FormFailure } from '../ui/FormFailure';
import { CallMe } from './CallMe';
import { CheckIn } from './CheckIn';
import styles from './checkIn.module.css';
import { EmergencyLine } from './EmergencyLine';
import { YearForm } from './YearForm';

/** Asks for the year of birth, then shows the check-in. What the link opens is known only after that. */
export function OpenCheckIn({ secret }: { secret: string }) {
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
