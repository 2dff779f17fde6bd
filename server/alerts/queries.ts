import type { Kysely } from 'kysely';
import { isAnswered, type Alert, type AlertEvent } from '../../lib/alerts/alert';
import { alertEvent } from '../../lib/alerts/alertFacts';
import { nextStepAt } from '../../lib/alerts/escalate';
import type { EscalationPlans } from '../../lib/alerts/escalation';
import { defaultEscalationTimes } from '../../lib/alerts/escalationTimes';
import { redFlagRule } from '../../lib/alerts/evaluateSymptoms';
import { plansOf } from '../../lib/alerts/plansOf';
import { repeatOf, unansweredWords } from '../../lib/alerts/repeats';
import type { AlertItem, EscalationItem, LoggedEvent } from '../../lib/alerts/schema';
import { headlineOf, isRecovering, sentenceOf } from '../../lib/alerts/sentence';
import type { SentenceFacts } from '../../lib/alerts/sentenceParts';
import { openAmber, openRedFlags, symptomsFrom } from '../../lib/alerts/symptomEpisode';
import { undoMs } from '../../lib/alerts/withdraw';
import type { User } from '../../lib/session/schema';
import { readJson } from '../../lib/readJson';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { LiveState } from '../liveState';
import type { Server } from '../server';
import type { Database } from '../db/schema';
import { passOver } from '../http/errors';
import { presentValues } from '../patients/queries';
import { sourceName } from '../vitals/shownSource';
import type { EpochMs } from '../../lib/time/epochMs';
import { readEvaluatedReports } from '../symptoms/queries';
import { readNames, readNamesOrInitials } from '../users/readNames';
import type { AlertRecord } from './alertWrites';
import { newestEventId, shownRecordOf } from './alertRows';
import { sourceChoices } from './monitored';
import { isOfReports, unitOfReports } from './reportSubject';
import { kindsBeside, namedIn, sentenceFactsOf } from './sentenceFacts';
import { isServer } from './serverSubject';
import { symptomsResolvedTo } from './symptoms';

/** How many closed alerts a site's list contains at most. */
const closedKept = 5_000;

/** The part of an alert that decides who may see it. */
export type AlertSubject = Pick<AlertRecord, 'siteId' | 'patientId' | 'deviceId'> & {
  alert: Pick<Alert, 'parameter'> & Partial<Pick<Alert, 'escalation' | 'closed'>>;
};

/**
 * Resolves with a page of the closed alerts of a site, or of one of its patients, that `isAsked` selects, and with
 * their number. The newest come first. Only the rows of the page are read whole, because each contains its evidence.
 */
export async function listClosed(
  db: Kysely<Database>,
  siteId: number,
  patientId: number | null,
  isAsked: (alert: AlertSubject) => boolean,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ shown: AlertRecord[]; total: number }> {
  const closed = db
    .selectFrom('alerts')
    .select(['id', 'patient_id', 'device_id', 'parameter'])
    .where('site_id', '=', siteId)
    .where('closed_at', 'is not', null);
  const rows = await (patientId === null ? closed : closed.where('patient_id', '=', patientId))
    .orderBy('id', 'desc')
    .limit(closedKept)
    .execute();
  const ids = rows
    .filter(({ patient_id: id, device_id: deviceId, parameter }) =>
      isAsked({ siteId, patientId: id, deviceId, alert: { parameter } }),
    )
    .map(({ id }) => id);
  const ofPage = ids.slice((page - 1) * pageSize, page * pageSize);
  const shown =
    ofPage.length === 0
      ? []
      : await db.selectFrom('alerts').selectAll().where('id', 'in', ofPage).orderBy('id', 'desc').execute();
  return { shown: shown.flatMap((row) => shownRecordOf(row) ?? []), total: ids.length };
}

/** Resolves with an alert by its id, or null. */
export async function readAlert(db: Kysely<Database>, id: number): Promise<AlertRecord | null> {
  const [record = null] = await readAlerts(db, [id]);
  return record;
}

/** Resolves with those of these alerts that exist, open or closed. */
export async function readAlerts(db: Kysely<Database>, ids: readonly number[]): Promise<AlertRecord[]> {
  const rows = ids.length === 0 ? [] : await db.selectFrom('alerts').selectAll().where('id', 'in', ids).execute();
  return rows.flatMap((row) => shownRecordOf(row) ?? []);
}

