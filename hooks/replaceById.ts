/** Returns a list's answer with `item` in the place of the one of the same id. */
export function replaceById<Item extends { id: number }, List extends { items: Item[] }>(list: List, item: Item): List {
  return { ...list, items: list.items.map((one) => (one.id === item.id ? item : one)) };
}
