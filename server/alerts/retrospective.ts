import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { closeAlert, isOpen, isRetrospective, type Alert, type AlertChange } from '../../lib/alerts/alert';
import { takeRetrospectiveEpisode } from '../../lib/alerts/takeEpisode';
import { alertEvent } from '../../lib/alerts/alertFacts';
import { unreadEvidence, type Evidence } from '../../lib/alerts/evidence';
import { inOrderOfMeasuring } from '../../lib/alerts/inOrderOfMeasuring';
import { covers, grows, isOfSameGap, namedExtremes, takeOutOfReach } from '../../lib/alerts/outOfReach';
import { isMoreUrgentRule } from '../../lib/alerts/isMoreUrgentRule';
import { isTechnical } from '../../lib/alerts/parameters';
import {
  retrospectiveEpisodes,
  createRetrospective,
  retrospectivePlanOf,
  stepRetrospective,
  type RetrospectiveEntry,
  type RetrospectiveEpisode,
} from '../../lib/alerts/retrospective';
import { sameEpisodeMs } from '../../lib/alerts/timing';
import { episodesOf } from '../../lib/alerts/stream';
import { byStream, streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import { lateExtremes, retrospectiveEvidence, retrospectiveEntryOf, type RuleSample } from '../../lib/alerts/ruleState';
import type { EpochMs } from '../../lib/time/epochMs';
import { readJson } from '../../lib/readJson';
import { safeParse } from '../../lib/safeParse';
import { kinds } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { RetrospectiveQueueTable } from '../db/alertTables';
import type { Database } from '../db/schema';
import { samplesOfMinutes, toSample } from '../vitals/samples';
import type { LiveState } from '../liveState';
import type { AlertRecord } from './alertWrites';
import { recordOf } from './alertRows';
import { ruleSampleOf } from './loadRuleStates';
import type { PatientRuleState } from './patientRuleState';
import { applyChange, noSamples, type ChangeContext } from './subject';

/** Late values are evaluated when nothing more has arrived for a while, and after some minutes in any case. */
const quietMs = 15_000;
const longestWaitMs = 120_000;

/** Longer than the longest delay: values before and after a late one decide its evaluation. */
const contextMinutes = 60;
/** A step takes some milliseconds of the thread that also takes samples in; the pause leaves it to others. */
const minutesPerStep = 5;
const pauseMs = 15;

/** The streams with a rule about the patient, and not about the equipment alone. */
const retrospectiveStreams: readonly StreamName[] = streamNames.filter((name) =>
  streams[name].groups.some(({ parameter }) => !isTechnical(parameter)),
);
const retrospectiveKinds = retrospectiveStreams.flatMap((name) => [...streams[name].kinds]);

/** The minutes of a patient that wait for a retrospective evaluation. */
export type QueuedRetrospective = Selectable<RetrospectiveQueueTable>;

/**
 * Resolves with the entries that are due, the one that has waited longest first. `now` is epoch milliseconds.
 */
export async function readDueRetrospectives(db: Kysely<Database>, now: EpochMs): Promise<QueuedRetrospective[]> {
  return await db
    .selectFrom('retrospective_queue')
    .selectAll()
    .where((where) => where.or([where('touched_at', '<=', now - quietMs), where('since', '<=', now - longestWaitMs)]))
    .orderBy('since')
    .limit(entriesAtOnce)
    .execute();
}

/** More than patients whose entry fails again and again: these must not hold up the others. */
const entriesAtOnce = 100;
/** No device keeps values for longer, and an evaluation that never ends would hold up all others. */
const longestMinutes = 31 * 1_440;
/** For the alert that is listed: what is older is no news (clinical.md section 00, A7). */
const listedMs = 24 * 3_600_000;

/** Epoch minutes. */
interface Minutes {
  from: number;
  until: number;
}

const queuedMinutes = z.object({ from_minute: z.int().min(0), until_minute: z.int().min(0) });

/**
 * Returns the minutes of an entry with those that the alert of the same gap is about, or null if it cannot be read.
 * `now` is epoch milliseconds.
 */
export function minutesOf(queued: QueuedRetrospective, listed: AlertRecord | undefined, now: EpochMs): Minutes | null {
  const minutes = safeParse(queuedMinutes, queued);
  if (!minutes.success || minutes.data.from_minute > minutes.data.until_minute) {
    return null;
  }
  const { from_minute, until_minute } = minutes.data;
  const isSame = listed !== undefined && isOfSameGap(listed.alert, from_minute * 60_000, now);
  const { startedAt, endedAt } = isSame ? listed.alert : {};
  // If no value of it is left, all of it decides whether it is withdrawn.
  const oldest = isSame && listed.evidence.samples.length === 0 ? 0 : now - listedMs;
  const from = Math.min(from_minute, Math.floor(Math.max(startedAt ?? Infinity, oldest) / 60_000));
  const until = Math.max(until_minute, Math.floor((endedAt ?? 0) / 60_000));
  return { from: Math.max(from, until - longestMinutes), until };
}

/** An episode with a late value, its evidence, and the extremes that its late values name. */
export interface FoundEpisode {
  found: RetrospectiveEpisode;
  evidence: Evidence;
  extremes: Evidence['samples'];
}

/**
 * Evaluates a patient's stored samples by the present settings, and resolves with the episodes that were not raised
 * because their values arrived too late. Values before `since` (epoch milliseconds) never raise anything. Resolves with
 * null if it was stopped.
 */
export async function findRetrospective(
  { db }: Store,
  liveState: LiveState,
  patient: PatientRuleState,
  minutes: Minutes,
  { since, isStopped }: { since: EpochMs; isStopped: () => boolean },
): Promise<FoundEpisode[] | null> {
  const from = minutes.from - contextMinutes;
  const streams = retrospectiveStreams.map((name) => {
    const plan = retrospectivePlanOf(patient.plans[name]);
    return { name, plan, queued: createRetrospective(plan) };
  });
  for (let first = from; first <= minutes.until + contextMinutes; first += minutesPerStep) {
    const entries = await readEntries(db, liveState, patient, first, { since });
    const flow = first === from ? await readFlow(db, patient, from) : [];
    for (const stream of streams) {
      const ofStream = [
        ...(stream.name === 'oxygenation' ? flow : []),
        ...entries[stream.name].sort(inOrderOfMeasuring),
      ];
      stream.queued = stepRetrospective(stream.queued, stream.plan, ofStream);
    }
    await pause(pauseMs);
    if (isStopped()) {
      return null;
    }
  }
  return streams.flatMap((stream) =>
    retrospectiveEpisodes(stream.queued)
      .filter(({ late }) => late !== null)
      .map((found) => ({
        found,
        evidence: retrospectiveEvidence(stream.name, stream.plan, found),
        extremes: lateExtremes(stream.name, stream.plan, found),
      })),
  );
}

async function readEntries(
  db: Kysely<Database>,
  liveState: LiveState,
  { patientId }: PatientRuleState,
  first: number,
  { since }: { since: EpochMs },
): Promise<Record<StreamName, RetrospectiveEntry[]>> {
  const minutes = Array.from({ length: minutesPerStep }, (_, index) => first + index);
  const keys = retrospectiveKinds.flatMap((kind) =>
    minutes.map((minute) => ({ minute, patient_id: patientId, kind: kinds[kind].code })),
  );
  const { rows } = await samplesOfMinutes(keys).execute(db);
  const entries = byStream((): RetrospectiveEntry[] => []);
  for (const sample of rows.map(toSample)) {
    const placed = retrospectiveEntryOf(ruleSampleOf(liveState, sample), sample.receivedAt);
    if (placed !== null) {
      const { entry } = placed;
      const isSilent = liveState.isEarlier(entry.deviceId) || liveState.replaying.has(entry.deviceId);
      const isRetrospective = entry.isRetrospective && entry.measuredAt >= since;
      entries[placed.stream].push({ ...entry, isRetrospective, isSilent });
    }
  }
  return entries;
}

/** Resolves with the flow of oxygen before a minute, as the stream's first value. */
export async function readFlow(
  db: Kysely<Database>,
  { patientId }: Pick<PatientRuleState, 'patientId'>,
  minute: number,
): Promise<RetrospectiveEntry[]> {
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
      source: streams.oxygenation.kinds.indexOf('oxygenFlow'),
      deviceId: 0,
      isAssigned: false,
      isValid: true,
      value: known.last,
      isDoubtful: false,
      hasStoppedStating: false,
      isRetrospective: false,
    },
  ];
}

