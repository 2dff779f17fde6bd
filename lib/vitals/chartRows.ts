import type { EpochMs } from '../time/epochMs';
import type { ChartLine } from './chartLine';
import type { VitalKind } from './kinds';

/** One line of the table beside a chart. */
export interface ChartRow {
  kind: VitalKind;
  /** Epoch milliseconds. */
  at: EpochMs;
  /** Null if the device said that it measured nothing. */
  value: number | null;
  /** The extremes and the number of the samples that the row represents; null if it is one sample. */
  bucket: { low: number; high: number; count: number } | null;
  quality: 'good' | 'questionable' | 'no signal';
  /** True if there is a value although some of the bucket's samples had no signal. */
  isPartlySilent: boolean;
  isManual?: true;
  isByPatient?: true;
  /** When it arrived, if that was late; epoch milliseconds. */
  receivedAt?: EpochMs;
  /** When it was taken by the clock of its device, if that is wrong; epoch milliseconds. */
  sentAs?: EpochMs;
}

/** Takes the lines of a chart and returns all that they hold as rows, newest first: what is drawn, and what is not. */
export function chartRows(lines: readonly ChartLine[]): ChartRow[] {
  return lines.flatMap(rowsOf).sort((a, b) => b.at - a.at);
}

function rowsOf({ kind, bucketMs, runs, invalidAt }: ChartLine): ChartRow[] {
  const points = runs.flat();
  const pointsAt = new Set(points.map(({ at }) => at));
  const silentAt = new Set(invalidAt);
  const measured = points.map(({ low, high, count, ...point }): ChartRow => {
    const bucket = bucketMs > 0 ? { low, high, count } : null;
    return { kind, ...point, bucket, isPartlySilent: silentAt.has(point.at) };
  });
  const silent = [...silentAt].filter((at) => !pointsAt.has(at));
  return [
    ...measured,
    ...silent.map((at): ChartRow => ({
      kind,
      at,
      value: null,
      bucket: null,
      quality: 'no signal',
      isPartlySilent: false,
    })),
  ];
}
