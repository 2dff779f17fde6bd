import type { EpochMs } from '../time/epochMs';
import type { ChartWindow } from './chartGaps';
import type { ChartLine } from './chartLine';

/** A column of values: null breaks the line, undefined means that the line has nothing at this instant and goes on. */
export type ChartColumn = (number | null | undefined)[];

/**
 * Takes the lines of one chart and its window and returns their instants (epoch milliseconds, ascending, each once) and
 * one column of values per line over them, as uPlot wants them. The ends of the window are always among the instants,
 * because without any uPlot draws no axis.
 */
export function chartColumns(
  lines: readonly ChartLine[],
  { from, to }: ChartWindow,
): [instants: number[], ...values: ChartColumn[]] {
  const values = lines.map(valuesByInstant);
  const instants = [...new Set([from, to, ...values.flatMap((byInstant) => [...byInstant.keys()])])].sort(
    (a, b) => a - b,
  );
  return [instants, ...values.map((byInstant) => widenBreaks(instants.map((at) => byInstant.get(at))))];
}

function valuesByInstant({ runs }: ChartLine): Map<number, number | null> {
  const values = new Map<number, number | null>();
  let lastAt: EpochMs | null = null;
  // What was typed in is a mark alone: it may lie inside a run of a device, which goes on past it.
  for (const run of runs.filter(([first]) => first?.isManual !== true)) {
    const first = run[0];
    if (lastAt !== null && first !== undefined && first.at > lastAt) {
      // Anywhere between the two runs will do; the middle never meets a sample of this line.
      values.set((lastAt + first.at) / 2, null);
    }
    for (const { at, value } of run) {
      values.set(at, value);
      lastAt = at;
    }
  }
  return values;
}

/**
 * Makes a break reach from the last value before it to the first after it. If the other line has instants inside the
 * break, uPlot would draw this one on to the null itself.
 */
function widenBreaks(column: ChartColumn): ChartColumn {
  const widened = [...column];
  for (const [index, value] of column.entries()) {
    if (value === null) {
      for (let before = index - 1; widened[before] === undefined && before >= 0; before -= 1) {
        widened[before] = null;
      }
      for (let after = index + 1; widened[after] === undefined && after < widened.length; after += 1) {
        widened[after] = null;
      }
    }
  }
  return widened;
}
