import { parseInstant } from '../../lib/time/parseInstant';
import { chartItems, type ChartItem } from './chartItems';
import { readNumber } from './readNumber';
import { readTable } from './readTable';
import {
  countSkipped,
  richerSource,
  signalQuality,
  type PressureSource,
  type RecordedSample,
  type Recording,
  type Row,
  type SkipReason,
} from './recording';

const hour = 3_600_000;

/**
 * The texts that are one letter of ACVPU beyond doubt. "Confused" is not among them: C is confusion that is new, which
 * the chart does not say. Neither are sleep, sedation, lethargy or "Arouse to Stimulation" (voice or pain?).
 */
const consciousness = new Map<string, RecordedSample['value']>([
  ['Alert', 'A'],
  ['Arouse to Voice', 'V'],
  ['Arouse to Pain', 'P'],
  ['Unresponsive', 'U'],
]);

/**
 * Reads the charted vital signs of one MIMIC stay. A row flagged as an error is never played. `charttime` is when a
 * value was measured, `storetime` when it was entered, so a late entry is known late. Both are local times without a
 * zone; only their differences count.
 */
export function readChartEvents(text: string, pressure?: PressureSource): Recording {
  const rows = readTable(text, ',', ['charttime', 'storetime', 'itemid', 'value', 'valuenum', 'valueuom', 'error']);
  const source = pressure ?? richerSource(readings(rows, 'cuff'), readings(rows, 'invasive'));
  const recording: Recording = { samples: [], expectedEveryMs: hour, skipped: {} };
  const times = rows.map((row) => readLocalTime(row.charttime)).filter((time) => time !== null);
  const start = times.reduce((earliest, time) => Math.min(earliest, time), Infinity);
  for (const row of rows) {
    const sample = readRow(row, start, source);
    if (typeof sample === 'string') {
      countSkipped(recording.skipped, sample);
    } else {
      recording.samples.push(sample);
    }
  }
  return recording;
}

function readRow(row: Row, start: number, source: PressureSource): RecordedSample | SkipReason {
  const item = chartItems.get(row.itemid ?? '');
  if (item === undefined) {
    return 'unknown item';
  }
  if (row.error === '1') {
    return 'flagged as a charting error';
  }
  if (item.use === 'skip') {
    return item.reason;
  }
  const at = readLocalTime(row.charttime);
  const enteredAt = row.storetime === '' ? at : readLocalTime(row.storetime);
  if (at === null || enteredAt === null) {
    return 'unreadable time';
  }
  const what = item.use === 'consciousness' ? readConsciousness(row) : readValue(row, item, source);
  return typeof what === 'string' ? what : { ...what, atMs: at - start, enteredAtMs: enteredAt - start };
}

type Measured = Pick<RecordedSample, 'kind' | 'value' | 'quality'>;

function readConsciousness(row: Row): Measured | SkipReason {
  const letter = consciousness.get(row.value ?? '');
  if (letter === undefined) {
    return row.value === '' ? 'no value (empty or NaN)' : 'consciousness without a single ACVPU letter';
  }
  return { kind: 'consciousness', value: letter, quality: 'good' };
}

function readValue(
  row: Row,
  item: Extract<ChartItem, { use: 'number' }>,
  source: PressureSource,
): Measured | SkipReason {
  if (item.source !== undefined && item.source !== source) {
    return 'other pressure source';
  }
  const charted = readNumber(row.valuenum);
  if (typeof charted === 'string') {
    return charted === 'none' ? 'no value (empty or NaN)' : 'not a number';
  }
  if (!item.unit.test(row.valueuom ?? '')) {
    return 'unit does not fit';
  }
  const value = item.toOurUnit?.(charted) ?? charted;
  return { kind: item.kind, value, quality: signalQuality(item.kind, value) };
}

function readings(rows: readonly Row[], source: PressureSource): number {
  return rows.filter((row) => {
    const item = chartItems.get(row.itemid ?? '');
    const value = readNumber(row.valuenum);
    return (
      item?.use === 'number' && item.source === source && row.error !== '1' && typeof value === 'number' && value > 0
    );
  }).length;
}

/** Parses "2129-11-24 22:46:57" into milliseconds; the zone is unknown and irrelevant, so UTC is used. */
function readLocalTime(text: string | undefined): number | null {
  return text === undefined ? null : parseInstant(`${text.replace(' ', 'T')}Z`);
}
