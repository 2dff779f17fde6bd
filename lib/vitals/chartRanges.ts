import type { Patient } from '../patients/schema';

const hour = 3_600_000;
const day = 24 * hour;

/** The windows a chart can show (clinical.md section 8), shortest first. */
export const chartRanges = [
  { key: '1h', label: '1 h', name: '1 hour', ms: hour },
  { key: '4h', label: '4 h', name: '4 hours', ms: 4 * hour },
  { key: '12h', label: '12 h', name: '12 hours', ms: 12 * hour },
  { key: '24h', label: '24 h', name: '24 hours', ms: day },
  { key: '7d', label: '7 d', name: '7 days', ms: 7 * day },
  { key: '14d', label: '14 d', name: '14 days', ms: 14 * day },
] as const;

export type ChartRange = (typeof chartRanges)[number];

const [shortest] = chartRanges;
const longest = chartRanges[5];

/** Returns the window to begin with: 14 days if all shown patients are at home, else the last hour. */
export function defaultRange(patients: readonly Pick<Patient, 'profile'>[]): ChartRange {
  return patients.length > 0 && patients.every(({ profile }) => profile === 'home') ? longest : shortest;
}

/** Returns the shortest window that reaches this far back, in milliseconds; null: none does. */
export function rangeSince(ageMs: number): ChartRange | null {
  return chartRanges.find(({ ms }) => ms > ageMs) ?? null;
}
