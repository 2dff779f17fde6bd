import type { Counts } from '../../lib/alerts/alarmBudget';
import { priorities } from '../../lib/alerts/priority';

/** Returns the sum of all priorities. */
export function sumOf(counts: Counts): number {
  return priorities.reduce((sum, priority) => sum + counts[priority], 0);
}

/** "4.2", from 100 on "120". */
export function rate(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

/** "12 %"; what is unknown is "--". */
export function percent(share: number | null): string {
  return share === null ? '--' : `${Math.round(share * 100)} %`;
}
