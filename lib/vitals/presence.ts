import type { EpochMs } from '../time/epochMs';

/** What decides whether a source is present. Epoch milliseconds, by when its values were measured. */
export interface SourceState {
  /** The newest valid value; null: none yet. */
  validAt: EpochMs | null;
  /** The first of the invalid ones since then; null: there is none. */
  invalidSince: EpochMs | null;
  /** Between two of its values, as observed; as it is set before that was observed. Milliseconds. */
  everyMs: number;
}

/** The least time for which a valid value keeps its source present, and the longest of invalid ones alone. */
const presentMs = 10_000;
const presentIntervals = 1.5;

/** Returns until when a source is present if nothing more of it arrives (clinical.md section 0, Q1), or null. */
export function presentUntil({ validAt, invalidSince, everyMs }: SourceState): EpochMs | null {
  if (validAt === null) {
    return null;
  }
  const until = validAt + Math.max(presentMs, presentIntervals * everyMs);
  return invalidSince === null ? until : Math.min(until, invalidSince + presentMs);
}

/** Returns whether a source is present at `now`, so that its values are the ones to be evaluated and shown. */
export function isPresent(source: SourceState, now: EpochMs): boolean {
  const until = presentUntil(source);
  return until !== null && now <= until;
}
