import { priorities } from '../../lib/alerts/priority';
import { placeText } from '../../lib/patients/placeText';
import { NativeButton } from '../ui/NativeButton';
import styles from './OpenAlerts.module.css';
import { PriorityMark } from './PriorityMark';
import { subjectName } from './subjectName';
import type { HeldAlerts, ListedAlert } from './useHeldAlerts';

/**
 * What a held list would show at its head: how many alerts are new or more urgent, and the most urgent of them in
 * words. Nothing while the list is as it should be.
 */
export function AlertNews({ news, newCount, isBehind, showNow }: HeldAlerts) {
  // An alert that no one has accepted may be listed before a more urgent one.
  const worst = priorities.find((each) => news.some(({ alert }) => alert.priority === each));
  const first = news.find(({ alert }) => alert.priority === worst);
  const upgraded = news.length - newCount;
  const counts = [
    ...(newCount === 0 ? [] : [newCount === 1 ? '1 new alert' : `${newCount} new alerts`]),
    ...(upgraded === 0 ? [] : [`${upgraded} upgraded`]),
  ];
  if (first === undefined && !isBehind) {
    return null;
  }
  return (
    <div className={styles.news}>
      {first === undefined ? (
        <span className={styles.newsText}>The list has changed.</span>
      ) : (
        <>
          <PriorityMark priority={first.alert.priority} />
          <span className={styles.newsText}>
            <strong>{counts.join(', ')}</strong>{' '}
            {news
              .filter(({ alert }) => alert.priority === first.alert.priority)
              .map(newsText)
              .join('; ')}
          </span>
        </>
      )}
      <NativeButton onClick={showNow}>Show the new order</NativeButton>
    </div>
  );
}

function newsText(listed: ListedAlert): string {
  const { alert, patient } = listed;
  return `${subjectName(listed)}${patient === null ? '' : ` · ${placeText(patient)}`} · ${alert.sentence}`;
}