const logOf = (db: Kysely<Database>, alertId: number) =>
  db.selectFrom('alert_events').select('event').where('alert_id', '=', alertId);

/** A line that cannot be read must not hide the others. */
const readable = (rows: readonly { event: string }[]): AlertEvent[] =>
  rows.flatMap(({ event }) => readJson(alertEvent, event) ?? []);

/**
 * Resolves with the whole log of an alert for a user, the oldest line first. A technician sees no value of a patient,
 * as in the list.
 */
export async function readLog(db: Kysely<Database>, alertId: number, user: Pick<User, 'type'>): Promise<LoggedEvent[]> {
  return await presentLog(db, readable(await logOf(db, alertId).orderBy('id').execute()), user);
}

/** How many lines of an alert's log are looked through for the last thing that a user did. */
const lookedThrough = 20;

/** Resolves with the last thing that a user did to an alert, as the log says it; null: nothing of late. */
export async function readLastAct(
  db: Kysely<Database>,
  alertId: number,
  user: Pick<User, 'type'>,
): Promise<LoggedEvent | null> {
  const rows = await logOf(db, alertId).orderBy('id', 'desc').limit(lookedThrough).execute();
  const newest = readable(rows).find((event) => 'by' in event);
  const [act = null] = newest === undefined ? [] : await presentLog(db, [newest], user);
  return act;
}

async function presentLog(
  db: Kysely<Database>,
  events: readonly AlertEvent[],
  { type }: Pick<User, 'type'>,
): Promise<LoggedEvent[]> {
  const ids = events.flatMap((event) => [
    ...('by' in event ? [event.by] : []),
    ...('user' in event ? [event.user] : []),
    ...(event.is === 'asked' ? event.to.userIds : []),
  ]);
  const nameOf = await readNames(db, ids);
  return events.map(type === 'technician' ? withoutWords : (event) => event).map((event): LoggedEvent => {
    const at = toInstant(event.at);
    if (event.is === 'asked') {
      const { userIds, ...to } = event.to;
      return { ...event, at, by: null, to: { ...to, users: userIds.map(nameOf) } };
    }
    if (event.is === 'reassigned') {
      return { ...event, at, by: nameOf(event.by), user: nameOf(event.user) };
    }
    if (event.is === 'owner_missing') {
      return { ...event, at, by: null, user: nameOf(event.user), since: toInstant(event.since) };
    }
    if ('user' in event) {
      return { ...event, at, by: null, user: nameOf(event.user) };
    }
    if (event.is === 'ended' && type === 'technician') {
      return { ...event, at, by: null, lowest: null, highest: null };
    }
    if (event.is === 'audio_paused' || event.is === 'settled') {
      return { ...event, at, by: nameOf(event.by), until: toInstant(event.until) };
    }
    return 'by' in event ? { ...event, at, by: nameOf(event.by) } : { ...event, at, by: null };
  });
}

/** Returns an event without what a person wrote: it may be about the patient, whom technicians do not see. */
function withoutWords(event: AlertEvent): AlertEvent {
  if (event.is === 'accepted') {
    return { ...event, comment: undefined };
  }
  if (event.is === 'closed') {
    return { ...event, reason: undefined };
  }
  if (event.is === 'rejected' || event.is === 'settled') {
    return { ...event, reason: '' };
  }
  return event.is === 'resolved' ? { ...event, note: '' } : event;
}

/**
 * Resolves with what each active alert about symptoms is about: every red flag that is not answered, or all that is new
 * or worse. For ended ones only the log knows the cause.
 */
async function readReports(
  { store, alerts }: Server,
  records: readonly AlertRecord[],
): Promise<Map<number, NonNullable<SentenceFacts['report']>>> {
  const found = new Map<number, NonNullable<SentenceFacts['report']>>();
  for (const { id, patientId, alert } of records) {
    const rules = patientId === null ? null : alerts.ruleStateOf(patientId);
    if (alert.parameter === 'symptoms' && alert.condition === 'active' && patientId !== null && rules !== null) {
      const from = symptomsFrom(rules.technical.symptoms ?? null, alert.startedAt);
      const { reports } = await readEvaluatedReports(store.db, patientId, from);
      const resolvedTo = symptomsResolvedTo(rules);
      const report = alert.rule === redFlagRule ? openRedFlags(reports, resolvedTo) : openAmber(reports, resolvedTo);
      if (report !== null) {
        found.set(id, report);
      }
    }
  }
  return found;
}

