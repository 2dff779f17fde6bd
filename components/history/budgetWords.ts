import type { Counts } from '../../lib/alerts/alarmBudget';
import { priorities } from '../../lib/alerts/priority';

/** Returns the sum of all priorities. */
export function sumOf(counts: Counts): number {
  return priorities.reduce((sum, priority) => sum + counts[priority], 0);
}

/** "4.2", from 100 on "120". What is little and not 0 is "< 0.1". */
export function rate(value: number): string {
  if (value > 0 && value < 0.05) {
    return '< 0.1';
  }
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

/** "12 %"; what is unknown is "--". */
export function percent(share: number | null): string {
  return share === null ? '--' : `${Math.round(share * 100)} %`;
}
