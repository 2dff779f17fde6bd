import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import { toPlainLine } from '../../lib/plainText';
import { readAppleHealth } from './readAppleHealth';
import { readChartEvents } from './readChartEvents';
import { findHeader, readColumns, type ColumnChoice } from './readColumns';
import { readTable } from './readTable';
import { isWfdbHeader, readWfdb, type ReadBeside } from './readWfdb';
import { UnreadableRecording, type Recording, type Row } from './recording';

/** What the user chooses for a recording, and how to read what is beside it; without, nothing is. */
interface Choice extends ColumnChoice {
  readBeside?: ReadBeside;
}

/** How each format begins, as the user is shown it. */
const beginnings = {
  chartevents: 'charttime,storetime,itemid,...,value,valuenum,valueuom,error',
  wfdb: 'the .hea of a numerics record: its name, signals and samples a second, then a line for each signal',
  applehealth: '<HealthData ...> of export.xml',
  columns:
    'any line with a time (Time, timestamp, Date, Elapsed time, seconds) and SpO2 (SpO2, Oxygen Level, oxygen ' +
    'saturation), pulse (Pulse, Pulse Rate, PR, HR, beats per minute) or respiratory rate (RESP, breaths per minute)',
} as const;
export type FormatName = keyof typeof beginnings;

/**
 * Takes the text of a file and returns the recording in it, in the format that its header says. Throws
 * UnreadableRecording when no format fits or the file breaks its own format.
 */
export function readRecording(text: string, choice: Choice): Recording & { format: FormatName } {
  const start = text.replace(/^\uFEFF/, '');
  if (start.startsWith('charttime,storetime,itemid,')) {
    return { ...readChartEvents(start, choice.pressure), format: 'chartevents' };
  }
  if (isWfdbHeader(start)) {
    return { ...readColumns(readWfdb(start, choice.readBeside), choice), format: 'wfdb' };
  }
  if (/^\s*</.test(start) && start.includes('<HealthData')) {
    return { ...readColumns(readAppleHealth(start), choice), format: 'applehealth' };
  }
  const header = findHeader(start, choice.columns);
  if (header === null) {
    const [line = ''] = /\S[^\r\n]*/.exec(start.slice(0, 10_000)) ?? [];
    const lines = [
      'has a header of no known format',
      `  found: ${toPlainLine(line).slice(0, 200)}`,
      ...Object.entries(beginnings).map(([name, beginning]) => `  known: ${name}: ${beginning}`),
      '  --column says what a column is',
    ];
    throw new UnreadableRecording(lines.join('\n'));
  }
  const rows = readTable(header.body, header.delimiter, [], true).flatMap(expandLists);
  return { ...readColumns(rows, choice), format: 'columns' };
}

/**
 * Withings writes several values in a row, one after another, with the seconds that each of them lasts:
 * "start,duration,value" and 2026-05-01T22:00:00+02:00,"[60,60]","[62,64]" (github.com/eliluong, "How to import
 * Withings Sleep heart rate data"). Returns a row for each.
 */
function expandLists(row: Row): Row[] {
  const listIn = (text = ''): string[] => /^\[(.*)\]$/.exec(text)?.[1]?.split(',') ?? [];
  const start = parseInstant(row.start ?? '');
  if (start === null || listIn(row.duration).length === 0) {
    return [row];
  }
  let at = start;
  return listIn(row.duration).map((seconds, index) => {
    const own = { ...row, start: toInstant(at), value: listIn(row.value)[index] ?? '' };
    at += Number.isNaN(Number(seconds)) ? 0 : Number(seconds) * 1_000;
    return own;
  });
}
