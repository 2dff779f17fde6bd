/** Compares two names; numbers inside them count as numbers, so bed 2 comes before bed 10. */
export const { compare: compareText } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the first of several comparisons that tells two rows apart, or 0 if none does. */
export function firstDifference(...orders: number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}
