import { getOrAdd } from './getOrAdd';

/** Returns items by the key of each, in the order in which they come: Map.groupBy, which Node 20 does not have. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    getOrAdd(groups, keyOf(item), () => []).push(item);
  }
  return groups;
}
