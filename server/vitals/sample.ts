import type { EpochMs } from '../../lib/time/epochMs';

/** One sample, numbers as in the store. */
export interface Sample {
  minute: number;
  patientId: number;
  kind: number;
  takenAt: EpochMs;
  deviceId: number;
  siteId: number;
  value: number;
  quality: number;
  receivedAt: EpochMs;
  offsetMs: number;
  /** It is shown and judged, but the store did not take it. */
  isUnstored?: true;
}

/** One kind of one patient as one number; the codes of kinds stay below 64. */
export function seriesKey(patientId: number, kind: number): number {
  return patientId * 64 + kind;
}

/** The newest sample of one kind, and the newest before it that measured something. */
export interface Latest {
  sample: Sample;
  /** The instant that the age counts from, epoch milliseconds. */
  asOf: EpochMs;
  /** `isUncertain` is not known after a restart, unless it is the newest sample. */
  valid: { value: number; takenAt: EpochMs; deviceId: number; asOf: EpochMs; isUncertain?: true } | null;
  /** Of a device whose newest sample is not stored: what the store has in its place. */
  stored?: Latest;
}

/** What one sample of the store is found by. */
export type SampleKey = Pick<Sample, 'patientId' | 'kind' | 'takenAt' | 'deviceId'>;

export function sampleKeyText({ patientId, kind, takenAt, deviceId }: SampleKey): string {
  return [patientId, kind, takenAt, deviceId].join(' ');
}
