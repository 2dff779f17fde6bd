import type { Kysely, Selectable } from 'kysely';
import { retrospectiveAfterMs } from '../../lib/alerts/timing';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { agreementMs } from '../../lib/vitals/deviceClock';
import { bucketWidth, toBuckets, type Bucket } from '../../lib/vitals/buckets';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { VitalsResponse, VitalSeries } from '../../lib/vitals/schema';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { InTurn } from '../db/turns';
import { isByPatient, isManual } from './manualSource';
import { isClockKnown, isInvalid, isQuestionable, isWithdrawn, qualityOf } from './qualityCode';
import type { Rollups } from './rollups';
import { readSamples, type SampleRow, type TimedRow } from './samples';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** How far a device's clock may be ahead: later samples are not searched. */
const aheadMs = dayMs;
/** A window of up to this length is read from its samples alone: two hours at 1 Hz are 7,200 rows. */
const rawSpanMs = 2 * 3_600_000;
/** Rolled-up minutes that are read before others have the thread: a few milliseconds. */
const minutesAtOnce = 5_000;
/** How long the minutes are kept. */
const minutesKeptMs = 400 * dayMs;

export interface Window {
  patientId: number;
  kinds: readonly VitalKind[];
  /** Both inclusive. */
  from: number;
  to: number;
  /** The most points of one kind. */
  points: number;
}

/**
 * Reads a patient's vitals in a window: the samples if they are few enough, else the extremes of round buckets. It is
 * done in pieces, each `inTurn`.
 */
export async function readVitals(
  store: Store,
  inTurn: InTurn,
  rollups: Rollups,
  window: Window,
  now: EpochMs,
  rawDays: number,
): Promise<VitalsResponse> {
  const series: VitalSeries[] = [];
  const searched = { ...window, to: Math.min(window.to, now + aheadMs) };
  for (const kind of window.kinds) {
    series.push(await readSeries(store, inTurn, rollups, searched, kind, now - rawDays * dayMs));
  }
  return {
    patientId: window.patientId,
    from: toInstant(window.from),
    to: toInstant(window.to),
    truncated: window.from < now - minutesKeptMs,
    series,
  };
}

async function readSeries(
  store: Store,
  inTurn: InTurn,
  rollups: Rollups,
  window: Window,
  kind: VitalKind,
  rawFrom: number,
): Promise<VitalSeries> {
  const { from, to, points } = window;
  const isInside = ({ at }: TimedRow): boolean => at >= from && at <= to;
  const allSamplesOf = async (minutes: readonly number[]): Promise<TimedRow[]> =>
    (await readSamples(store.db, store.engine, window.patientId, kinds[kind].code, minutes)).filter(
      ({ quality }) => !isWithdrawn(quality),
    );
  const samplesOf = async (minutes: readonly number[]): Promise<TimedRow[]> =>
    (await allSamplesOf(minutes)).filter(isInside);
  if (to - from <= rawSpanMs && from >= rawFrom) {
    return await inTurn(async () => {
      const samples = await samplesOf(minutesBetween(from - minuteMs, to + minuteMs));
      return samples.length <= points
        ? rawSeries(kind, samples)
        : bucketSeries(kind, samples.map(asPart), bucketWidth(to - from, points));
    });
  }

  const firstMinute = Math.floor(from / minuteMs);
  const lastMinute = Math.floor(to / minuteMs);
  const openFrom = Math.max(firstMinute, Math.min(rollups.rolledUpTo(), lastMinute + 1));
  const width = Math.max(minuteMs, bucketWidth(to - from, points));
  // The window may begin and end inside a minute whose rollup counts all of it.
  const isWhole = ({ minute }: MinuteRow): boolean => minute > firstMinute && minute < lastMinute;
  /** Those before a page with too many samples for points of their own. */
  const minutes: MinuteRow[] = [];
  let samplesInside = 0;
  let buckets: Bucket[] = [];
  for (let next = firstMinute; next < openFrom;) {
    await inTurn(async () => {
      const rows = await minutesFrom(store.db, window.patientId, kinds[kind].code, next, openFrom, minutesAtOnce);
      next = rows.length < minutesAtOnce ? openFrom : (rows.at(-1)?.minute ?? openFrom) + 1;
      samplesInside += countOf(rows.filter(isWhole));
      if (samplesInside <= points) {
        minutes.push(...rows);
      }
      const parts = rows.map(({ minute, ...rollup }) => ({ takenAt: minute * minuteMs, ...rollup }));
      buckets = toBuckets([...buckets, ...parts], width);
    });
  }
  return await inTurn(async () => {
    const open = await samplesOf(minutesBetween(openFrom * minuteMs, to + minuteMs));
    if (samplesInside + open.length <= points) {
      const closed = await allSamplesOf(minutes.map((row) => row.minute));
      const samples = [...closed.filter(isInside), ...open];
      // Fewer rows than the minutes counted: the samples were deleted for their age, so the minutes are used.
      if (closed.length >= countOf(minutes) && samples.length <= points) {
        return rawSeries(kind, samples);
      }
    }
    return bucketSeries(kind, [...buckets, ...open.map(asPart)], width);
  });
}

