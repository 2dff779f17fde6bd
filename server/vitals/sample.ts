import type { EpochMs } from '../../lib/time/epochMs';

/** One sample, numbers as in the store. */
export interface Sample {
  /** That of its time by our clock, give or take `nearMs`. */
  minute: number;
  patientId: number;
  kind: number;
  /** As the device sent it. */
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

/** What one sample of the store is found by: where the minute is not known, near that of the newest (`movedMs`). */
export type SampleKey = Pick<Sample, 'patientId' | 'kind' | 'takenAt' | 'deviceId'> & { minute?: number };

export function sampleKeyText({ patientId, kind, takenAt, deviceId }: SampleKey): string {
  return [patientId, kind, takenAt, deviceId].join(' ');
}

const minuteMs = 60_000;
/** An offset that is nearer than this to that of the minute does not move it, in milliseconds. */
export const nearMs = 45_000;

/** Returns by how much the minute of a sample was moved from its device's time to ours, in milliseconds. */
export function movedMs({ minute, takenAt }: Pick<Sample, 'minute' | 'takenAt'>): number {
  return (minute - Math.floor(takenAt / minuteMs)) * minuteMs;
}
