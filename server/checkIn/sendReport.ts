import type { NewCheckIn } from '../../lib/checkIn/schema';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import { hold } from '../db/hold';
import { HttpError } from '../http/httpError';
import { isSame, saidIn, sortedPairs } from '../symptoms/commands';
import { readReport, type StoredReport } from '../symptoms/queries';
import { unusable, type OpenedLink } from './requireLink';

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
 * arrives.
 */
export async function sendReport(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  report: NewCheckIn,
): Promise<StoredReport> {
  const isPlausible = isAgePlausible(report, now);
  const reportedAt = isPlausible ? reportedAtOf(report, now) : now;
  const row = { ...saidIn({ ...report, mmrc: null }), readings: sortedPairs(report.readings) };
  return await db.transaction().execute(async (transaction) => {
    // A discharge at this moment either is known here, or comes after this check-in.
    await hold(transaction, 'patients', patient.id);
    const { state } = await transaction
      .selectFrom('patients')
      .select('state')
      .where('id', '=', patient.id)
      .executeTakeFirstOrThrow();
    if (state !== 'active') {
      throw unusable();
    }
    const known = await transaction
      .selectFrom('symptom_reports')
      .select('id')
      .where('link_id', '=', link.id)
      .where('client_id', '=', report.clientId)
      .executeTakeFirst();
    if (known === undefined && !isPlausible && redFlagsOf(report.answers, report.redFlags).length === 0) {
      throw new HttpError(422, 'invalid', 'This check-in is older than a day. Make a new one.', {
        fields: { reportedAt: 'is older than a day' },
      });
    }
    const added =
      known === undefined
        ? await transaction
            .insertInto('symptom_reports')
            .values({
              ...row,
              site_id: patient.site_id,
              patient_id: patient.id,
              reported_at: reportedAt,
              recorded_at: now,
              recorded_by: null,
              source: link.for,
              link_id: link.id,
              client_id: report.clientId,
            })
            .onConflict((conflict) => conflict.columns(['link_id', 'client_id']).doNothing())
            .returning('id')
            .executeTakeFirst()
        : undefined;
    if (added !== undefined) {
      await audit(transaction, now, actor, {
        action: 'send_check_in',
        outcome: 'done',
        objectType: 'patient',
        objectId: patient.id,
        details: { link: link.id, for: link.for },
      });
      return await readReport(transaction, { id: added.id });
    }
    const stored = await transaction
      .selectFrom('symptom_reports')
      .select('id')
      .where('link_id', '=', link.id)
      .where('client_id', '=', report.clientId)
      .executeTakeFirstOrThrow();
    const there = await readReport(transaction, stored);
    if (!isSame(there, row)) {
      throw new HttpError(409, 'report_exists', 'Another check-in was sent under this id.');
    }
    return there;
  });
}
