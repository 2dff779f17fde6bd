import { useState } from 'react';
import { isMoreUrgent, priorities, type Priority } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { EpochMs } from '../../lib/time/epochMs';

interface List {
  /** When the page of the list was made. What is older than that is no news. */
  openedAt: EpochMs;
  /** The patients on it. */
  patientIds: ReadonlySet<number>;
  /** While it holds still (`useFreeze`). */
  frozen: number | null;
}

interface Unlisted {
  /** The most urgent first. */
  news: readonly AlertItem[];
  /** Whether the list has shown an alert at a lower priority. */
  isUpgrade: (alertId: number) => boolean;
}

/**
 * Returns the alerts that a list of patients does not show yet, and that no one has acknowledged or accepted: all that
 * came or became more urgent while it holds still, and otherwise HIGH and MEDIUM ones of patients who are not on it, so
 * that no filter and no page hides them.
 */
export function useUnlisted(page: AlertsPage | undefined, { openedAt, patientIds, frozen }: List): Unlisted {
  const [last, setLast] = useState<{ frozen: number | null; known: ReadonlyMap<number, Priority> } | null>(null);
  const isRenewed = last !== null && last.frozen !== null && frozen !== null && last.frozen !== frozen;
  const isListed = ({ patientId, priority, lastRaisedAt }: AlertItem): boolean =>
    last === null
      ? Date.parse(lastRaisedAt) <= openedAt
      : isRenewed || (frozen === null && (priority === 'low' || (patientId !== null && patientIds.has(patientId))));
  const learned = (page?.items ?? []).filter(
    (alert) => isListed(alert) && last?.known.get(alert.id) !== alert.priority,
  );
  const isChanged = page !== undefined && (last === null || last.frozen !== frozen || learned.length > 0);
  const known = isChanged
    ? new Map([...(last?.known ?? []), ...learned.map(({ id, priority }) => [id, priority] as const)])
    : (last?.known ?? new Map<number, Priority>());
  if (isChanged) {
    setLast({ frozen, known });
  }
  const isNews = ({ id, priority, acknowledged, accepted }: AlertItem): boolean => {
    const before = known.get(id);
    return acknowledged === null && accepted === null && (before === undefined || isMoreUrgent(priority, before));
  };
  return {
    news: (page?.items ?? [])
      .filter(isNews)
      .sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority)),
    isUpgrade: (alertId) => known.has(alertId),
  };
}
