import { isMoreUrgent, type Priority } from './priority';
import type { StripItem } from './stripSchema';

/** The alerts that no one has accepted: HIGH and MEDIUM ones. */
export interface AwaitedAlerts {
  count: number;
  /** The most urgent priority among them; null if there are none. */
  worst: Exclude<Priority, 'low'> | null;
}

/** Returns how many HIGH and MEDIUM alerts need someone, and how urgent the worst is (screens.md section 5). */
export function awaitedAlerts(items: readonly StripItem[]): AwaitedAlerts {
  const awaited = items.filter(({ priority, owned }) => priority !== 'low' && !owned);
  const isHigh = awaited.some(({ priority }) => isMoreUrgent(priority, 'medium'));
  return { count: awaited.length, worst: awaited.length === 0 ? null : isHigh ? 'high' : 'medium' };
}

/** What is said instead of "No alert" where none is raised: that one is missing says nothing about the patients. */
export const rulesOffText = 'None. The alert rules are off on this site.';

/** Returns "2 alerts need someone". */
export function awaitedText(count: number): string {
  return count === 0
    ? 'No alert needs someone'
    : count === 1
      ? '1 alert needs someone'
      : `${count} alerts need someone`;
}
