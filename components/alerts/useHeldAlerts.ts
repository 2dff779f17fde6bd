import { isMoreUrgent, type Priority } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { useHold, type Hold } from '../ui/useHold';

export interface ListedAlert {
  alert: AlertItem;
  /** Null: it is about equipment. */
  patient: Patient | null;
}

export interface HeldAlert extends ListedAlert {
  /** It is no longer open and only keeps its place. */
  isClosed: boolean;
}

export interface HeldAlerts extends Pick<Hold<unknown>, 'showNow' | 'handlers'> {
  shown: readonly HeldAlert[];
  /** What came or became more urgent since the list is held and is not acknowledged, the most urgent first. */
  news: readonly ListedAlert[];
  /** How many of `news` were not in the list before. */
  newCount: number;
  /** Whether the list would change if it were released. */
  isBehind: boolean;
}

interface KeptAlert extends HeldAlert {
  /** The priority when the hold began; null: it came later. */
  before: Priority | null;
}

/**
 * Keeps every alert in its place while a user points at the list or is in it with the keyboard, so that no button turns
 * into that of another patient. What each alert says stays new, a closed one keeps its place without its buttons, and a
 * new one is shown at once, at the end. A resting pointer holds for as long as it is there: `news` is what must be seen
 * meanwhile. `items` are the alerts of the patients on the screen, `page` is all that the server sent: an alert whose
 * patient has left the screen is still open.
 */
export function useHeldAlerts(items: readonly ListedAlert[], page: AlertsPage | undefined, now: number): HeldAlerts {
  const take = (): KeptAlert[] => items.map((item) => ({ ...item, isClosed: false, before: item.alert.priority }));
  const { kept, keep, showNow, handlers } = useHold(take, now, Number.POSITIVE_INFINITY);
  const shown = kept === null ? take() : update(kept, items, page);
  // So an alert that came meanwhile keeps its place, and one that closed keeps its last facts.
  if (kept !== null && shown.some((alert, index) => !isSame(alert, kept[index]))) {
    keep(shown);
  }
  const news = items.filter(({ alert }) => {
    const before = shown.find((each) => each.alert.id === alert.id)?.before ?? null;
    return alert.acknowledged === null && (before === null || isMoreUrgent(alert.priority, before));
  });
  return {
    shown,
    news,
    newCount: news.filter(({ alert }) => shown.some((each) => each.alert.id === alert.id && each.before === null))
      .length,
    isBehind: shown.length !== items.length || shown.some(({ alert }, index) => alert.id !== items[index]?.alert.id),
    showNow,
    handlers,
  };
}

/** Returns the kept alerts as they are now, and after them those that have come since. */
function update(kept: readonly KeptAlert[], items: readonly ListedAlert[], page: AlertsPage | undefined): KeptAlert[] {
  const listed = new Map(items.map((item) => [item.alert.id, item]));
  const open = new Map(page?.items.map((alert) => [alert.id, alert]));
  // The server sends the most urgent alerts only if there are very many. One that is not among them may be open.
  const isWhole = page !== undefined && page.items.length === page.total;
  const keptIds = new Set(kept.map(({ alert }) => alert.id));
  return [
    ...kept.map((last) => {
      const alert = open.get(last.alert.id);
      return {
        ...last,
        ...listed.get(last.alert.id),
        ...(alert === undefined ? {} : { alert }),
        isClosed: alert === undefined && isWhole,
      };
    }),
    ...items.filter(({ alert }) => !keptIds.has(alert.id)).map((item) => ({ ...item, isClosed: false, before: null })),
  ];
}

function isSame(one: HeldAlert, other: HeldAlert | undefined): boolean {
  return one.alert === other?.alert && one.patient === other.patient && one.isClosed === other.isClosed;
}
