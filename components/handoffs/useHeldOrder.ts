import { useState } from 'react';
import type { WardHandoff } from '../../lib/handoffs/schema';

/**
 * Returns the patients of the list in the order that they had when the list was frozen (`useFreeze`), each as known
 * now; who came since is last. A patient who is on the list no more keeps the place, as last known, until it moves
 * again: what a user does with them is refused by the server.
 */
export function useHeldOrder(items: readonly WardHandoff[], frozen: number | null): readonly WardHandoff[] {
  const [held, setHeld] = useState<{ frozen: number; items: readonly WardHandoff[] } | null>(null);
  if (frozen === null) {
    if (held !== null) {
      setHeld(null);
    }
    return items;
  }
  if (held?.frozen !== frozen) {
    setHeld({ frozen, items });
    return items;
  }
  const now = new Map(items.map((item) => [item.patient.id, item]));
  const before = new Set(held.items.map(({ patient }) => patient.id));
  return [
    ...held.items.map((item) => now.get(item.patient.id) ?? item),
    ...items.filter(({ patient }) => !before.has(patient.id)),
  ];
}
