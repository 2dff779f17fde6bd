import type { EpochMs } from '../../lib/time/epochMs';
import type { Evaluation } from '../alerts/alerts';
import type { Sample } from '../vitals/sample';

export interface Quarantined {
  siteId: number;
  deviceId: number;
  receivedAt: EpochMs;
  code: string;
  sample: string;
}

/**
 * What one call wants written: samples are distinct by key. `replaced` are those that the same call took back with the
 * sample at the place `by`; they are kept as corrected unless that one is a duplicate, because then the whole call came
 * before.
 */
export interface WriteRequest {
  samples: Sample[];
  replaced: { sample: Sample; by: number }[];
  quarantined: Quarantined[];
}

/** What became of it: for each of `samples`, in order. */
export type Written = ('new' | 'duplicate' | 'correction')[];

/**
 * Writes a group of calls in one transaction, each in a savepoint of its own, and answers after the commit. A call that
 * fails comes back as its error and takes no other with it. `closedUntil` is the first minute whose rollup is still
 * open; `evaluate` says what alerts a call's samples bring, which is written in the same savepoint.
 */
export type Writer = (
  group: WriteRequest[],
  closedUntil: number,
  evaluate: Evaluation['evaluate'],
) => Promise<(Written | Error)[]>;
