import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import { isRetrospective, takePastEpisode, type Alert } from '../../lib/alerts/alert';
import { alertEvent } from '../../lib/alerts/alertFacts';
import type { Evidence } from '../../lib/alerts/evidence';
import { inOrderOfMeasuring } from '../../lib/alerts/inOrderOfMeasuring';
import { isMoreUrgent, type Priority } from '../../lib/alerts/priority';
import {
  episodesOfPast,
  openPast,
  pastPlanOf,
  takePast,
  type PastEntry,
  type PastEpisode,
} from '../../lib/alerts/past';
import { sameEpisodeMs } from '../../lib/alerts/timing';
import { tracks, type TrackName } from '../../lib/alerts/tracks';
import { evidenceOfPast, pastEntryOf } from '../../lib/alerts/watch';
import { kindOfCode, kinds } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { Database, PastsToJudgeTable } from '../db/schema';
import { isCounted } from '../vitals/shownSource';
import { samplesOfMinutes, toSample } from '../vitals/samples';
import type { LiveState } from '../liveState';
import type { AlertRecord } from './alertWrites';
import { recordOf, watchedOf } from './loadAlerts';
import type { PatientWatch } from './patientWatch';
import type { Telling } from './subject';

/** What comes in pieces is judged when nothing more has come for a while, and after some minutes in any case. */
const quietMs = 15_000;
const longestWaitMs = 120_000;

/** Longer than the longest delay: what was measured before and after decides how a late value is judged. */
const contextMinutes = 60;
/** Some milliseconds of the thread that also takes samples in; between two steps it belongs to others. */
const minutesPerStep = 5;
const pauseMs = 15;

/** The streams whose rules are about the patient. */
const pastTracks = ['oxygenation', 'rate'] as const satisfies readonly TrackName[];
const pastKinds = pastTracks.flatMap((name) => [...tracks[name].kinds]);

/** The minutes of a patient that want to be judged. */
export type PastToJudge = Selectable<PastsToJudgeTable>;

/** The past that has waited longest and need not wait any more; null: none. `now` is epoch milliseconds. */
export async function readDuePast(db: Kysely<Database>, now: number): Promise<PastToJudge | null> {
  const due = await db
    .selectFrom('pasts_to_judge')
    .selectAll()
    .where((where) => where.or([where('touched_at', '<=', now - quietMs), where('since', '<=', now - longestWaitMs)]))
    .orderBy('since')
    .limit(1)
    .executeTakeFirst();
  return due ?? null;
}

/** An episode of the past in which late values had a part, and what it rests on. */
export interface FoundPast {
  found: PastEpisode;
  evidence: Evidence;
}

/**
 * Judges a patient's past from what the store has of it, by what holds for them now, and returns what nobody was told
 * because it came too late. What was measured before `since` (epoch milliseconds) was never to be told. Null when it
 * was stopped on the way.
 */
export async function judgePast(
  { db }: Store,
  liveState: LiveState,
  patient: PatientWatch,
  past: PastToJudge,
  { since, isStopped }: { since: number; isStopped: () => boolean },
): Promise<FoundPast[] | null> {
  const from = past.from_minute - contextMinutes;
  const streams = pastTracks.map((name) => {
    const plan = pastPlanOf(patient.plans[name]);
    return { name, plan, past: openPast(plan) };
  });
  for (let first = from; first <= past.until_minute + contextMinutes; first += minutesPerStep) {
    const entries = await readEntries(db, liveState, patient, first, { since });
    const flow = first === from ? await readFlow(db, patient, from) : [];
    for (const stream of streams) {
      const ofStream = [
        ...(stream.name === 'oxygenation' ? flow : []),
        ...entries[stream.name].sort(inOrderOfMeasuring),
      ];
      stream.past = takePast(stream.past, stream.plan, ofStream);
    }
    await pause(pauseMs);
    if (isStopped()) {
      return null;
    }
  }
  return streams.flatMap((stream) =>
    episodesOfPast(stream.past)
      .filter(({ isLate }) => isLate)
      .map((found) => ({ found, evidence: evidenceOfPast(stream.name, stream.plan, found) })),
  );
}

async function readEntries(
  db: Kysely<Database>,
  liveState: LiveState,
  { row, patientId }: PatientWatch,
  first: number,
  { since }: { since: number },
): Promise<Record<(typeof pastTracks)[number], PastEntry[]>> {
  const minutes = Array.from({ length: minutesPerStep }, (_, place) => first + place);
  const keys = pastKinds.flatMap((kind) =>
    minutes.map((minute) => ({ minute, patient_id: patientId, kind: kinds[kind].code })),
  );
  const { rows } = await samplesOfMinutes(keys).execute(db);
  const entries: Record<(typeof pastTracks)[number], PastEntry[]> = { oxygenation: [], rate: [] };
  for (const sample of rows.map(toSample)) {
    const placed = pastEntryOf(watchedOf(sample), sample.receivedAt);
    if (
      placed !== null &&
      placed.track !== 'perfusion' &&
      isCounted(liveState, row, kindOfCode(sample.kind), sample.deviceId, sample.receivedAt)
    ) {
      const { entry } = placed;
      entries[placed.track].push({ ...entry, isLate: entry.isLate && entry.measuredAt >= since });
    }
  }
  return entries;
}

