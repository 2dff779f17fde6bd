import { severities, type Severity } from './severities';

const order: readonly string[] = Object.keys(severities);

/** Compares two patients for a list of handoffs: unstable, watcher, stable, then those without a severity. */
export function inOrderOfSeverity(one: Severity | null, other: Severity | null): number {
  const rank = (severity: Severity | null): number => (severity === null ? order.length : order.indexOf(severity));
  return rank(one) - rank(other);
}
