import { minutesFrom } from '../vitals/queries';
import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Database } from '../db/schema';
import { readSamples, sampledMinutesQuery, type TimedRow } from '../vitals/samples';
import type { Rollup } from '../vitals/rollUp';
import type { Exported } from './exportedKind';

const minuteMs = 60_000;
/** How far a device's clock may be ahead: later samples are not searched. */
const aheadMs = 86_400_000;
const minutesAtOnce = 500;
/** The samples of one part, unless one minute has more. */
const samplesAtOnce = 600;
/** Minutes that are not rolled up yet, at a sample a second. */
const openAtOnce = 10;

type Minute = Rollup & { minute: number };

/** Some minutes of one kind: those whose samples were deleted for their age, and the samples that there are. */
export interface VitalPart {
  minutes: Minute[];
  samples: TimedRow[];
}

/**
 * Yields the samples of a patient and a kind in a window, oldest first, and the minutes whose samples are not kept any
 * more. A minute that has both, because a person typed some in, is yielded with them.
 */
export async function* readVitalRows(
  { server: { store, rollups, now }, patient, from, to }: Pick<Exported, 'server' | 'patient' | 'from' | 'to'>,
  kind: VitalKind,
): AsyncGenerator<VitalPart> {
  const code = kinds[kind].code;
  // A sample may be in the minute beside that of its time.
  const lastMinute = Math.floor((Math.min(to, now() + aheadMs) - 1) / minuteMs) + 1;
  let next = Math.max(0, Math.floor(from / minuteMs) - 1);
  const openFrom = Math.max(next, Math.min(rollups.rolledUpTo(), lastMinute + 1));
  // Without it, a window from 1970 on a server that has rolled nothing up yet takes millions of steps.
  const firstOpen = Math.max(openFrom, (await firstSampleMinute(store.db)) ?? lastMinute + 1);
  const isInside = (at: EpochMs): boolean => at >= from && at < to;

  const read = async (
    minutes: readonly (Minute | number)[],
    hasSamples: (one: Minute | number) => boolean,
  ): Promise<VitalPart> => {
    const numbers = minutes.filter(hasSamples).map(numberOf);
    const samples = await readSamples(store.db, store.engine, patient.id, code, numbers);
    const counts = new Map<number, number>();
    for (const { minute } of samples) {
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
    return {
      // Fewer samples than the minute counted: the others were deleted for their age.
      minutes: minutes.filter(
        (one): one is Minute =>
          typeof one !== 'number' &&
          isInside(one.minute * minuteMs) &&
          (counts.get(one.minute) ?? 0) < one.count + one.invalid,
      ),
      samples: samples.filter(({ at }) => isInside(at)),
    };
  };

  while (next < openFrom) {
    const stored = await minutesFrom(store.db, patient.id, code, next, openFrom, minutesAtOnce);
    const until = stored.length < minutesAtOnce ? openFrom : (stored.at(-1)?.minute ?? openFrom) + 1;
    const late = await readLateMinutes(store.db, patient.id, code, next, until);
    const sampled = new Set(
      stored.length === 0
        ? []
        : (await sampledMinutesQuery(store.engine, patient.id, code, stored.map(numberOf)).execute(store.db)).rows.map(
            ({ minute }) => minute,
          ),
    );
    // A minute counts its samples also after they were deleted.
    const hasSamples = (one: Minute | number): boolean => typeof one === 'number' || sampled.has(one.minute);
    for (const part of inParts(withLate(stored, late), hasSamples)) {
      yield await read(part, hasSamples);
    }
    next = until;
  }
  for (let first = firstOpen; first <= lastMinute; first += openAtOnce) {
    const length = Math.min(openAtOnce, lastMinute - first + 1);
    yield await read(
      Array.from({ length }, (_, place) => first + place),
      () => true,
    );
  }
}

/** Resolves with the first minute of any sample, or null. The key starts with the minute: one look. */
async function firstSampleMinute(db: Kysely<Database>): Promise<number | null> {
  const { minute } = await db
    .selectFrom('samples')
    .select((select) => select.fn.min('minute').as('minute'))
    .executeTakeFirstOrThrow();
  return minute;
}

/** Resolves with minutes whose late samples are not in their rollup yet. */
async function readLateMinutes(
  db: Kysely<Database>,
  patientId: number,
  kind: number,
  from: number,
  until: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('minutes_to_redo')
    .select('minute')
    .where('minute', '>=', from)
    .where('minute', '<', until)
    .where('patient_id', '=', patientId)
    .where('kind', '=', kind)
    .execute();
  return rows.map(({ minute }) => minute);
}

function withLate(stored: readonly Minute[], late: readonly number[]): (Minute | number)[] {
  const known = new Set(stored.map(({ minute }) => minute));
  const unknown = late.filter((minute) => !known.has(minute));
  return unknown.length === 0 ? [...stored] : [...stored, ...unknown].sort((a, b) => numberOf(a) - numberOf(b));
}

const numberOf = (one: Minute | number): number => (typeof one === 'number' ? one : one.minute);

/** Yields the minutes in parts of so many samples as are kept of them. */
function* inParts(
  minutes: readonly (Minute | number)[],
  hasSamples: (one: Minute | number) => boolean,
): Generator<(Minute | number)[]> {
  let part: (Minute | number)[] = [];
  let samples = 0;
  for (const one of minutes) {
    const count = !hasSamples(one) ? 0 : typeof one === 'number' ? 60 : one.count + one.invalid;
    if (part.length > 0 && samples + count > samplesAtOnce) {
      yield part;
      part = [];
      samples = 0;
    }
    part.push(one);
    samples += count;
  }
  if (part.length > 0) {
    yield part;
  }
}
