import type { CsvCell } from '../../lib/csvLine';
import { groupBy } from '../../lib/groupBy';
import { toInstant } from '../../lib/time/schema';
import { consciousnessLevels, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import { readNames } from '../users/readNames';
import { isManual, userOfSource } from '../vitals/manualSource';
import { isLate } from '../vitals/queries';
import { isClockKnown, isInvalid, isWithdrawn, qualityOf } from '../vitals/qualityCode';
import type { TimedRow } from '../vitals/samples';
import { sourceName } from '../vitals/shownSource';
import { estimateVitals } from './estimateVitals';
import { timeCells, timeColumns, yesNo, type Exported, type ExportedKind } from './exportedKind';
import { readVitalRows, type VitalPart } from './vitalRows';

const minuteMs = 60_000;

/**
 * The vital signs, one kind after the other. A row is a sample, or a minute with the extremes, the last value and the
 * number of its samples, which are no longer kept. A sample without a signal has no value: it is none.
 */
export const exportVitals: ExportedKind = {
  columns: [
    'kind',
    'unit',
    'row',
    ...timeColumns('time'),
    'value',
    'min',
    'max',
    'last',
    'samples',
    'questionable_samples',
    'samples_without_signal',
    'quality',
    'source',
    'typed_in_by',
    'received_utc',
    'came_late',
    'time_as_sent_utc',
    'device_clock',
    'device_clock_behind_s',
    'value_before_correction',
    'corrected_utc',
  ],
  estimate: estimateVitals,
  async *rows(exported) {
    for (const kind of vitalKinds) {
      for await (const part of readVitalRows(exported, kind)) {
        yield await present(exported, kind, part);
      }
    }
  },
};

async function present(exported: Exported, kind: VitalKind, part: VitalPart): Promise<Iterable<CsvCell[]>> {
  const nameOf = await readNames(
    exported.server.store.db,
    part.samples.flatMap(({ device_id }) => userOfSource(device_id) ?? []),
  );
  const corrections = await readCorrections(exported, kind, part.samples);
  const cellsOf = (sample: TimedRow): CsvCell[] =>
    sampleCells(exported, kind, sample, corrections.get(keyOf(sample)) ?? [], (id) => nameOf(id).name);
  return inOrder(exported, kind, part, cellsOf);
}

/** Yields the rows of a part by their times. One by one, so that they do not all wait in memory to be sent. */
function* inOrder(
  exported: Exported,
  kind: VitalKind,
  { minutes, samples }: VitalPart,
  cellsOf: (sample: TimedRow) => CsvCell[],
): Generator<CsvCell[]> {
  let next = 0;
  for (const one of minutes) {
    let sample = samples[next];
    while (sample !== undefined && sample.at < one.minute * minuteMs) {
      yield cellsOf(sample);
      next += 1;
      sample = samples[next];
    }
    yield minuteCells(exported, kind, one);
  }
  for (const sample of samples.slice(next)) {
    yield cellsOf(sample);
  }
}

const noSampleCells = Array.from({ length: 10 }, () => null);
const noMinuteCells = Array.from({ length: 6 }, () => null);

function minuteCells(
  exported: Exported,
  kind: VitalKind,
  { minute, min, max, last, count, questionable, invalid }: VitalPart['minutes'][number],
): CsvCell[] {
  return [
    kind,
    kinds[kind].unit,
    'minute',
    ...timeCells(exported, minute * minuteMs),
    null,
    valueCell(kind, min),
    valueCell(kind, max),
    valueCell(kind, last),
    count,
    questionable,
    invalid,
    ...noSampleCells,
  ];
}

function sampleCells(
  exported: Exported,
  kind: VitalKind,
  sample: TimedRow,
  earlier: readonly { old_value: number; replaced_at: number }[],
  nameOf: (id: number) => string,
): CsvCell[] {
  const { at, taken_at, device_id, value, quality, received_at, offset_ms } = sample;
  const user = userOfSource(device_id);
  return [
    kind,
    kinds[kind].unit,
    'sample',
    ...timeCells(exported, at),
    isInvalid(quality) ? null : valueCell(kind, value),
    ...noMinuteCells,
    isWithdrawn(quality) ? 'entered in error' : qualityOf(quality),
    sourceName(exported.server.liveState, device_id),
    user !== null ? nameOf(user) : isManual(device_id) ? 'check-in from home' : null,
    exported.utcTime(received_at),
    yesNo(isLate(sample)),
    exported.utcTime(taken_at),
    isClockKnown(quality) ? 'known' : 'unknown',
    isClockKnown(quality) ? offset_ms / 1_000 : null,
    earlier.map(({ old_value }) => String(valueCell(kind, old_value))).join(' ') || null,
    earlier.map(({ replaced_at }) => toInstant(replaced_at)).join(' ') || null,
  ];
}

/** The levels of consciousness are letters. */
function valueCell(kind: VitalKind, value: number | null): CsvCell {
  return kind === 'consciousness' && value !== null ? (consciousnessLevels[value] ?? value) : value;
}

const keyOf = ({ taken_at, device_id }: Pick<TimedRow, 'taken_at' | 'device_id'>): string => `${taken_at} ${device_id}`;

/** Resolves with what a sample was before each of its corrections, the first one first, by its key. */
async function readCorrections(
  { server: { store }, patient }: Exported,
  kind: VitalKind,
  samples: readonly TimedRow[],
): Promise<Map<string, { old_value: number; replaced_at: number }[]>> {
  const times = samples.map(({ taken_at }) => taken_at);
  if (times.length === 0) {
    return new Map();
  }
  const rows = await store.db
    .selectFrom('sample_corrections')
    .select(['taken_at', 'device_id', 'old_value', 'replaced_at'])
    .where('patient_id', '=', patient.id)
    .where('kind', '=', kinds[kind].code)
    .where('taken_at', '>=', Math.min(...times))
    .where('taken_at', '<=', Math.max(...times))
    .orderBy('id')
    .execute();
  return groupBy(rows, keyOf);
}
