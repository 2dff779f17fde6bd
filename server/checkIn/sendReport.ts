import type { Kysely } from 'kysely';
import { redReadingsOf } from '../../lib/checkIn/redReadingsOf';
import type { NewCheckIn, OpenedCheckIn } from '../../lib/checkIn/schema';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { audit, auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Database } from '../db/schema';
import { HttpError, invalid } from '../http/httpError';
import { holdPatient } from '../patients/holdPatient';
import type { Server } from '../server';
import { isSame, saidIn, sortedPairs } from '../symptoms/commands';
import { gradedReportOf, type GradedRow } from '../symptoms/gradedReports';
import { showReport } from '../symptoms/newestReports';
import { nextRecordedAt } from '../symptoms/nextRecordedAt';
import { readReport, type StoredReport } from '../symptoms/queries';
import { redOf } from './openLink';
import { readingsOf, storeReadings } from './reportReadings';
import { unusable, type OpenedLink } from './requireLink';

/** So many check-ins by one link within an hour are stored. One that is kept on a phone is sent with the next. */
const mostAnHour = 20;
const hourMs = 3_600_000;

/** The alert of a check-in that was stored so short a while ago is being raised, in milliseconds. */
const raisedWithinMs = 60_000;

/** A check-in may be kept on a phone for so long, in milliseconds. */
const keptMs = 24 * 3_600_000;

/**
 * Returns when a check-in was made by the server's clock. The phone says what its clock showed then and when it sent
 * it: what is wrong with that clock cancels out. No check-in lies in the future, whatever a phone says. Epoch
 * milliseconds.
 */
export function reportedAtOf({ reportedAt, sentAt }: Pick<NewCheckIn, 'reportedAt' | 'sentAt'>, now: EpochMs): EpochMs {
  const agoMs = (parseInstant(sentAt) ?? 0) - (parseInstant(reportedAt) ?? 0);
  return now - Math.max(0, agoMs);
}

/** Returns whether a check-in can have been kept for as long as it states. Otherwise the clock of the phone was set. */
export function isAgePlausible(report: NewCheckIn, now: EpochMs): boolean {
  return reportedAtOf(report, now) >= now - keptMs;
}

/**
 * Stores a check-in and returns it. The same one again, after a lost response, is the one that is there. Rejects with
 * 404 `link_unusable` if the patient was discharged meanwhile, with 409 `report_exists` if its client id belongs to
 * another one, and with 422 if it is older than a day, unless it has a red flag: that one counts as made when it
 * arrives. Rejects with 429 if the link has sent too many within an hour, unless it is red: then it is stored, or joins
 * the newest red one if those of that hour say all of its red flags and RED readings, and their alert is open. Who
 * sends so many misuses the link.
 */
export async function sendReport(
  { store: { db }, metrics, alerts }: Pick<Server, 'store' | 'metrics' | 'alerts'>,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  report: NewCheckIn,
): Promise<StoredReport> {
  const isPlausible = isAgePlausible(report, now);
  const madeAt = isPlausible ? reportedAtOf(report, now) : now;
  const hasReadings = isPlausible && Object.keys(report.readings).length > 0;
  const row = { ...saidIn({ ...report, mmrc: null }), readings: sortedPairs(report.readings) };
  return await db.transaction().execute(async (transaction) => {
    // A discharge at this moment either is known here, or comes after this check-in.
    if ((await holdPatient(transaction, patient.id)) !== 'active') {
      throw unusable();
    }
    const recordedAt = await nextRecordedAt(transaction, patient.id, now);
    const ofLink = transaction.selectFrom('symptom_reports').select('id').where('link_id', '=', link.id);
    const sent = ofLink.where('client_id', '=', report.clientId);
    const known = await sent.executeTakeFirst();
    if (known === undefined && !isPlausible && redFlagsOf(report.answers, report.redFlags).length === 0) {
      throw invalid({ reportedAt: 'is older than a day' }, 'This check-in is older than a day. Make a new one.');
    }
    const recent = known === undefined ? await readRecent(transaction, link.id, now) : [];
    const first = recent[mostAnHour - 1];
    if (first !== undefined) {
      const limits = redOf({ alerts }, patient, now);
      const flags = redFlagsOf(report.answers, report.redFlags);
      const reds = [...flags, ...redReadingsOf(report.readings, limits)];
      const said = recent.map((one) => ({ id: one.id, at: one.recorded_at, reds: redsOf(one, limits) }));
      const newest = said.find((one) => one.reds.length > 0);
      const isAlarmed = alerts
        .listOpen(patient.site_id)
        .some(
          ({ patientId, alert: { priority, condition, parameter } }) =>
            patientId === patient.id &&
            priority === 'high' &&
            condition === 'active' &&
            (flags.length === 0 || parameter === 'symptoms'),
        );
      if (reds.length === 0) {
        metrics.checkInBudget.inc({ what: 'report_refused' });
        throw new HttpError(
          429,
          'too_many_check_ins',
          'Too many check-ins came by this link. If you feel worse, ask for a call, or call your ward.',
          { retryAfter: Math.max(1, Math.ceil((first.recorded_at + hourMs - now) / 1_000)) },
        );
      }
      if (
        newest !== undefined &&
        (isAlarmed || newest.at > now - raisedWithinMs) &&
        reds.every((red) => said.some((one) => one.reds.includes(red)))
      ) {
        metrics.checkInBudget.inc({ what: 'report_joined' });
        await noteMisuse(transaction, now, actor, { link, patient });
        return await readReport(transaction, newest.id);
      }
    }
    const reportedAt = hasReadings ? await freeTime(transaction, link.id, madeAt) : madeAt;
    const added =
      known === undefined
        ? await transaction
            .insertInto('symptom_reports')
            .values({
              ...row,
              site_id: patient.site_id,
              patient_id: patient.id,
              reported_at: reportedAt,
              recorded_at: recordedAt,
              recorded_by: null,
              source: link.for,
              link_id: link.id,
              client_id: report.clientId,
              readings_at: hasReadings ? reportedAt : null,
            })
            .onConflict((conflict) => conflict.columns(['link_id', 'client_id']).doNothing())
            .returning('id')
            .executeTakeFirst()
        : undefined;
    if (added !== undefined) {
      const details = { link: link.id, for: link.for };
      await auditDone(transaction, now, actor, 'send_check_in', ['patient', patient.id], details);
      return await readReport(transaction, added.id);
    }
    const there = await readReport(transaction, (await sent.executeTakeFirstOrThrow()).id);
    if (!isSame(there, row)) {
      throw new HttpError(409, 'report_exists', 'Another check-in was sent under this id.');
    }
    return there;
  });
}