/**
 * Resolves with alerts as responses show them at `now` (epoch milliseconds), field by field. A technician looks after
 * equipment and sees no name and no value of a patient (clinical.md section 9). With PostgreSQL away the alerts in
 * memory are shown without what only it has: people by their initials, symptoms without their words.
 */
export async function presentAlerts(
  server: Server,
  records: readonly AlertRecord[],
  { id: userId, type, site }: Pick<User, 'id' | 'type'> & { site: Parameters<typeof unansweredWords>[2] },
  now: EpochMs,
): Promise<AlertItem[]> {
  const isClinical = type !== 'technician';
  const { store, liveState, alerts } = server;
  const people = records.flatMap((record) => namedIn(server, record));
  const actors = records.flatMap(({ alert }) => [
    ...[alert.acknowledged, alert.responsibility, alert.outcome].flatMap((act) => act?.by ?? []),
    ...(alert.reassigned === null ? [] : [alert.reassigned.by, alert.reassigned.to]),
    ...alert.escalation.asked.flatMap(({ to }) => to.userIds),
    ...(alert.escalation.answered === null ? [] : [alert.escalation.answered.by]),
  ]);
  const nameOf = await readNamesOrInitials(store.db, liveState.openAlerts, [...people, ...actors]);
  const reports = (await readReports(server, records).catch(passOver)) ?? new Map<number, never>();
  const undoable = records.filter(({ alert: { undo } }) => undo?.by === userId && now - undo.at <= undoMs);
  const events = await newestEventId(
    store.db,
    undoable.map(({ id }) => id),
  ).catch(passOver);
  return records.map((record) => {
    const { id, patientId, deviceId, alert, evidence, raisedAt } = record;
    const { acknowledged, responsibility, notSeenSince, reassigned, outcome, audioPaused, closed, undo } = alert;
    const row = patientId === null ? undefined : liveState.patients.get(patientId);
    const facts = sentenceFactsOf(server, record, { report: reports.get(id) ?? null, nameOf }, now);
    const shownFacts = isClinical ? facts : { ...facts, samples: [], newest: null, lowest: null, highest: null };
    const eventId = events?.get(id);
    const plans = plansOf(
      row?.profile ?? 'continuous',
      alert.parameter,
      alert.escalation.times ?? defaultEscalationTimes,
      patientId !== null && liveState.comfortCareOf(patientId, now) !== null,
    );
    const sources = choicesOf(server, record, now).map(({ counts: id }) => ({ id, name: sourceName(liveState, id) }));
    const unanswered = unansweredWords(alert, plans, site, now);
    const sentence = sentenceOf(alert, shownFacts, now);
    const actOf = ({ by, at }: { by: number; at: EpochMs }) => ({ by: nameOf(by), at: toInstant(at) });
    return {
      id,
      version: alert.version,
      patientId,
      deviceId,
      deviceName: deviceId === null ? null : deviceNameOf(liveState, deviceId),
      unitId: row === undefined ? unitOfReports(deviceId) : (liveState.unitOf(row)?.id ?? null),
      patient: patientId === null ? null : shownPatient(server, patientId, { type }),
      parameter: alert.parameter,
      rule: evidence.worst?.rule ?? alert.rule,
      escalationStep: alert.escalation.step,
      escalation: presentEscalation(alert, plans, nameOf, now),
      episodes: alert.episodes,
      priority: alert.priority,
      condition: alert.condition,
      latched: alert.latched,
      startedAt: toInstant(alert.startedAt),
      endedAt: instantOrNull(alert.endedAt),
      raisedAt: toInstant(raisedAt),
      lastRaisedAt: toInstant(alert.lastRaisedAt),
      acknowledged: acknowledged === null ? null : actOf(acknowledged),
      accepted:
        responsibility?.is === 'accepted'
          ? {
              ...actOf(responsibility),
              ...(notSeenSince === null ? {} : { notSeenSince: toInstant(notSeenSince) }),
            }
          : null,
      reassigned: reassigned === null ? null : { ...actOf(reassigned), to: nameOf(reassigned.to) },
      rejected:
        responsibility?.is === 'rejected'
          ? { ...actOf(responsibility), reason: isClinical ? responsibility.reason : '' }
          : null,
      released:
        responsibility?.is === 'released' ? { ...actOf(responsibility), because: responsibility.because } : null,
      audioPausedUntil: audioPaused === null ? null : toInstant(audioPaused.until),
      ...(sources.length === 0 && alert.settled === undefined ? {} : { sources }),
      remindedAt: instantOrNull(alert.remindedAt),
      outcome: outcome?.is ?? null,
      resolved: outcome === null ? null : { ...actOf(outcome), note: isClinical ? outcome.note : '' },
      closedAt: closed === null ? null : toInstant(closed.at),
      closedBecause: closed?.because ?? null,
      ...(alerts.isUnstored(id) ? { notStored: true } : {}),
      undo: undo === null || eventId === undefined ? null : { eventId, until: toInstant(undo.at + undoMs) },
      sentence: unanswered === null ? sentence : `${unanswered}, ${sentence}`,
      headline: unanswered ?? headlineOf(alert, shownFacts, now),
      ...(isRecovering(alert, shownFacts, now) ? { isRecovering: true as const } : {}),
      values:
        row === undefined || closed !== null || !isClinical
          ? {}
          : presentValues(liveState, row, kindsBeside(alert.parameter), now),
      evidence: {
        ruleVersion: evidence.ruleVersion,
        limits:
          evidence.limits === null ? null : { raise: [...evidence.limits.raise], clear: [...evidence.limits.clear] },
        samples: (isClinical ? evidence.samples : []).map(
          ({ kind, value, measuredAt, deviceId: source, isDoubtful }) => ({
            kind,
            value,
            takenAt: toInstant(measuredAt),
            quality: isDoubtful ? ('questionable' as const) : ('good' as const),
            source: sourceName(liveState, source),
          }),
        ),
      },
    };
  });
}

