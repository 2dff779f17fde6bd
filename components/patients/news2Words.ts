import type { News2Kind } from '../../lib/vitals/news2Kinds';
import type { News2 } from '../../lib/vitals/news2Schema';

/** What each part is called where a score is taken apart. */
export const news2Labels = {
  respiratoryRate: 'Respiratory rate',
  spo2: 'SpO2',
  oxygenFlow: 'Air or oxygen',
  systolic: 'Systolic BP',
  pulseRate: 'Pulse',
  heartRate: 'Pulse (ECG)',
  consciousness: 'Consciousness',
  temperature: 'Temperature',
} as const satisfies Record<News2Kind, string>;

/** The score, or the interval in which it lies: never one number where it could be another. */
export function news2Number({ score, range: [low, high] }: News2): string {
  return score === null ? `${low} to ${high}` : String(score);
}

/** What the number means: the band of a whole score, else how much of it is known and what that proves already. */
export function news2Meaning({ complete, band, atLeast, missing }: News2): string {
  return complete ? band : `${7 - missing.length} of 7 known${atLeast === null ? '' : `, at least ${atLeast}`}`;
}

/** The same in the width of a column: what is proved says more than how much is known. */
export function news2ShortMeaning(score: News2): string {
  return score.complete || score.atLeast === null ? news2Meaning(score) : `at least ${score.atLeast}`;
}

/** "Missing: air or oxygen, temperature"; empty for a whole score. */
export function news2Missing({ missing }: News2): string {
  return missing.length === 0
    ? ''
    : `Missing: ${missing.map((kind) => (kind === 'spo2' ? 'SpO2' : news2Labels[kind].toLowerCase())).join(', ')}`;
}
