import type { ReactNode } from 'react';
import type { Handoff } from '../../lib/handoffs/schema';
import styles from './handoffs.module.css';
import { HandoffFactList, HandoffText } from './HandoffText';
import { courseWords, stateWords } from './handoffWords';

interface HandoffCardProps {
  handoff: Handoff;
  now: number;
  timeZone: string;
  /** What can be done with it. */
  children?: ReactNode;
}

/** One handoff that is not written any more, with what was known when it was given. */
export function HandoffCard({ handoff, now, timeZone, children }: HandoffCardProps) {
  const { state, facts } = handoff;
  return (
    <article className={styles.card} aria-label={`Handoff, ${stateWords[state].toLowerCase()}`} data-state={state}>
      <p className={styles.course}>
        <strong>{stateWords[state]}</strong> {courseWords(handoff, now, timeZone)}
      </p>
      <HandoffText handoff={handoff} now={now} timeZone={timeZone} />
      {facts === null ? null : (
        <details>
          <summary>What was known when it was given</summary>
          <HandoffFactList facts={facts} timeZone={timeZone} />
        </details>
      )}
      {children}
    </article>
  );
}
