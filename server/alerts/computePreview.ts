import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { inOrderOfMeasuring } from '../../lib/alerts/inOrderOfMeasuring';
import { compareLimits, coveredMs } from '../../lib/alerts/limitPreview';
import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import type { Plan } from '../../lib/alerts/plan';
import type { RetrospectiveEntry } from '../../lib/alerts/retrospective';
import { retrospectiveEntryOf } from '../../lib/alerts/ruleState';
import { planOf, streams } from '../../lib/alerts/streams';
import { toInstant } from '../../lib/time/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Database } from '../db/schema';
import { samplesOfMinutes, type PatientMinute } from '../vitals/samples';
import { ruleSampleOf } from './loadRuleStates';
import type { PreviewTask } from './previewTask';
import { readFlow } from './retrospective';

const minuteMs = 60_000;
/** Longer than the longest delay: values before the span decide what was active at its beginning. */
const contextMs = 60 * minuteMs;
/** A query for each of so many minutes: the text of one for a whole day is long. */
const minutesAtOnce = 120;

/** Resolves with how many alerts the limits of a task would have raised on the patient's stored samples. */
export async function computePreview(db: Kysely<Database>, task: PreviewTask): Promise<LimitPreview> {
  const { stream, from, to } = task;
  const plans = { now: planWith(task, task.now), proposed: planWith(task, task.proposed) };
  const entries = await readEntries(db, task);
  return {
    parameter: stream === 'rate' ? 'rate' : 'spo2',
    from: toInstant(from),
    to: toInstant(to),
    coveredMs: coveredMs(plans.now, entries, { from, to }),
    ...compareLimits(plans, entries, { from, to }, await readStandbys(db, task)),
  };
}

function planWith({ stream, scale, isComfortCare, isUnder16, every }: PreviewTask, of: PreviewTask['now']): Plan {
  return planOf(stream, {
    scale,
    limits: of.limits,
    isComfortCare,
    childLimits: isUnder16 ? of.own : null,
    expectedEveryMs: (kind) => every[kind] ?? kinds[kind].expectedEveryMs,
    evaluatesTrends: false,
  });
}

/** Resolves with the values of the span and of an hour before it, in the order of measuring. */
async function readEntries(db: Kysely<Database>, task: PreviewTask): Promise<RetrospectiveEntry[]> {
  const { patientId, stream, offsets, to } = task;
  const from = task.from - contextMs;
  const assigned = new Map(task.assigned.map((deviceId) => [deviceId, patientId]));
  const kindsOfStream: readonly VitalKind[] = streams[stream].kinds;
  const first = Math.floor((from - Math.max(0, ...offsets)) / minuteMs);
  const last = Math.floor((to - Math.min(0, ...offsets)) / minuteMs);
  const entries = stream === 'oxygenation' ? await readFlow(db, { patientId }, first) : [];
  for (let begin = first; begin <= last; begin += minutesAtOnce) {
    const keys = [];
    for (let minute = begin; minute <= last && minute < begin + minutesAtOnce; minute += 1) {
      keys.push(...kindsOfStream.map((kind) => ({ minute, patient_id: patientId, kind: kinds[kind].code })));
    }
    entries.push(...(await readMinutes(db, keys, assigned)).filter(({ at }) => at >= from && at <= to));
  }
  return entries.sort(inOrderOfMeasuring);
}

/** The numbers of a sample in the text of `readMinutes`. */
const numbersOfSample = 6;
const numbers = z.array(z.number());

/**
 * Resolves with the values of some patient-minutes. The store writes them as one text: to make an object of each row
 * takes longer than its evaluation.
 */
async function readMinutes(
  db: Kysely<Database>,
  keys: readonly PatientMinute[],
  assigned: ReadonlyMap<number, number>,
): Promise<RetrospectiveEntry[]> {
  const { rows } = await sql<{ kind: number; patientId: number; listed: string }>`
    SELECT kind, patient_id AS "patientId",
      string_agg(concat_ws(',', taken_at, device_id, value, quality, received_at, offset_ms), ',') AS listed
    FROM (${samplesOfMinutes(keys)}) AS s GROUP BY kind, patient_id`.execute(db);
  const entries: RetrospectiveEntry[] = [];
  for (const { kind, patientId, listed } of rows) {
    const all = numbers.parse(JSON.parse(`[${listed}]`));
    for (let place = 0; place < all.length; place += numbersOfSample) {
      // One by one: to take a part of the list for each sample takes as long as all the rest.
      const number = (index: number): number => all[place + index] ?? 0;
      const [takenAt, deviceId, value] = [number(0), number(1), number(2)];
      const [quality, receivedAt, offsetMs] = [number(3), number(4), number(5)];
      const sample = ruleSampleOf({ assigned }, { kind, patientId, takenAt, deviceId, value, quality, offsetMs });
      const placed = retrospectiveEntryOf(sample, receivedAt);
      if (placed !== null) {
        entries.push(placed.entry);
      }
    }
  }
  return entries;
}

/** Resolves with the standbys of the span, each until it ended. */
async function readStandbys(
  db: Kysely<Database>,
  { patientId, from, to }: PreviewTask,
): Promise<{ from: number; to: number }[]> {
  const rows = await db
    .selectFrom('standbys')
    .select(['started_at', 'until', 'ended_at'])
    .where('patient_id', '=', patientId)
    .where('started_at', '<=', to)
    .where('until', '>=', from)
    .execute();
  return rows.map(({ started_at, until, ended_at }) => ({ from: started_at, to: ended_at ?? until }));
}
