import { firstDifference } from '../sortOrder';
import type { EpochMs } from '../time/epochMs';
import { dayOf } from '../time/dayOf';
import { startOfDay } from '../time/startOfDay';
import { changeOf, type GradedReport } from './gradedReport';
import { redFlagsOf } from './redFlagsOf';
import { cellCodes, cellOf, worseCell, type CellCode } from './severity';
import type { SymptomStripResponse } from './stripSchema';
import { redFlags, symptoms, type RedFlag, type Symptom } from './symptoms';

/** A report that could not be read: no one knows what it says. */
export interface UnreadableReport {
  reportedAt: EpochMs;
  isUnreadable: true;
}

type StripRow = SymptomStripResponse['rows'][number];
type Strip = Pick<SymptomStripResponse, 'isDaily' | 'rows'> & {
  columns: (Omit<SymptomStripResponse['columns'][number], 'at'> & { at: EpochMs })[];
};

interface Window {
  from: EpochMs;
  to: EpochMs;
}

const dayMs = 24 * 3_600_000;
const names = Object.keys(symptoms) as Symptom[];

/** Returns when the first column of a window begins: the whole first day counts in its cell. */
export function stripFrom({ from, to }: Window, timeZone: string): EpochMs {
  return to - from < dayMs ? from : startOfDay(dayOf(from, timeZone), timeZone);
}

/**
 * Returns what a patient reported in a window, as symptoms by time; the worst of each day if the window is a day or
 * longer. `newestFirst` are the reports since `stripFrom` and some before, with which the first ones are compared.
 */
export function symptomStrip(
  newestFirst: readonly (GradedReport | UnreadableReport)[],
  window: Window,
  timeZone: string,
): Strip {
  const readable = newestFirst.filter(isReadable);
  const first = stripFrom(window, timeZone);
  const isDaily = window.to - window.from >= dayMs;
  const shown = newestFirst.filter(({ reportedAt }) => reportedAt >= first && reportedAt <= window.to).reverse();
  const starts = isDaily ? daysOf(first, window.to, timeZone) : shown.map(({ reportedAt }) => reportedAt);
  const ofColumn: GradedReport[][] = starts.map(() => []);
  const unreadable = starts.map(() => 0);
  let column = 0;
  for (const [index, report] of shown.entries()) {
    if (isDaily) {
      while ((starts[column + 1] ?? Infinity) <= report.reportedAt) {
        column += 1;
      }
    } else {
      column = index;
    }
    if (isReadable(report)) {
      ofColumn[column]?.push(report);
    } else {
      unreadable[column] = (unreadable[column] ?? 0) + 1;
    }
  }
  const rows = names.flatMap((symptom): StripRow[] => {
    const cells = ofColumn.map((reports, index) =>
      reports.reduce<CellCode>(
        (worst, { answers }) => worseCell(worst, cellOf(answers[symptom])),
        unreadable[index] === 0 ? '.' : '?',
      ),
    );
    return ofColumn.flat().every(({ answers }) => answers[symptom] === undefined)
      ? []
      : [
          {
            symptom,
            cells: cells.join(''),
            change: changeOf(readable, symptom),
            isRedFlag: ofColumn
              .flat()
              .some(({ answers }) => redFlagsOf({ [symptom]: answers[symptom] }, []).length > 0),
          },
        ];
  });
  return {
    isDaily,
    columns: starts.map((at, index) => ({
      at,
      reports: ofColumn[index]?.length ?? 0,
      unreadable: unreadable[index] ?? 0,
      redFlags: flagsOf(ofColumn[index] ?? []),
    })),
    // Stable: symptoms as urgent as each other stay in the order of the table.
    rows: rows.sort((a, b) =>
      firstDifference(
        Number(b.isRedFlag) - Number(a.isRedFlag),
        Number(b.change !== null) - Number(a.change !== null),
        worstOf(b) - worstOf(a),
      ),
    ),
  };
}

const isReadable = (report: GradedReport | UnreadableReport): report is GradedReport => !('isUnreadable' in report);

/** Returns when each day of the site begins, from the one that begins at `first` to the one of `to`. */
function daysOf(first: EpochMs, to: EpochMs, timeZone: string): EpochMs[] {
  const date = dayOf(first, timeZone);
  const days: EpochMs[] = [];
  for (let at = first; at <= to; at = startOfDay(date, timeZone, days.length)) {
    days.push(at);
  }
  return days;
}

function flagsOf(reports: readonly GradedReport[]): RedFlag[] {
  const found = new Set(reports.flatMap((report) => report.redFlags));
  return (Object.keys(redFlags) as RedFlag[]).filter((flag) => found.has(flag));
}

function worstOf({ cells }: StripRow): number {
  return cellCodes.findLastIndex((code) => cells.includes(code));
}
