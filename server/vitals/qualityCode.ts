import type { Quality } from '../../lib/vitals/schema';

const codes = { good: 0, questionable: 1, invalid: 2 } as const satisfies Record<Quality, number>;
const qualityByCode = ['good', 'questionable', 'invalid'] as const satisfies readonly Quality[];
/** Added if the device did not state a quality. */
const unstated = 4;
/** Added if the device stated no quality although it did before (clinical.md section 0, Q2). */
const stopped = 8;

/** After the last stated quality a sample without one is questionable for so long, in milliseconds; then it is good. */
const questionableMs = 5 * 60_000;

/** Added if the device's clock was not known: no one knows how old the sample is (clinical.md section 0, C3). */
const clockUnknown = 16;

/** Added if a person said that the sample was entered in error: it counts for nothing any more, and stays on record. */
const withdrawn = 32;

/** Returns the number of a sample that was entered in error. */
export function withdrawnCode(code: number): number {
  return codes.invalid + (isClockKnown(code) ? 0 : clockUnknown) + withdrawn;
}

/** Returns whether a person said that the sample was entered in error. */
export function isWithdrawn(code: number): boolean {
  return code >= withdrawn;
}

/** Returns the number of a sample whose age is not known. */
export function withUnknownClock(code: number): number {
  return code + clockUnknown;
}

/** Returns whether it is known how old a sample is. */
export function isClockKnown(code: number): boolean {
  return code % withdrawn < clockUnknown;
}

/** Returns the number that the store keeps for a quality. */
export function qualityCode(quality: Quality, stated: boolean): number {
  return codes[quality] + (stated ? 0 : unstated);
}

/**
 * Returns the number that the store keeps for a sample without a quality from a source that stated one, the last time
 * `sinceMs` milliseconds before. Without a signal it is invalid.
 */
export function stoppedCode(hasSignal: boolean, sinceMs: number): number {
  const quality: Quality = !hasSignal ? 'invalid' : sinceMs <= questionableMs ? 'questionable' : 'good';
  return codes[quality] + stopped;
}

/** Returns whether the source of a sample stated qualities before and does no longer. */
export function hasStoppedStating(code: number): boolean {
  return code % clockUnknown >= stopped;
}

/** Returns the quality of a stored number. */
export function qualityOf(code: number): Quality {
  return isQuestionable(code) ? 'questionable' : (qualityByCode[code % unstated] ?? 'invalid');
}

/** A good sample of an unknown clock is questionable as well. */
export function isQuestionable(code: number): boolean {
  const base = code % unstated;
  return base === codes.questionable || (base === codes.good && !isClockKnown(code));
}

/** Returns the number of the same sample without a signal. */
export function invalidCode(code: number): number {
  return code - (code % unstated) + codes.invalid;
}

export function isInvalid(code: number): boolean {
  return code % unstated === codes.invalid;
}

/** Returns whether the device stated the quality with the sample. */
export function isStated(code: number): boolean {
  return code % clockUnknown < unstated;
}

/** Returns whether a sample shows that its source states qualities, or did. */
export function isOfStatingSource(code: number): boolean {
  const stated = code % clockUnknown;
  return stated < unstated || stated >= stopped;
}

/**
 * Returns whether a sample only repeats an earlier one of the same key. A sample without a quality contradicts none, so
 * that a repeated call stays a repeat even if its source has begun to state qualities since. Nothing brings a withdrawn
 * sample back.
 */
export function isRepeat(
  known: { value: number; quality: number },
  sample: { value: number; quality: number },
): boolean {
  if (isWithdrawn(known.quality) || isWithdrawn(sample.quality)) {
    return isWithdrawn(known.quality);
  }
  const quality = sample.quality % clockUnknown;
  return known.value === sample.value && (known.quality % clockUnknown === quality || quality >= unstated);
}