type MinuteRow = Pick<
  Selectable<Database['minutes']>,
  'minute' | 'min' | 'max' | 'last' | 'count' | 'questionable' | 'invalid'
>;

const countOf = (rows: readonly MinuteRow[]): number => rows.reduce((sum, row) => sum + row.count + row.invalid, 0);

/** Resolves with a page of one kind of one patient, the oldest first. Epoch minutes, `until` exclusive. */
export async function minutesFrom(
  db: Kysely<Database>,
  patientId: number,
  kind: number,
  from: number,
  until: number,
  atOnce: number,
): Promise<MinuteRow[]> {
  return await db
    .selectFrom('minutes')
    .select(['minute', 'min', 'max', 'last', 'count', 'questionable', 'invalid'])
    .where('patient_id', '=', patientId)
    .where('kind', '=', kind)
    .where('minute', '>=', from)
    .where('minute', '<', until)
    .orderBy('minute')
    .limit(atOnce)
    .execute();
}

function minutesBetween(from: number, to: number): number[] {
  const first = Math.floor(from / minuteMs);
  const last = Math.floor(to / minuteMs);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function asPart({ at, value, quality }: TimedRow): Bucket {
  const measured = isInvalid(quality) ? null : value;
  const count = measured === null ? 0 : 1;
  return {
    takenAt: at,
    min: measured,
    max: measured,
    last: measured,
    count,
    questionable: isQuestionable(quality) ? 1 : 0,
    invalid: 1 - count,
  };
}

function rawSeries(kind: VitalKind, rows: readonly TimedRow[]): VitalSeries {
  return {
    kind,
    unit: kinds[kind].unit,
    bucketMs: 0,
    points: rows.map((row) => ({
      takenAt: toInstant(row.at),
      value: row.value,
      quality: qualityOf(row.quality),
      ...(isManual(row.device_id) ? { isManual: true as const } : {}),
      ...(isByPatient(row.device_id) ? { isByPatient: true as const } : {}),
      ...(isLate(row) ? { receivedAt: toInstant(row.received_at) } : {}),
      ...(Math.abs(row.at - row.taken_at) > agreementMs ? { sentAs: toInstant(row.taken_at) } : {}),
    })),
  };
}

/** Returns whether a sample came late. A slow clock makes none late, and by an unknown one no one can say. */
export function isLate({ taken_at, offset_ms, received_at, quality }: SampleRow): boolean {
  return isClockKnown(quality) && received_at - taken_at - offset_ms > retrospectiveAfterMs;
}

function bucketSeries(kind: VitalKind, parts: readonly Bucket[], bucketMs: number): VitalSeries {
  const buckets = toBuckets(parts, bucketMs);
  const points = buckets.flatMap(({ takenAt, min, max, last, count, questionable }) =>
    min === null || max === null || last === null
      ? []
      : [{ takenAt: toInstant(takenAt), min, max, last, count, questionable }],
  );
  const noSignal = buckets.flatMap(({ takenAt, invalid }) =>
    invalid === 0 ? [] : [{ takenAt: toInstant(takenAt), count: invalid }],
  );
  return { kind, unit: kinds[kind].unit, bucketMs, points, noSignal };
}
