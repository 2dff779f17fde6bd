import type { AlertItem } from '../../lib/alerts/schema';
import { useHold, type Hold } from '../ui/useHold';

export interface HeldAlerts extends Pick<Hold<unknown>, 'showNow' | 'handlers'> {
  /** `isClosed`: it is no longer open and only keeps its place. */
  shown: readonly { alert: AlertItem; isClosed: boolean }[];
  /** Whether the list would change if it were let go. */
  isBehind: boolean;
}

/**
 * Keeps every alert in place while a user points at the list or is in it with the keyboard, so that no button turns
 * into that of another patient. What each alert says stays new, a closed one keeps its place without its buttons, and a
 * new one is shown at once, at the end.
 */
export function useHeldAlerts(items: readonly AlertItem[], now: number): HeldAlerts {
  const { kept, showNow, handlers } = useHold(() => items, now);
  const byId = new Map(items.map((alert) => [alert.id, alert]));
  const keptIds = new Set(kept?.map(({ id }) => id));
  const shown = [
    ...(kept ?? []).map((alert) => ({ alert: byId.get(alert.id) ?? alert, isClosed: !byId.has(alert.id) })),
    ...items.filter(({ id }) => !keptIds.has(id)).map((alert) => ({ alert, isClosed: false })),
  ];
  return {
    shown,
    isBehind: shown.length !== items.length || shown.some(({ alert }, index) => alert.id !== items[index]?.id),
    showNow,
    handlers,
  };
}
