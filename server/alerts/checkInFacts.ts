import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/** What the rules have to know of a patient's check-ins from home. Epoch milliseconds. */
export interface CheckInFacts {
  /** Until when a link works or is only locked, so that check-ins are due; null: none does. */
  linkUntil: EpochMs | null;
  /** When the patient last said something, by a link or to staff; null: never, or there was no link. */
  reportedAt: EpochMs | null;
  /** When they last asked for a call. */
  calledAt: EpochMs | null;
  /** When the newest link was locked; null: there is a newer link, or none is locked. */
  lockedAt: EpochMs | null;
}

export const noCheckIn: CheckInFacts = { linkUntil: null, reportedAt: null, calledAt: null, lockedAt: null };

/** Resolves with what is known of the check-ins of one patient, or of all who have or had a link. */
export async function readCheckIns(db: Kysely<Database>, patientId: number | null): Promise<Map<number, CheckInFacts>> {
  const ofLinks = db
    .selectFrom('check_in_links')
    .select((select) => [
      'patient_id',
      'created_at',
      'expires_at',
      'locked_at',
      select
        .selectFrom('symptom_reports')
        .select((inner) => inner.fn.max('reported_at').as('at'))
        .whereRef('symptom_reports.patient_id', '=', 'check_in_links.patient_id')
        .where('in_error_at', 'is', null)
        .as('reported_at'),
    ])
    .where('revoked_at', 'is', null);
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
  for (const { patient_id, expires_at, reported_at } of links) {
    const known = found.get(patient_id) ?? noCheckIn;
    found.set(patient_id, {
      ...known,
      linkUntil: Math.max(known.linkUntil ?? 0, expires_at),
      reportedAt: reported_at,
    });
  }
  for (const { patient_id, locked_at } of links) {
    const known = found.get(patient_id) ?? noCheckIn;
    const isNews =
      locked_at !== null && !links.some((other) => other.patient_id === patient_id && other.created_at > locked_at);
    if (isNews) {
      found.set(patient_id, { ...known, lockedAt: Math.max(known.lockedAt ?? 0, locked_at) });
    }
  }
  return found;
}
