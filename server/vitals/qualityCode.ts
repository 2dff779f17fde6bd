import type { Quality } from '../../lib/vitals/schema';

const codes = { good: 0, questionable: 1, invalid: 2 } as const satisfies Record<Quality, number>;
const qualityByCode = ['good', 'questionable', 'invalid'] as const satisfies readonly Quality[];
/** Added where the device did not state a quality. */
const unstated = 4;
/**
 * Added if the device stated no quality although it did before: its samples are trusted no longer (clinical.md 2.3).
 */
const silent = 8;

/** Takes a quality and whether the device stated it, and returns the number that the store keeps. */
export function qualityCode(quality: Quality, stated: boolean): number {
  return codes[quality] + (stated ? 0 : unstated);
}

/** What the store keeps for a sample without a quality from a source that states one. */
export const silentCode = codes.invalid + silent;

/** Returns the quality of a stored number. */
export function qualityOf(code: number): Quality {
  return qualityByCode[code % unstated] ?? 'invalid';
}

export function isQuestionable(code: number): boolean {
  return code % unstated === codes.questionable;
}

export function isInvalid(code: number): boolean {
  return code % unstated === codes.invalid;
}

/** Whether this sample shows that its source states qualities. */
export function isOfStatingSource(code: number): boolean {
  return code < unstated || code >= silent;
}

/**
 * Whether a sample says nothing that is not known already from an earlier one of the same key. One that states no
 * quality contradicts none, so that a call which is sent again stays a repeat whatever its source has learned to say
 * since.
 */
export function isRepeat(
  known: { value: number; quality: number },
  sample: { value: number; quality: number },
): boolean {
  return known.value === sample.value && (known.quality === sample.quality || sample.quality >= unstated);
}
