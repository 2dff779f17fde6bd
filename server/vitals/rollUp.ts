import { isInvalid, isQuestionable, isWithdrawn } from './qualityCode';

/**
 * What one minute of one kind of one patient held: extremes, last value and number of the samples that are not invalid,
 * and how many of those were questionable.
 */
export interface Rollup {
  min: number | null;
  max: number | null;
  last: number | null;
  count: number;
  questionable: number;
  invalid: number;
}

export function emptyRollup(): Rollup {
  return { min: null, max: null, last: null, count: 0, questionable: 0, invalid: 0 };
}

/**
 * Takes a minute's samples in the order of their times and returns its rollup. Invalid ones only count as such, and
 * those that were entered in error not at all.
 */
export function rollUp(rows: readonly { value: number; quality: number }[]): Rollup {
  const rollup = emptyRollup();
  for (const { value, quality } of rows.filter((row) => !isWithdrawn(row.quality))) {
    addTo(rollup, value, quality);
  }
  return rollup;
}

/** Adds a sample that is newer than those before it. */
export function addTo(rollup: Rollup, value: number, quality: number): void {
  if (isInvalid(quality)) {
    rollup.invalid += 1;
    return;
  }
  rollup.min = rollup.min === null ? value : Math.min(rollup.min, value);
  rollup.max = rollup.max === null ? value : Math.max(rollup.max, value);
  rollup.last = value;
  rollup.count += 1;
  rollup.questionable += isQuestionable(quality) ? 1 : 0;
}

/**
 * Takes the rollup of a minute whose samples may have been deleted for their age and that of the late ones that it
 * holds now, and returns both together: a late sample adds and never replaces. Sending one again changes nothing, so
 * counts are the larger of the two, not their sum.
 */
export function keepDeleted(rollup: Rollup, stored: Rollup | undefined): Rollup {
  if (stored === undefined) {
    return rollup;
  }
  const pick = (a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null =>
    a === null || b === null ? (a ?? b) : choose(a, b);
  return {
    min: pick(stored.min, rollup.min, Math.min),
    max: pick(stored.max, rollup.max, Math.max),
    last: stored.last ?? rollup.last,
    count: Math.max(stored.count, rollup.count),
    questionable: Math.max(stored.questionable, rollup.questionable),
    invalid: Math.max(stored.invalid, rollup.invalid),
  };
}
