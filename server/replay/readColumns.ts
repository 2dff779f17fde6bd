import type { VitalKind } from '../../lib/vitals/kinds';
import type { Quality } from '../../lib/vitals/schema';
import { readNumber } from './readNumber';
import type { Row } from './readTable';
import { countSkipped, type RecordedSample, type Skipped, type SkipReason } from './recording';

/** The use of a column: a kind that is played, the reason why it is not played, or null if it is no measurement. */
export type ColumnUse = VitalKind | { skip: SkipReason } | null;

interface Columns {
  /** The column of the time, and the milliseconds of one of its units. */
  time: string;
  unitMs: number;
  plan: ReadonlyMap<string, ColumnUse>;
  qualityOf: (kind: VitalKind, value: number) => Quality;
}

const notPlanned: ColumnUse = { skip: 'no kind for it' };

/**
 * Reads a table with one row per time and one column per measurement. A column that the plan does not know is counted
 * as 'no kind for it'. Times count from the first row, also if it has no value.
 */
export function readColumns(
  rows: readonly Row[],
  { time, unitMs, plan, qualityOf }: Columns,
): { samples: RecordedSample[]; skipped: Skipped } {
  const samples: RecordedSample[] = [];
  const skipped: Skipped = {};
  let start: number | null = null;
  for (const row of rows) {
    const at = readNumber(row[time]);
    if (typeof at === 'string') {
      countSkipped(skipped, 'unreadable time');
      continue;
    }
    start ??= at;
    const atMs = Math.round((at - start) * unitMs);
    for (const [column, text] of Object.entries(row)) {
      const use = plan.has(column) ? plan.get(column) : notPlanned;
      if (column === time || use === null || use === undefined) {
        continue;
      }
      const value = readNumber(text);
      if (typeof use !== 'string') {
        countSkipped(skipped, use.skip, value === 'none' ? 0 : 1);
      } else if (typeof value === 'string') {
        countSkipped(skipped, value === 'none' ? 'no value (empty or NaN)' : 'not a number');
      } else {
        samples.push({ kind: use, value, atMs, quality: qualityOf(use, value) });
      }
    }
  }
  return { samples, skipped };
}
