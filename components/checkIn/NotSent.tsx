import { useEffect, useRef } from 'react';
import type { WaitingCheckIn } from '../../hooks/checkInOutbox';
import { receivedLines } from '../../lib/checkIn/receivedLines';
import styles from './checkIn.module.css';
import { keptText } from './keptText';

interface NotSentProps {
  waiting: WaitingCheckIn;
  timeZone: string;
  onTry: () => void;
  onNew: () => void;
}

/** Says that the ward knows nothing yet of a check-in, or may know nothing, and where it is until it does. */
export function NotSent({ waiting, timeZone, onTry, onNew }: NotSentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section className={styles.group} aria-labelledby="not-sent">
      <h2 id="not-sent" ref={heading} tabIndex={-1}>
        {waiting.mayHaveArrived ? 'Not confirmed yet' : 'Not sent yet'}
      </h2>
      <p role="status">
        <strong>
          {waiting.mayHaveArrived ? 'It is not known whether your ward got this.' : 'Your ward does not know this yet.'}
        </strong>{' '}
        {keptText(waiting, timeZone)}
      </p>
      <ul className={styles.lines}>
        {receivedLines(waiting.answers).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <button type="button" className={styles.mainButton} onClick={onTry}>
        Try now
      </button>
      <button type="button" className={styles.button} onClick={onNew}>
        Make a new check-in
      </button>
    </section>
  );
}
