import { useState } from 'react';
import { openCheckIn, type LinkKey } from '../../hooks/checkInCalls';
import type { ApiFailure } from '../../lib/browser/client';
import type { OpenedCheckIn } from '../../lib/checkIn/schema';
import { FormFailure } from '../ui/FormFailure';
import { useSubmit } from '../ui/useSubmit';
import styles from './checkIn.module.css';

interface YearFormProps {
  secret: string;
  hasFocus: boolean;
  onOpened: (key: LinkKey, opened: OpenedCheckIn) => void;
  /** With this year it turned out that the link opens no more: to type another one leads nowhere. */
  onClosed: (yearOfBirth: number, text: string) => void;
}

/** The field for the year of birth, which opens the link. */
export function YearForm({ secret, hasFocus, onOpened, onClosed }: YearFormProps) {
  const [year, setYear] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
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
        onOpened({ secret, yearOfBirth }, opened);
      },
      (problem: ApiFailure) => {
        const text = failureText(problem);
        setFailure(text);
        setIsWaiting(false);
        if (problem.code === 'link_unusable' || (problem.code === 'wrong_year' && problem.triesLeft === 0)) {
          onClosed(yearOfBirth, text);
        }
      },
    );
  });
  return (
    <form method="post" noValidate className={styles.form} onSubmit={onSubmit}>
      <div className={styles.field}>
        <label htmlFor="year">The patient’s year of birth</label>
        <input
          id="year"
          className={styles.input}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          autoFocus={hasFocus}
          value={year}
          aria-describedby="year-hint"
          onChange={({ target }) => setYear(target.value)}
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
  );
}

/** Says that wrong years have locked the link. */
export const lockedText =
  'The year was wrong too often, so this link is locked. Your ward knows. Call them and ask for a new one.';

function failureText({ code, message, triesLeft }: ApiFailure): string {
  if (code === 'link_unusable') {
    return 'This link does not work, or does not work any more. Call your ward and ask for a new one.';
  }
  if (code !== 'wrong_year') {
    return `${message} Try again. If you need help now, call your ward.`;
  }
  return triesLeft === 0
    ? lockedText
    : `This is not the year of birth that belongs to this link. ${
        triesLeft === 1
          ? 'You can try 1 more time'
          : triesLeft === null
            ? 'Try again'
            : `You can try ${triesLeft} more times`
      }. After that the link is locked.`;
}