/**
 * Writes the found episodes of a patient, each once, and lists what is new of them as one alert. Leaves out what a
 * standby covers, and what an alert has reported in time. `minutes`: what was evaluated. Call it in the store's queue.
 */
export async function applyRetrospective(
  db: Kysely<Database>,
  patient: PatientRuleState,
  { episodes, minutes }: { episodes: readonly FoundEpisode[]; minutes: Minutes },
  context: ChangeContext,
): Promise<PatientRuleState> {
  const { siteId, patientId } = patient;
  const listed = patient.records.outOfReach?.alert ?? null;
  const news: FoundEpisode[] = [];
  const again: FoundEpisode[] = [];
  for (const episode of episodes) {
    const { found, evidence, extremes } = episode;
    const near = await readNear(db, patientId, found);
    const known = near.find(({ alert }) => isRetrospective(alert)) ?? null;
    if (known === null && ((await isHeld(db, patientId, found)) || (await wasRaised(db, near, found, patient)))) {
      continue;
    }
    const change = takeRetrospectiveEpisode(known?.alert ?? null, found, context.now);
    if (extremes.length > 0 && (change !== null || (listed !== null && covers(listed, found)))) {
      (change === null ? again : news).push(episode);
    }
    if (change === null) {
      continue;
    }
    const isWorst = change.alert.rule !== known?.alert.rule;
    const record: AlertRecord = {
      ...(known ?? { id: context.nextId(), siteId, patientId, deviceId: null, raisedAt: context.now }),
      alert: change.alert,
      evidence: known === null || isWorst ? evidence : known.evidence,
    };
    context.writes.records.set(record.id, record);
    for (const event of change.events) {
      context.writes.events.push({
        record,
        event: event.is === 'retrospective' ? { ...event, evidence: record.evidence } : event,
      });
    }
  }
  return news.length + again.length === 0
    ? withdrawOutOfReach(patient, minutes, context)
    : listOutOfReach(patient, { news, again }, context);
}

