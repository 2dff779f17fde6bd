import { useState } from 'react';

/**
 * Returns items in the order in which they came first, new ones at the end: while a page is open, nothing under a
 * pointer moves because something else was done.
 */
export function useKeptOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const known = new Set(keys);
  const added = items.map(keyOf).filter((key) => !known.has(key));
  const order = added.length === 0 ? keys : [...keys, ...added];
  if (order !== keys) {
    setKeys(order);
  }
  const place = new Map(order.map((key, index) => [key, index]));
  return [...items].sort((a, b) => (place.get(keyOf(a)) ?? 0) - (place.get(keyOf(b)) ?? 0));
}
