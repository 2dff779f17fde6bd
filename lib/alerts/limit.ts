/** All values on one side of a number, in the unit of the value. Rules evaluate the rounded, displayed value. */
export interface Limit {
  is: 'below' | 'atMost' | 'atLeast';
  value: number;
}

export const below = (value: number): Limit => ({ is: 'below', value });
export const atMost = (value: number): Limit => ({ is: 'atMost', value });
export const atLeast = (value: number): Limit => ({ is: 'atLeast', value });

/** Returns whether a value lies on the side that the limit names. */
export function isBeyond(limit: Limit, value: number): boolean {
  switch (limit.is) {
    case 'below':
      return value < limit.value;
    case 'atMost':
      return value <= limit.value;
    case 'atLeast':
      return value >= limit.value;
    default:
      return limit.is satisfies never;
  }
}

/**
 * Returns whether a value lies beyond one of the limits. A plain loop, as is the next: every sample runs through it.
 */
export function isBeyondAny(limits: readonly Limit[], value: number): boolean {
  for (const limit of limits) {
    if (isBeyond(limit, value)) {
      return true;
    }
  }
  return false;
}

/** Returns whether a value lies beyond each of the limits. */
export function isBeyondAll(limits: readonly Limit[], value: number): boolean {
  for (const limit of limits) {
    if (!isBeyond(limit, value)) {
      return false;
    }
  }
  return true;
}

/** Returns the limit moved by a number of units. */
export function moved(limit: Limit, by: number): Limit {
  return { is: limit.is, value: limit.value + by };
}
