import type { EpochMs } from '../time/epochMs';

interface Measured {
  /** Epoch milliseconds. */
  at: EpochMs;
  /** If it differs from `at`. */
  measuredAt?: EpochMs;
  /** The source, and the device of that source. */
  source: number;
  deviceId: number;
}

/** Compares two values by the order in which they are evaluated; 0 for the same value sent twice. */
export function inOrderOfMeasuring(a: Measured, b: Measured): number {
  if (a.at !== b.at) {
    return a.at - b.at;
  }
  if (a.source !== b.source) {
    return a.source - b.source;
  }
  return a.deviceId === b.deviceId ? (a.measuredAt ?? 0) - (b.measuredAt ?? 0) : a.deviceId - b.deviceId;
}
