import type { CompiledQuery } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { agreementMs } from '../../lib/vitals/deviceClock';
import type { Evaluation } from '../alerts/evaluateSamples';
import { movedMs, type Sample } from '../vitals/sample';

export interface Quarantined {
  siteId: number;
  deviceId: number;
  receivedAt: EpochMs;
  code: string;
  sample: string;
}

/**
 * What one call writes, or all sources of a message. Samples are distinct by key. `replaced` are samples that the same
 * call corrected by the sample at the index `by`. They are stored as corrected unless that one is a duplicate: then the
 * whole call was sent before.
 */
export interface WriteRequest {
  samples: Sample[];
  replaced: { sample: Sample; by: number }[];
  quarantined: Quarantined[];
  /** Store the offsets of devices' clocks that are not as stored. */
  clocks: CompiledQuery[];
  /** The offset of the device's clock is certain (`CallClock`); of several devices: that of each is. */
  isClockEstablished: boolean;
  /** What the last of several requests writes. */
  ending: Ending | null;
  /** A person said at this time that the samples, which are stored, were entered in error; null: they arrived. */
  withdrawnAt: EpochMs | null;
}

/** Returns a request that writes nothing but what is given. */
export function newRequest(more: Partial<WriteRequest> = {}): WriteRequest {
  return {
    samples: [],
    replaced: [],
    quarantined: [],
    clocks: [],
    ending: null,
    isClockEstablished: false,
    withdrawnAt: null,
    ...more,
  };
}

/** A statement that runs in the transaction in which the last of several requests is written, when all others are. */
export interface Ending {
  query: CompiledQuery;
  /** Requests that are not written. One whose transaction fails comes back, so the statement does not run any more. */
  open: Set<WriteRequest>;
}

/** Returns the statement that is to run in the savepoint of a request that has been written, if it is the last one. */
export function endingOf(request: WriteRequest): CompiledQuery[] {
  const { ending } = request;
  ending?.open.delete(request);
  return ending?.open.size === 0 ? [ending.query] : [];
}

/**
 * Returns whether a sample that has the key of a stored one was measured at another time: the device's clock was set
 * back, and shows the same time again. It is no repeat and no correction, also if its value is the same.
 */
export function isLater(stored: { offset_ms: number }, sample: Sample, { isClockEstablished }: WriteRequest): boolean {
  return isClockEstablished && sample.offsetMs - stored.offset_ms > agreementMs;
}

/** Returns a sample whose time is taken at the next time, a millisecond later. */
export function atNextTime(sample: Sample): Sample {
  const takenAt = sample.takenAt + 1;
  return { ...sample, takenAt, minute: Math.floor((takenAt + movedMs(sample)) / 60_000) };
}

/** The outcome for each of `samples`, in order. */
export type Written = ('new' | 'duplicate' | 'correction')[];

/**
 * Writes a group of calls in one transaction, each in its own savepoint, and returns after the commit. A call that
 * fails is returned as its error and does not affect the others. `closedUntil` is the first minute whose rollup is
 * still open (`isOpenMinute`). A sample whose time is taken is replaced in its request by what was stored. `evaluate`
 * returns the alert changes of a call's samples, which are written in the same savepoint. `sent` is called before a
 * commit whose answer can be lost: if the writer rejects after that, the group may be stored.
 */
export type Writer = (
  group: WriteRequest[],
  closedUntil: number,
  evaluate: Evaluation['evaluate'],
  sent: () => void,
) => Promise<(Written | Error)[]>;
