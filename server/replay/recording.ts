import { hasSignal, type consciousnessLevels, type VitalKind } from '../../lib/vitals/kinds';
import type { Quality } from '../../lib/vitals/schema';

/** Why a part of a recording is not played. The texts are what the summary prints. */
export type SkipReason =
  | 'no value (empty or NaN)'
  | 'not a number'
  | 'unreadable time'
  | 'flagged as a charting error'
  | 'alarm limit'
  | 'calculated from another row'
  | 'other pressure source'
  | 'mean pressure'
  | 'oxygen fraction, not a flow'
  | 'oxygen device'
  | 'second device of the same kind'
  | 'coma scale'
  | 'consciousness without a single ACVPU letter'
  | 'unit does not fit'
  | 'pain'
  | 'glucose'
  | 'no kind for it'
  | 'unknown item';

export type Skipped = Partial<Record<SkipReason, number>>;

/** One value of a recording, as the device will send it. */
export interface RecordedSample {
  kind: VitalKind;
  /** In the kind's unit, or a letter of ACVPU. */
  value: number | (typeof consciousnessLevels)[number];
  /** When it was measured: milliseconds since the recording's first row. */
  atMs: number;
  /**
   * When it was entered, on the same scale, if the recording says so; a late entry was entered after it was measured.
   */
  enteredAtMs?: number;
  quality: Quality;
}

export interface Recording {
  samples: RecordedSample[];
  /** How often the recording's device measures, in milliseconds. */
  expectedEveryMs: number;
  /** How many values are not played, by reason; rows, if a row is one value. */
  skipped: Skipped;
  /** What its columns were taken for, by their names. */
  columns?: string;
}

/** A row of a table, by the names of its columns. */
export type Row = Record<string, string>;

/** Blood pressure comes from an inflating cuff or from a line in an artery; one replay plays one of them. */
export type PressureSource = 'cuff' | 'invasive';

/** A file that cannot be played as a whole; the message is for the user of the command. */
export class UnreadableRecording extends Error {
  override name = 'UnreadableRecording';
}

/** Adds to the count of one reason. */
export function countSkipped(skipped: Skipped, reason: SkipReason, count = 1): void {
  if (count > 0) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
}

/**
 * Returns the source of blood pressure that is played by default: the one that measured more often. If neither did it
 * is the line, so that its silence shows.
 */
export function richerSource(cuffReadings: number, invasiveReadings: number): PressureSource {
  return cuffReadings > 0 && cuffReadings >= invasiveReadings ? 'cuff' : 'invasive';
}

/**
 * A value below what a probe can measure is "no signal" and has no quality to trust (SpO2 0, oximeter pulse below 20).
 */
export function signalQuality(kind: VitalKind, value: number): Quality {
  return hasSignal(kind, value) ? 'good' : 'invalid';
}