/** Closes the alert that is listed if no value of it is left in all of its time: it was of another patient. */
function withdrawOutOfReach(patient: PatientRuleState, { from }: Minutes, context: ChangeContext): PatientRuleState {
  const { alert = null, evidence = unreadEvidence } = patient.records.outOfReach ?? {};
  const isLeft = evidence === unreadEvidence || evidence.samples.length > 0;
  if (!isOpen(alert) || isLeft || from * 60_000 > alert.startedAt) {
    return patient;
  }
  const withdrawn = { ...alert, isWithdrawn: true };
  const change = closeAlert(withdrawn, [{ is: 'withdrawn', at: context.now }], { because: 'ended' }, context.now);
  return applyChange(patient, 'outOfReach', change, () => evidence, context);
}

/**
 * Lists what a gap shows as one alert, which stays open until somebody acknowledges it (clinical.md section 00, A7).
 * `again`: what was known of the time of the alert that is listed.
 */
function listOutOfReach(
  patient: PatientRuleState,
  { news, again }: { news: readonly FoundEpisode[]; again: readonly FoundEpisode[] },
  context: ChangeContext,
): PatientRuleState {
  const { alert = null, evidence } = patient.records.outOfReach ?? {};
  const first = news.length === 0 ? again : news;
  const from = Math.min(...first.map(({ found }) => found.episode.startedAt));
  // The seconds of two gaps are not one danger.
  const isSame = alert !== null && isOfSameGap(alert, from, context.now);
  const episodes = isSame ? [...news, ...again] : first;
  const before = grows(alert, foundIn(first), context.now) ? (evidence?.samples ?? []) : [];
  const samples = namedExtremes(before, episodes);
  const isNamed = JSON.stringify(samples) === JSON.stringify(before);
  if (news.length === 0 && (isNamed || !isOpen(alert))) {
    return patient;
  }
  const change = takeOutOfReach(alert, foundIn(episodes), context.now);
  return applyChange(patient, 'outOfReach', change, () => ({ ...noSamples(), samples }), context);
}

