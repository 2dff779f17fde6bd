/** Compares two names; numbers inside them count as numbers, so bed 2 comes before bed 10. */
export const { compare: compareText } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the first comparison that is not 0, or 0 if the rows are equal in all of them. */
export function firstDifference(...orders: number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}
