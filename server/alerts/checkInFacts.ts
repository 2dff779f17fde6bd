import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/** What the rules have to know of a patient's check-ins from home. Epoch milliseconds. */
export interface CheckInFacts {
  /** Until when a link works or is only locked, so that check-ins are due; null: none does. */
  linkUntil: EpochMs | null;
  /** When the patient last said something, by a link or to staff; null: never, or there was never a link. */
  reportedAt: EpochMs | null;
  /** When they last asked for a call. */
  calledAt: EpochMs | null;
  /** When the newest link was locked; null: a newer one for the same person was opened, or none is locked. */
  lockedAt: EpochMs | null;
}

export const noCheckIn: CheckInFacts = { linkUntil: null, reportedAt: null, calledAt: null, lockedAt: null };

/** Resolves with what is known of the check-ins of one patient, or of all who have or had a link. */
export async function readCheckIns(db: Kysely<Database>, patientId: number | null): Promise<Map<number, CheckInFacts>> {
  const ofLinks = db.selectFrom('check_in_links').select((select) => [
    'patient_id',
    'for',
    'created_at',
    'expires_at',
    'revoked_at',
    'locked_at',
    'opened_at',
    select
      .selectFrom('symptom_reports')
      .select((inner) => inner.fn.max('reported_at').as('at'))
      .whereRef('symptom_reports.patient_id', '=', 'check_in_links.patient_id')
      .where('in_error_at', 'is', null)
      .as('reported_at'),
  ]);
  const ofCalls = db
    .selectFrom('check_in_calls')
    .select((select) => ['patient_id', select.fn.max('requested_at').as('at')])
    .groupBy('patient_id');
  const links = await (patientId === null ? ofLinks : ofLinks.where('patient_id', '=', patientId)).execute();
  const calls = await (patientId === null ? ofCalls : ofCalls.where('patient_id', '=', patientId)).execute();
  const found = new Map<number, CheckInFacts>();
  for (const { patient_id, at } of calls) {
    found.set(patient_id, { ...noCheckIn, calledAt: at });
  }
  for (const { patient_id, expires_at, revoked_at, reported_at } of links) {
    const known = found.get(patient_id) ?? noCheckIn;
    found.set(patient_id, {
      ...known,
      linkUntil: revoked_at === null ? Math.max(known.linkUntil ?? 0, expires_at) : known.linkUntil,
      reportedAt: reported_at,
    });
  }
  const working = links.filter(({ revoked_at }) => revoked_at === null);
  for (const { patient_id, for: person, locked_at } of working) {
    const known = found.get(patient_id) ?? noCheckIn;
    // One that no one has opened may be lost on the way, and one for the proxy is not the patient's.
    const isNews =
      locked_at !== null &&
      !working.some(
        (other) =>
          other.patient_id === patient_id &&
          other.for === person &&
          other.created_at > locked_at &&
          other.opened_at !== null,
      );
    if (isNews) {
      found.set(patient_id, { ...known, lockedAt: Math.max(known.lockedAt ?? 0, locked_at) });
    }
  }
  return found;
}