/** Returns which source of an alert a person can let count now, each with the one that yields (`sourceChoices`). */
export function choicesOf({ alerts }: Server, record: AlertRecord | null, now: EpochMs) {
  const { alert, patientId = null } = record ?? {};
  const rules = alert?.parameter !== 'spo2' || patientId === null ? null : alerts.ruleStateOf(patientId);
  return rules === null || alert?.closed !== null ? [] : sourceChoices(rules, now);
}

/** Returns what an alert that has no patient is about: the place of issue reports is where their patients are. */
function deviceNameOf(liveState: LiveState, deviceId: number): string | null {
  if (isOfReports(deviceId)) {
    return liveState.unitNameOf({ unit_id: unitOfReports(deviceId) }) ?? 'Whole site';
  }
  return isServer(deviceId) ? 'Server' : (liveState.devices.get(deviceId)?.name ?? null);
}

/** Returns the patient of an alert as of now, as a user sees them; null for technicians (clinical.md section 9). */
export function shownPatient(
  { liveState }: Server,
  patientId: number,
  { type }: Pick<User, 'type'>,
): AlertItem['patient'] {
  const row = liveState.patients.get(patientId);
  return row === undefined || type === 'technician'
    ? null
    : {
        familyName: row.family_name,
        givenName: row.given_name,
        isTrial: row.is_trial === 1,
        mrn: row.mrn,
        unit: liveState.unitNameOf(row),
        bed: row.bed,
        profile: row.profile,
      };
}

function presentEscalation(
  alert: Alert,
  plans: EscalationPlans,
  nameOf: (id: number) => { id: number; name: string },
  now: EpochMs,
): EscalationItem {
  const { startedAt, step, asked, answerBy, answered } = alert.escalation;
  const repeat = repeatOf(alert, plans);
  const nextAt = nextStepAt(alert.escalation) ?? (repeat === null || isAnswered(alert, now) ? null : repeat.at);
  const next = plans[alert.priority][step] ?? repeat?.step;
  return {
    startedAt: toInstant(startedAt),
    nextAt: instantOrNull(nextAt),
    next:
      next === undefined
        ? null
        : { roles: [...next.roles], wholeUnit: next.wholeUnit === true, contact: next.contact ?? null },
    asked: asked.map(({ step: each, at, to: { userIds, ...to } }) => ({
      ...to,
      step: each,
      at: toInstant(at),
      users: userIds.map(nameOf),
    })),
    unheldRoles: [...new Set(asked.flatMap(({ to }) => to.unheld))],
    answered:
      answered === null
        ? null
        : { is: answered.is, reason: answered.reason, by: nameOf(answered.by), at: toInstant(answered.at) },
    answerBy: instantOrNull(answerBy),
  };
}
