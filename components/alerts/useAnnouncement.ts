import { useState } from 'react';
import { isMoreUrgent, type Priority } from '../../lib/alerts/priority';
import type { AlertItem } from '../../lib/alerts/schema';
import { alertPlace, alertSubject } from './alertSubject';

/**
 * Returns the words for the most urgent alert that has just come, to be read out: HIGH and MEDIUM that no one has
 * acknowledged, each once. The words stay until another one comes: what is read out does not change with every value.
 */
export function useAnnouncement(items: readonly AlertItem[] | undefined): { text: string; priority: Priority | null } {
  const urgent = items?.filter(
    ({ priority, acknowledged, condition }) => priority !== 'low' && acknowledged === null && condition === 'active',
  );
  const keys = urgent?.map(keyOf).join(' ');
  const [known, setKnown] = useState<{ keys: string | undefined; text: string; priority: Priority | null }>({
    keys,
    text: '',
    priority: null,
  });
  if (keys === known.keys) {
    return known;
  }
  const before = new Set(known.keys?.split(' '));
  // What was there when the page opened is on the page, and is not news.
  const added = known.keys === undefined ? [] : (urgent ?? []).filter((alert) => !before.has(keyOf(alert)));
  const worst = added.reduce<AlertItem | null>(
    (most, alert) => (most === null || isMoreUrgent(alert.priority, most.priority) ? alert : most),
    null,
  );
  const next = worst === null ? { ...known, keys } : { keys, text: wordsOf(worst), priority: worst.priority };
  setKnown(next);
  return next;
}

/** A further raise and an upgrade are news as well. */
const keyOf = ({ id, priority, lastRaisedAt }: AlertItem): string => `${id}/${priority}/${lastRaisedAt}`;

function wordsOf(alert: AlertItem): string {
  const priority = alert.priority === 'high' ? 'High' : 'Medium';
  return `${priority} priority: ${alertSubject(alert)}, ${alertPlace(alert)}. ${alert.headline}`;
}