/** Stores a check-in, shows and evaluates it, and stores its readings. Rejects as `sendReport`. */
export async function takeReport(
  server: Pick<Server, 'store' | 'liveState' | 'alerts' | 'metrics' | 'recorder' | 'faults' | 'now'>,
  now: EpochMs,
  actor: Actor,
  opened: OpenedLink,
  report: NewCheckIn,
): Promise<void> {
  const { alerts } = server;
  const { id } = opened.patient;
  const row = await sendReport(server, now, actor, opened, report);
  await showReport(server, row);
  // First: whatever is wrong with its readings, a red flag is raised.
  await alerts.reported(id);
  if (row.client_id !== report.clientId) {
    // It has joined another one: the link is misused.
    await alerts.reconsider(id);
  }
  // Also if the report was there already: the server may have stopped between the two.
  await storeReadings(server, now, opened.patient, row);
}

/**
 * Resolves with the first moment from `at` on at which no check-in by this link has readings: so each sample is of one
 * report. Epoch milliseconds.
 */
async function freeTime(db: Kysely<Database>, linkId: number, at: EpochMs): Promise<EpochMs> {
  const taken = await db
    .selectFrom('symptom_reports')
    .select('readings_at')
    .where('link_id', '=', linkId)
    .where('readings_at', '>=', at)
    .orderBy('readings_at')
    .execute();
  return taken.reduce((free, { readings_at }) => (readings_at === free ? free + 1 : free), at);
}

/** Notes, once an hour, that more red check-ins come by a link than a patient sends. */
async function noteMisuse(
  db: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
): Promise<void> {
  const noted = await db
    .updateTable('check_in_links')
    .set({ misused_at: now })
    .where('id', '=', link.id)
    .where(({ eb, or }) => or([eb('misused_at', 'is', null), eb('misused_at', '<=', now - hourMs)]))
    .returning('id')
    .executeTakeFirst();
  if (noted !== undefined) {
    await audit(db, now, actor, {
      action: 'send_check_in',
      outcome: 'refused',
      objectType: 'patient',
      objectId: patient.id,
      details: { link: link.id, for: link.for },
    });
  }
}

/** Returns the red flags and RED readings of a stored report; none if it cannot be read. */
function redsOf(row: GradedRow & { readings: string }, limits: OpenedCheckIn['red']): string[] {
  try {
    return [...gradedReportOf(row).redFlags, ...redReadingsOf(readingsOf(row), limits)];
  } catch {
    return [];
  }
}

/** Resolves with the check-ins by a link within the last hour, the newest first. */
async function readRecent(db: Kysely<Database>, linkId: number, now: EpochMs) {
  return await db
    .selectFrom('symptom_reports')
    .select(['id', 'reported_at', 'recorded_at', 'answers', 'red_flags', 'since_yesterday', 'readings'])
    .where('link_id', '=', linkId)
    .where('recorded_at', '>', now - hourMs)
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}
