import { firstDifference } from '../sortOrder';
import type { ChartSummary, WrittenEntry } from './schema';

const worst = { severe: 0, moderate: 1, unknown: 2, mild: 3 } as const;

/** Returns the current code status (null: not recorded) and the current allergies, the worst first. */
export function currentMarks(entries: readonly WrittenEntry[]): Pick<ChartSummary, 'codeStatus' | 'allergies'> {
  const current = entries.filter(({ status }) => status === 'current');
  const rankOf = ({ value }: ChartSummary['allergies'][number]): number =>
    value.is === 'none' ? 4 : worst[value.severity];
  return {
    codeStatus: current.find((one) => one.section === 'codeStatus') ?? null,
    allergies: current
      .filter((one) => one.section === 'allergies')
      .sort((a, b) => firstDifference(rankOf(a) - rankOf(b), b.id - a.id)),
  };
}