const foundIn = (episodes: readonly FoundEpisode[]): RetrospectiveEpisode[] => episodes.map(({ found }) => found);

/** Leaves a value that was corrected or withdrawn out of the words of what came late, whose time is evaluated again. */
export function withoutNamed(
  patient: PatientRuleState,
  { kind, measuredAt, deviceId }: RuleSample,
  context: ChangeContext,
): PatientRuleState {
  const { alert = null, evidence = noSamples() } = patient.records.outOfReach ?? {};
  const isOther = (one: Evidence['samples'][number]): boolean =>
    one.kind !== kind || one.measuredAt !== measuredAt || one.deviceId !== deviceId;
  if (!isOpen(alert) || evidence.samples.every(isOther)) {
    return patient;
  }
  const { rule, priority } = alert;
  const samples = evidence.samples.filter(isOther);
  const change: AlertChange = { alert, events: [{ is: 'retrospective', rule, priority, at: context.now }] };
  return applyChange(patient, 'outOfReach', change, () => ({ ...evidence, samples }), context);
}

/**
 * Resolves with the alerts of a patient's parameter at the time of the episode, or within 5 min of it, in the order in
 * which they were raised.
 */
async function readNear(
  db: Kysely<Database>,
  patientId: number,
  { parameter, episode, endedAt }: RetrospectiveEpisode,
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
  return rows.flatMap((row) => recordOf(row) ?? []).filter(({ alert }) => (alert.endedAt ?? Infinity) >= from);
}

/** Resolves with whether a standby, with staff at the patient, covers the episode. */
async function isHeld(
  db: Kysely<Database>,
  patientId: number,
  { episode, endedAt }: RetrospectiveEpisode,
): Promise<boolean> {
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
 * Resolves with whether an alert that began with the episode had a rule of at least the same urgency, and knew values
 * that were as far beyond the limits.
 */
async function wasRaised(
  db: Kysely<Database>,
  near: readonly AlertRecord[],
  { parameter, episode, worst, late }: RetrospectiveEpisode,
  { plans, ruleState }: PatientRuleState,
): Promise<boolean> {
  // An alert has its extremes from the end of its condition on.
  const present = retrospectiveStreams.flatMap((name) =>
    episodesOf(ruleState[name]).filter((_, place) => plans[name].groups[place]?.parameter === parameter),
  );
  for (const { id, alert, evidence } of near) {
    if (!isRetrospective(alert) && alert.startedAt <= episode.startedAt + sameEpisodeMs) {
      const known = [alert, evidence.worst, ...(alert.condition === 'active' ? present : [])];
      const lowest = Math.min(...known.map((one) => one?.lowest ?? Infinity));
      const highest = Math.max(...known.map((one) => one?.highest ?? -Infinity));
      const isKnown = (late?.lowest?.value ?? Infinity) >= lowest && (late?.highest?.value ?? -Infinity) <= highest;
      if (isKnown && !isMoreUrgentRule(worst, await readMostUrgent(db, id, alert))) {
        return true;
      }
    }
  }
  return false;
}

type Urgency = Pick<Alert, 'rule' | 'priority'>;

/** Resolves with the most urgent rule that an alert had. Its row has the present one. */
async function readMostUrgent(db: Kysely<Database>, id: number, { rule, conditionPriority }: Alert): Promise<Urgency> {
  const rows = await db.selectFrom('alert_events').select('event').where('alert_id', '=', id).execute();
  const change = rows.flatMap(({ event }): Urgency[] => {
    const line = readJson(alertEvent, event);
    return line === null
      ? []
      : line.is === 'raised' || line.is === 'raised_again'
        ? [line]
        : line.is === 'upgraded'
          ? [{ rule: line.rule, priority: line.to }]
          : [];
  });
  return change.reduce((most, one) => (isMoreUrgentRule(one, most) ? one : most), {
    rule,
    priority: conditionPriority,
  });
}
