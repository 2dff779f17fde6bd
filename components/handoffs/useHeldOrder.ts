import { useFrozenValue } from '../../hooks/useFrozenValue';
import type { WardHandoff } from '../../lib/handoffs/schema';
import { keepPlaces } from '../../lib/keepPlaces';

const idOf = ({ patient }: WardHandoff): number => patient.id;

/**
 * Returns the patients of the list in the order that they had when the list was frozen (`useFreeze`), each as known
 * now; who came since is last. A patient who is on the list no more keeps the place, as last known, until it moves
 * again: what a user does with them is refused by the server.
 */
export function useHeldOrder(items: readonly WardHandoff[], frozen: number | null): readonly WardHandoff[] {
  const before = useFrozenValue(items, frozen);
  const ids = new Set(before.map(idOf));
  return [...keepPlaces(before, items, idOf), ...items.filter((item) => !ids.has(idOf(item)))];
}