/** The flow of oxygen that was known before a minute, as the stream's first value. */
async function readFlow(db: Kysely<Database>, { patientId }: PatientWatch, minute: number): Promise<PastEntry[]> {
  const known = await db
    .selectFrom('minutes')
    .select(['minute', 'last'])
    .where('patient_id', '=', patientId)
    .where('kind', '=', kinds.oxygenFlow.code)
    .where('minute', '<', minute)
    .where('last', 'is not', null)
    .orderBy('minute', 'desc')
    .limit(1)
    .$narrowType<{ last: number }>()
    .executeTakeFirst();
  if (known === undefined) {
    return [];
  }
  const at = known.minute * 60_000;
  return [
    {
      at,
      measuredAt: at,
      source: tracks.oxygenation.kinds.indexOf('oxygenFlow'),
      deviceId: 0,
      value: known.last,
      isDoubtful: false,
      isLate: false,
    },
  ];
}

/**
 * Writes what was found of a patient's past, each episode once, and takes the past off the list unless more of it has
 * come. What a standby was for, or an alert told in time, is no news. To be called in the store's turn.
 */
export async function tellPast(
  db: Kysely<Database>,
  { siteId, patientId }: Pick<PatientWatch, 'siteId' | 'patientId'>,
  pasts: readonly FoundPast[],
  telling: Telling,
): Promise<void> {
  for (const { found, evidence } of pasts) {
    const near = await readNear(db, patientId, found);
    const known = near.find(({ alert }) => isRetrospective(alert)) ?? null;
    if (known === null && ((await isHeld(db, patientId, found)) || (await isTold(db, near, found)))) {
      continue;
    }
    const told = takePastEpisode(known?.alert ?? null, found, telling.now);
    if (told === null) {
      continue;
    }
    const isWorst = told.alert.rule !== known?.alert.rule;
    const record: AlertRecord = {
      ...(known ?? { id: telling.nextId(), siteId, patientId, deviceId: null, raisedAt: telling.now }),
      alert: told.alert,
      evidence: known === null || isWorst ? evidence : known.evidence,
    };
    telling.writes.records.set(record.id, record);
    for (const event of told.events) {
      if (event.is !== 'asked') {
        telling.writes.events.push({
          record,
          event: event.is === 'retrospective' ? { ...event, evidence: record.evidence } : event,
        });
      }
    }
  }
}

/**
 * The alerts of a patient's parameter that lasted while the episode did, or almost, in the order in which they were
 * told.
 */
async function readNear(
  db: Kysely<Database>,
  patientId: number,
  { parameter, episode, endedAt }: PastEpisode,
): Promise<AlertRecord[]> {
  const from = episode.startedAt - sameEpisodeMs;
  const rows = await db
    .selectFrom('alerts')
    .selectAll()
    .where('patient_id', '=', patientId)
    .where('parameter', '=', parameter)
    .where('started_at', '<=', endedAt + sameEpisodeMs)
    .where((where) => where.or([where('closed_at', 'is', null), where('closed_at', '>=', from)]))
    .orderBy('id')
    .execute();
  return rows.map(recordOf).filter(({ alert }) => (alert.endedAt ?? Infinity) >= from);
}

/** Whether it lasted no longer than a standby, in which somebody was with the patient. */
async function isHeld(db: Kysely<Database>, patientId: number, { episode, endedAt }: PastEpisode): Promise<boolean> {
  const standbys = await db
    .selectFrom('standbys')
    .select(['until', 'ended_at'])
    .where('patient_id', '=', patientId)
    .where('started_at', '<=', episode.startedAt)
    .where('until', '>=', endedAt)
    .execute();
  return standbys.some(({ ended_at }) => ended_at === null || ended_at >= endedAt);
}

/**
 * Whether an alert that was no less urgent told of it from its beginning: what came late makes it no worse and no
 * longer.
 */
async function isTold(
  db: Kysely<Database>,
  near: readonly AlertRecord[],
  { episode, worst }: PastEpisode,
): Promise<boolean> {
  for (const { id, alert } of near) {
    if (!isRetrospective(alert) && alert.startedAt <= episode.startedAt + sameEpisodeMs) {
      const urgent = await readMostUrgent(db, id, alert);
      if (!isMoreUrgent(worst.priority, urgent)) {
        return true;
      }
    }
  }
  return false;
}

/** The most urgent priority that an alert had. Its row has what it is now. */
async function readMostUrgent(db: Kysely<Database>, id: number, { priority }: Alert): Promise<Priority> {
  const rows = await db.selectFrom('alert_events').select('event').where('alert_id', '=', id).execute();
  const told = rows.flatMap(({ event }): Priority[] => {
    const line = alertEvent.parse(JSON.parse(event));
    return line.is === 'raised' || line.is === 'raised_again'
      ? [line.priority]
      : line.is === 'worsened'
        ? [line.to]
        : [];
  });
  return told.reduce((most, one) => (isMoreUrgent(one, most) ? one : most), priority);
}
