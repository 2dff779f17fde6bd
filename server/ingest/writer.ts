import type { CompiledQuery } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Evaluation } from '../alerts/evaluateSamples';
import type { Sample } from '../vitals/sample';

export interface Quarantined {
  siteId: number;
  deviceId: number;
  receivedAt: EpochMs;
  code: string;
  sample: string;
}

/**
 * What one call writes. Samples are distinct by key. `replaced` are samples that the same call corrected by the sample
 * at the index `by`. They are stored as corrected unless that one is a duplicate: then the whole call was sent before.
 */
export interface WriteRequest {
  samples: Sample[];
  replaced: { sample: Sample; by: number }[];
  quarantined: Quarantined[];
  /** Stores a new offset of the device's clock; null if it is as stored. */
  clock: CompiledQuery | null;
}

/** The outcome for each of `samples`, in order. */
export type Written = ('new' | 'duplicate' | 'correction')[];

/**
 * Writes a group of calls in one transaction, each in its own savepoint, and returns after the commit. A call that
 * fails is returned as its error and does not affect the others. `closedUntil` is the first minute whose rollup is
 * still open. `evaluate` returns the alert changes of a call's samples, which are written in the same savepoint.
 */
export type Writer = (
  group: WriteRequest[],
  closedUntil: number,
  evaluate: Evaluation['evaluate'],
) => Promise<(Written | Error)[]>;
