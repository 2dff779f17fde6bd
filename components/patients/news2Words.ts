import type { News2ExemptFor } from '../../lib/patients/news2Exemption';
import type { News2Kind } from '../../lib/vitals/news2Kinds';
import type { News2 } from '../../lib/vitals/news2Schema';

/** The names of the parts of a score. */
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

/** Why a patient has no score, for a narrow column. */
export const news2NotFor = {
  under_16: 'not under 16 years',
  pregnancy: 'not applied: pregnancy',
  spinal_injury: 'not applied: spinal cord injury',
  other: 'not applied',
} as const satisfies Record<'under_16' | News2ExemptFor, string>;

/** Returns the score, or its range if parts are missing: never one number if it could be another. */
export function news2Number({ score, range: [low, high] }: News2): string {
  return score === null ? `${low} to ${high}` : String(score);
}

/** Returns "5, medium", or "at least 4 (max 12)" if parts are missing. */
export function news2Total({ score, range: [low, high], band }: News2): string {
  return score === null ? `at least ${low} (max ${high})` : `${score}, ${band}`;
}

/** Returns the band of a complete score, else how many parts are known and the band that they already prove. */
export function news2Meaning({ complete, band, atLeast, missing }: News2): string {
  return complete ? band : `${7 - missing.length} of 7 known${atLeast === null ? '' : `, at least ${atLeast}`}`;
}

/** Returns the same for a narrow column: the proven band says more than the number of known parts. */
export function news2ShortMeaning(score: News2): string {
  return score.complete || score.atLeast === null ? news2Meaning(score) : `at least ${score.atLeast}`;
}

/** Returns "Missing: air or oxygen, temperature"; empty for a complete score. */
export function news2Missing({ missing }: News2): string {
  return missing.length === 0
    ? ''
    : `Missing: ${missing.map((kind) => (kind === 'spo2' ? 'SpO2' : news2Labels[kind].toLowerCase())).join(', ')}`;
}
