import type { Generated } from 'kysely';

/** The tables of what devices and people measured. */
export interface VitalsTables {
  samples: SamplesTable;
  sample_corrections: SampleCorrectionsTable;
  latest_values: LatestValuesTable;
  minutes: MinutesTable;
  minutes_to_redo: MinutesToRedoTable;
  quarantine: QuarantineTable;
}

interface SamplesTable {
  minute: number;
  patient_id: number;
  kind: number;
  /** The time that the device reported; `offset_ms` corrects the device's clock. */
  taken_at: number;
  device_id: number;
  site_id: number;
  value: number;
  /** See server/vitals/qualityCode.ts. */
  quality: number;
  received_at: number;
  offset_ms: number;
}

interface SampleCorrectionsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  kind: number;
  taken_at: number;
  device_id: number;
  old_value: number;
  old_quality: number;
  old_received_at: number;
  replaced_at: number;
}

interface LatestValuesTable {
  /** Null: written by an earlier release, in the minute of `taken_at`. */
  minute: number | null;
  patient_id: number;
  kind: number;
  site_id: number;
  taken_at: number;
  device_id: number;
  value: number;
  quality: number;
  received_at: number;
  offset_ms: number;
  valid_value: number | null;
  valid_taken_at: number | null;
  valid_as_of: number | null;
}

interface MinutesTable {
  patient_id: number;
  kind: number;
  minute: number;
  site_id: number;
  /** Extremes, last value and count of the minute's samples, invalid ones left out. */
  min: number | null;
  max: number | null;
  last: number | null;
  count: number;
  questionable: number;
  invalid: number;
}

interface MinutesToRedoTable {
  minute: number;
  patient_id: number;
  kind: number;
}

interface QuarantineTable {
  id: Generated<number>;
  site_id: number;
  device_id: number;
  received_at: number;
  code: string;
  /** The sample as it arrived, as JSON, at most 1,000 characters. */
  sample: string;
}
