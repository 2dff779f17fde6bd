import type { State } from 'swr';

/**
 * Returns when the last attempt to read a key ended (see useReadState), by `performance.now()`; minus infinity before
 * the end of the first.
 */
export function lastAttemptAt(state: State<unknown> | undefined): number {
  const held = state?.data;
  return typeof held === 'object' && held !== null && 'endedAt' in held && typeof held.endedAt === 'number'
    ? held.endedAt
    : Number.NEGATIVE_INFINITY;
}
