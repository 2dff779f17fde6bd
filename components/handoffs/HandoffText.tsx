import type { Handoff } from '../../lib/handoffs/schema';
import { severities } from '../../lib/handoffs/severities';
import { factLines } from './factLines';
import styles from './handoffs.module.css';
import { actionWords } from './handoffWords';

interface HandoffTextProps {
  handoff: Handoff;
  /** The server's time, epoch milliseconds. */
  now: number;
  timeZone: string;
}

/** What a handoff says: the severity, what was typed, and what was known. */
export function HandoffText({ handoff, now, timeZone }: HandoffTextProps) {
  const { severity, summary, contingencies, actions, question, readBack } = handoff;
  return (
    <div className={styles.text}>
      <p>
        <strong>{severity === null ? 'No severity' : severities[severity]}</strong>
      </p>
      {summary === '' ? null : <p className={styles.typed}>{summary}</p>}
      {contingencies.length === 0 ? null : (
        <ul aria-label="If-then">
          {contingencies.map(({ condition, action }, place) => (
            <li key={place}>
              If {condition}, then {action}
            </li>
          ))}
        </ul>
      )}
      {actions.length === 0 ? null : (
        <ul aria-label="Actions">
          {actions.map((action) => (
            <li key={action.id}>{actionWords(action, now, timeZone)}</li>
          ))}
        </ul>
      )}
      {question === null ? null : <p>Question: {question}</p>}
      {readBack === null ? null : <p>Read back: {readBack}</p>}
    </div>
  );
}

/** What the product knew of the patient, line by line. */
export function HandoffFactList({ facts, timeZone }: { facts: NonNullable<Handoff['facts']>; timeZone: string }) {
  return (
    <dl className={styles.facts}>
      {factLines(facts, timeZone).map(({ label, texts }) => (
        <div key={label}>
          <dt>{label}</dt>
          {texts.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
