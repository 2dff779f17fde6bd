import { useEffect, useRef, useState } from 'react';
import type { OutboxState } from '../../hooks/checkInOutbox';
import { serverNow } from '../../lib/browser/serverClock';
import { receivedLines } from '../../lib/checkIn/receivedLines';
import { formatClock } from '../../lib/time/formatTime';
import styles from './checkIn.module.css';

interface SentProps {
  sent: OutboxState['arrived'][number];
  timeZone: string;
  /** The advice has the focus then. */
  hasAdvice: boolean;
  onNew: () => void;
}

/** What the ward has received, and when the next check-in is due. */
export function Sent({ sent: { answers, answer }, timeZone, hasAdvice, onNew }: SentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The clock of a phone may be a day wrong.
  const [now] = useState(() => serverNow() ?? Date.now());
  useEffect(() => {
    if (!hasAdvice) {
      heading.current?.focus();
    }
  }, [hasAdvice]);
  return (
    <section className={styles.group} aria-labelledby="sent">
      <h2 id="sent" ref={heading} tabIndex={-1}>
        {answer.nextDueAt === null
          ? 'Sent. Your ward knows that help is needed:'
          : 'Sent. Your ward has received this:'}
      </h2>
      <ul className={styles.lines}>
        {receivedLines(answers).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {answer.nextDueAt === null ? (
        <p>
          {answer.yearTriesLeft === null || answer.yearTriesLeft === 0 ? (
            <>
              <strong>This link is locked.</strong> Call your ward and ask for a new one.
            </>
          ) : (
            'Your ward has another year of birth, so it knows only that you need help. Type it, then check in again.'
          )}
        </p>
      ) : (
        <p>
          <strong>Next check-in: {formatClock(Date.parse(answer.nextDueAt), now, timeZone)}.</strong> Check in earlier
          if you feel worse.
        </p>
      )}
      <button type="button" className={styles.button} onClick={onNew}>
        Check in again
      </button>
    </section>
  );
}
