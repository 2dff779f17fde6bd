import { useMemo, useState } from 'react';
import { isMoreUrgent, priorities, type Priority } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { rowsOf, type GroupedRow } from './groupedRows';

interface HeldAlert {
  alert: AlertItem;
  /** It is no longer open and only keeps its place. */
  isClosed: boolean;
  /** It is not among the most urgent that the server sends: what it says is not new. */
  isOld: boolean;
  /** The priority when the list was frozen. */
  before: Priority;
  /** It was over when the list was frozen. */
  wasOver: boolean;
  /** It was over then, and is an alert again. */
  isAgain: boolean;
}

export interface HeldRow extends Omit<GroupedRow, 'alerts'> {
  alerts: readonly HeldAlert[];
}

interface HeldRows {
  rows: readonly HeldRow[];
  /**
   * What came, came back or became more urgent, since the list is frozen, and is not acknowledged; the most urgent
   * first.
   */
  news: readonly AlertItem[];
}

/**
 * Keeps every alert in its place while the list is frozen, so that no button turns into that of another patient. What
 * each alert says stays new, and a closed one keeps its place. What is new comes into the list after the freeze, and is
 * `news` until then. `page` is all that the server sent.
 */
export function useHeldRows(page: AlertsPage | undefined, frozen: number | null): HeldRows {
  const [kept, setKept] = useState<{ frozen: number; rows: readonly HeldRow[] } | null>(null);
  const fresh = useMemo(() => rowsOf(page?.items ?? []).map(held), [page]);
  const before = kept?.frozen === frozen ? kept.rows : fresh;
  const rows = frozen === null ? fresh : updated(before, page);
  // So a closed alert keeps its last facts.
  if (frozen !== null && (kept?.frozen !== frozen || kept.rows !== rows)) {
    setKept({ frozen, rows });
  }
  const news = useMemo(() => (frozen === null ? [] : newsOf(rows, page?.items ?? [])), [frozen, rows, page]);
  return { rows, news };
}

function held({ alerts, ...row }: GroupedRow): HeldRow {
  return {
    ...row,
    alerts: alerts.map((alert) => ({
      alert,
      isClosed: false,
      isOld: false,
      before: alert.priority,
      wasOver: alert.condition === 'ended',
      isAgain: false,
    })),
  };
}

/** Returns the rows with what is known of their alerts now; the same object if nothing has changed. */
function updated(rows: readonly HeldRow[], page: AlertsPage | undefined): readonly HeldRow[] {
  const open = new Map(page?.items.map((alert) => [alert.id, alert]));
  // The server sends the most urgent alerts only if there are very many. One that is not among them may be open.
  const isWhole = page !== undefined && page.items.length === page.total;
  const changed = rows.map((row) => {
    const alerts = row.alerts.map((last) => {
      const alert = open.get(last.alert.id);
      const isClosed = alert === undefined && isWhole;
      const isOld = alert === undefined && !isWhole && page !== undefined;
      const isSame = (alert ?? last.alert) === last.alert && isClosed === last.isClosed && isOld === last.isOld;
      return isSame
        ? last
        : {
            ...last,
            alert: alert ?? last.alert,
            isClosed,
            isOld,
            isAgain: last.wasOver && !isClosed && (alert ?? last.alert).condition === 'active',
          };
    });
    return alerts.some((alert, index) => alert !== row.alerts[index]) ? { ...row, alerts } : row;
  });
  return changed.some((row, index) => row !== rows[index]) ? changed : rows;
}

function newsOf(rows: readonly HeldRow[], items: readonly AlertItem[]): AlertItem[] {
  const before = new Map(rows.flatMap(({ alerts }) => alerts.map((each) => [each.alert.id, each] as const)));
  const isNews = ({ id, priority, acknowledged }: AlertItem): boolean => {
    const known = before.get(id);
    return acknowledged === null && (known === undefined || known.isAgain || isMoreUrgent(priority, known.before));
  };
  // An alert that no one has taken may be listed before a more urgent one.
  return items.filter(isNews).sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority));
}
