import { useState } from 'react';
import { openCheckIn, type LinkKey } from '../../hooks/checkInCalls';
import type { ApiFailure } from '../../lib/browser/client';
import type { OpenedCheckIn } from '../../lib/checkIn/schema';
import { FormFailure } from '../ui/FormFailure';
import { useSubmit } from '../ui/useSubmit';
import { CallMe } from './CallMe';
import { CheckIn } from './CheckIn';
import styles from './checkIn.module.css';
import { EmergencyLine } from './EmergencyLine';

/** Asks for the year of birth, then shows the check-in. What the link opens is known only after that. */
export function OpenCheckIn({ secret }: { secret: string }) {
  const [open, setOpen] = useState<{ key: LinkKey; opened: OpenedCheckIn } | null>(null);
  return open === null ? (
    <YearOfBirth
      secret={secret}
      onOpened={(yearOfBirth, opened) => {
        setOpen({ key: { secret, yearOfBirth }, opened });
      }}
    />
  ) : (
    <CheckIn linkKey={open.key} opened={open.opened} />
  );
}

interface YearOfBirthProps {
  secret: string;
  onOpened: (yearOfBirth: number, opened: OpenedCheckIn) => void;
}

function YearOfBirth({ secret, onOpened }: YearOfBirthProps) {
  const [year, setYear] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** The year with which it turned out that the link opens no more: to type another one leads nowhere. */
  const [closedTo, setClosedTo] = useState<number | null>(null);
  const onSubmit = useSubmit(async () => {
    if (!/^[12]\d{3}$/.test(year.trim())) {
      setFailure('Type the year with 4 digits, such as 1950.');
      return;
    }
    setIsWaiting(true);
    setFailure(null);
    const yearOfBirth = Number(year.trim());
    await openCheckIn({ secret, yearOfBirth }).then(
      (opened) => {
        onOpened(yearOfBirth, opened);
      },
      (problem: ApiFailure) => {
        setFailure(failureText(problem));
        if (problem.code === 'link_unusable' || (problem.code === 'wrong_year' && problem.triesLeft === 0)) {
          setClosedTo(yearOfBirth);
        }
        setIsWaiting(false);
      },
    );
  });
  if (closedTo !== null) {
    return (
      <div className={styles.page}>
        <main className={styles.main}>
          <h1>Check-in</h1>
          <FormFailure>{failure}</FormFailure>
        </main>
        <footer className={styles.foot}>
          {/* A locked link still passes on that help is needed. */}
          <CallMe linkKey={{ secret, yearOfBirth: closedTo }} emergencyNumber={null} timeZone={null} />
          <EmergencyLine number={null} />
        </footer>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <h1>Check-in</h1>
        <form method="post" noValidate className={styles.form} onSubmit={onSubmit}>
          <div className={styles.field}>
            <label htmlFor="year">The patient’s year of birth</label>
            <input
              id="year"
              className={styles.input}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              autoFocus
              value={year}
              aria-describedby="year-hint"
              onChange={({ target }) => {
                setYear(target.value);
              }}
            />
            <span id="year-hint" className={styles.hint}>
              4 digits, such as 1950. So we know that this is the right person.
            </span>
          </div>
          <FormFailure>{failure}</FormFailure>
          <button type="submit" className={styles.mainButton} aria-disabled={isWaiting}>
            {isWaiting ? 'One moment …' : 'Continue'}
          </button>
        </form>
      </main>
      <footer className={styles.foot}>
        <EmergencyLine number={null} />
      </footer>
    </div>
  );
}

function failureText({ code, message, triesLeft }: ApiFailure): string {
  if (code === 'link_unusable') {
    return 'This link does not work, or does not work any more. Call your ward and ask for a new one.';
  }
  if (code !== 'wrong_year') {
    return `${message} Try again. If you need help now, call your ward.`;
  }
  return triesLeft === 0
    ? 'The year was wrong too often, so this link is locked. Your ward knows. Call them and ask for a new one.'
    : `This is not the year of birth that belongs to this link. ${
        triesLeft === 1
          ? 'You can try 1 more time'
          : triesLeft === null
            ? 'Try again'
            : `You can try ${triesLeft} more times`
      }. After that the link is locked.`;
}
