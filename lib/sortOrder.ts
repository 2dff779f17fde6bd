/** Compares two names; numbers inside them count as numbers, so bed 2 comes before bed 10. */
export function compareText(one: string, other: string): number {
  // Made when it is first needed: the language data take 30 ms of a slow computer.
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(one, other);
}
let collator: Intl.Collator | undefined;

/** Returns the first comparison that is not 0, or 0 if the rows are equal in all of them. */
export function firstDifference(...orders: number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}
