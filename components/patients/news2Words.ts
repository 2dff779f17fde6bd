import type { News2ExemptFor } from '../../lib/patients/news2ExemptFor';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatAge } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { isAgeKnown } from '../../lib/vitals/freshness';
import type { News2Kind } from '../../lib/vitals/news2Kinds';
import type { News2 } from '../../lib/vitals/news2Schema';
import type { LatestValues } from '../../lib/vitals/schema';

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

/** Of the seven parts of a score none is known: its range would be that of every patient. */
const isNothingKnown = ({ missing }: News2): boolean => missing.length === 7;

/** Returns the score, or its range if parts are missing: never one number if it could be another. */
export function news2Number(news2: News2): string {
  const {
    score,
    range: [low, high],
  } = news2;
  return isNothingKnown(news2) ? 'not known' : score === null ? `${low} to ${high}` : String(score);
}

/** Returns "5, medium", or "at least 4 (max 12)" if parts are missing. */
export function news2Total(news2: News2): string {
  const {
    score,
    range: [low, high],
    band,
  } = news2;
  return isNothingKnown(news2) ? 'not known' : score === null ? `at least ${low} (max ${high})` : `${score}, ${band}`;
}

/** Returns the band of a complete score, else how many parts are known and the band that they already prove. */
export function news2Meaning({ complete, band, atLeast, missing }: News2): string {
  return complete ? band : `${7 - missing.length} of 7 known${atLeast === null ? '' : `, at least ${atLeast}`}`;
}

/** Returns the same for a narrow column: the proven band says more than the number of known parts. */
export function news2ShortMeaning(score: News2): string {
  return score.complete || score.atLeast === null ? news2Meaning(score) : `at least ${score.atLeast}`;
}

/** Returns "Not counted: air or oxygen missing, temperature too old (14 h)"; empty for a complete score. */
export function news2Missing({ missing }: News2, latest: LatestValues, now: EpochMs): string {
  const named = missing.map(
    (kind) => `${kind === 'spo2' ? 'SpO2' : news2Labels[kind].toLowerCase()} ${whyNotCounted(kind, latest, now)}`,
  );
  return named.length === 0 ? '' : `Not counted: ${named.join(', ')}`;
}

/** Returns why a part is not in the score at `now`: "missing", "too old (14 h)", "uncertain". */
export function whyNotCounted(kind: News2Kind, latest: LatestValues, now: EpochMs): string {
  // The pulse is named once, as the oximeter's.
  const value = latest[kind] ?? (kind === 'pulseRate' ? latest.heartRate : undefined);
  const asOf = value === undefined ? null : parseInstant(value.asOf);
  if (value === undefined || asOf === null) {
    return 'missing';
  }
  if (value.quality !== 'good') {
    return value.quality === 'invalid' ? 'without a signal' : 'uncertain';
  }
  const age = now - asOf;
  return isAgeKnown(age) ? `too old (${formatAge(age)})` : 'of unknown age';
}
