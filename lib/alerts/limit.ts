/**
 * A side of a number on the line of values, in the unit of what is judged. Rules judge the rounded, displayed value.
 */
export interface Limit {
  is: 'below' | 'atMost' | 'atLeast';
  value: number;
}

export const below = (value: number): Limit => ({ is: 'below', value });
export const atMost = (value: number): Limit => ({ is: 'atMost', value });
export const atLeast = (value: number): Limit => ({ is: 'atLeast', value });

/** Whether a value lies on the side that the limit names. */
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
 * Whether a value lies beyond one of the limits. A plain loop, as is the next: every sample of a ward asks all its
 * rules.
 */
export function isBeyondAny(limits: readonly Limit[], value: number): boolean {
  for (const limit of limits) {
    if (isBeyond(limit, value)) {
      return true;
    }
  }
  return false;
}

/** Whether a value lies beyond each of the limits. */
export function isBeyondAll(limits: readonly Limit[], value: number): boolean {
  for (const limit of limits) {
    if (!isBeyond(limit, value)) {
      return false;
    }
  }
  return true;
}

/** The same limit, moved by a number of units. */
export function moved(limit: Limit, by: number): Limit {
  return { is: limit.is, value: limit.value + by };
}
