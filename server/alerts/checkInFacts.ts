import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/** What the rules have to know of a patient's check-ins from home. Epoch milliseconds. */
export interface CheckInFacts {
  /** Until when a link works or is only locked, so that check-ins are due; null: none does. */
  linkUntil: EpochMs | null;
  /** When the patient last said something, by a link or to staff; null: never, or there was never a link. */
  reportedAt: EpochMs | null;
  /** When they last asked for a call that is raised. */
  calledAt: EpochMs | null;
  /** When they last asked for a call at all: further requests join the open alert. */
  lastCalledAt: EpochMs | null;
  /** When the newest link was locked; null: a newer one for the same person was opened, or none is locked. */
  lockedAt: EpochMs | null;
  /** When more red check-ins came by a link than a patient sends; null: never, or it is revoked. */
  misusedAt: EpochMs | null;
}

export const noCheckIn: CheckInFacts = {
  linkUntil: null,
  reportedAt: null,
  calledAt: null,
  lastCalledAt: null,
  lockedAt: null,
  misusedAt: null,
};

/**
 * Resolves with what is known of the check-ins of one patient, or of all active ones. Each fact is found by the
 * patient's index: links and calls of former years are not read.
 */
export async function readCheckIns(db: Kysely<Database>, patientId: number | null): Promise<Map<number, CheckInFacts>> {
  const facts = db.selectFrom('patients as p').select((select) => {
    const links = select.selectFrom('check_in_links as link').whereRef('link.patient_id', '=', 'p.id');
    const working = links.where('link.revoked_at', 'is', null);
    return [
      'p.id',
      working.select((link) => link.fn.max('link.expires_at').as('at')).as('linkUntil'),
      working.select((link) => link.fn.max('link.misused_at').as('at')).as('misusedAt'),
      select
        .selectFrom('symptom_reports as report')
        .whereRef('report.patient_id', '=', 'p.id')
        .where('report.in_error_at', 'is', null)
        .where(({ exists }) => exists(links.select('link.id')))
        .select((report) => report.fn.max('report.reported_at').as('at'))
        .as('reportedAt'),
      select
        .selectFrom('check_in_calls as call')
        .whereRef('call.patient_id', '=', 'p.id')
        .where('call.joined', '=', 0)
        .select((call) => call.fn.max('call.requested_at').as('at'))
        .as('calledAt'),
      select
        .selectFrom('check_in_calls as call')
        .whereRef('call.patient_id', '=', 'p.id')
        .select((call) => call.fn.max('call.requested_at').as('at'))
        .as('lastCalledAt'),
      working
        // One that no one has opened may be lost on the way, and one for the proxy is not the patient's.
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('check_in_links as newer')
                .select('newer.id')
                .whereRef('newer.patient_id', '=', 'link.patient_id')
                .whereRef('newer.for', '=', 'link.for')
                .where('newer.revoked_at', 'is', null)
                .where('newer.opened_at', 'is not', null)
                .whereRef('newer.created_at', '>', 'link.locked_at'),
            ),
          ),
        )
        .select((link) => link.fn.max('link.locked_at').as('at'))
        .as('lockedAt'),
    ];
  });
  const rows = await (
    patientId === null ? facts.where('p.state', '=', 'active') : facts.where('p.id', '=', patientId)
  ).execute();
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}
