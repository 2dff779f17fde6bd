import type { AlertItem } from '../../lib/alerts/schema';
import type { QuickAct } from './alertChoices';
import styles from './AlertRow.module.css';
import type { AlertActState } from './useAlertActs';

const actWords = {
  take: 'I’m on it',
  acknowledge: 'Acknowledge',
  pause: 'Pause sound',
  undo: 'Undo',
} as const satisfies Record<QuickAct, string>;

interface ActProblemProps {
  alert: AlertItem;
  userId: number;
  problem: NonNullable<AlertActState['problem']>;
}

/** Why an act is not done, or not known to be, and what the alert is now. It stays until the next act. */
export function ActProblem({ alert, userId, problem }: ActProblemProps) {
  return (
    <span role="alert" className={styles.problem}>
      {problemWords(alert, userId, problem)}
    </span>
  );
}

/** Returns the words for an act that is not done; empty if the server has done it although no response came. */
export function problemWords(
  alert: AlertItem,
  userId: number,
  { act, outcome, version, message }: ActProblemProps['problem'],
): string {
  const done = { take: alert.accepted, acknowledge: alert.acknowledged, pause: null, undo: null }[act];
  if (done?.by.id === userId && alert.version !== version) {
    return '';
  }
  const why = alert.version === version ? message : 'The alert has changed since.';
  switch (outcome) {
    case 'refused':
      return `Not done. ${message}`;
    case 'not sent':
      return `Not sent: “${actWords[act]}”. ${why}`;
    case 'unknown':
      return `Not known whether done: “${actWords[act]}”. ${why}`;
    default:
      return outcome satisfies never;
  }
}
