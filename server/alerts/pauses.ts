import type { Kysely } from 'kysely';
import {
  comfortCareUntil,
  isRenewalOf,
  standbyMinutesLeft,
  standbyWindowMs,
  type ComfortCare,
  type Standby,
  type StandbyTime,
} from '../../lib/alerts/pauses';
import type { ComfortCareResponse, NewComfortCare, NewStandby, StandbyResponse } from '../../lib/alerts/pausesSchema';
import type { PatientResponse } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { AuditAction } from '../../lib/audit/actions';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import type { Scope } from '../http/scope';
import { requireActivePatient } from '../patients/requirePatient';
import { readNames } from '../users/readNames';
import type { LiveState } from '../liveState';

type PauseTable = 'standbys' | 'comfort_cares';

/** What a change of a patient's pauses needs; `userId`: who makes it, `now`: epoch milliseconds. */
export interface PauseChange {
  store: Store;
  liveState: LiveState;
  now: EpochMs;
  actor: Actor;
  scope: Scope;
  userId: number;
  patientId: number;
}

/**
 * Starts a standby, which replaces one that runs: no new alert is raised for some minutes. Rejects with 404 if the
 * patient is out of reach, with 409 `patient_discharged`, with 422 if it is longer than what is left of the time in
 * standby, unless the user may extend it.
 */
export async function startStandby(
  change: PauseChange,
  { mayExtend }: { mayExtend: boolean },
  { reason, minutes }: NewStandby,
): Promise<Standby> {
  const { store, liveState, now, scope, userId, patientId } = change;
  const patient = requireActivePatient(liveState, patientId, scope);
  const until = now + minutes * 60_000;
  // In the queue: of two that start at once, the second is counted after the first, and replaces it.
  return await store.writeQueue(async (givenUp) => {
    const former = await readFormerStandbys(store.db, patientId, now);
    const left = standbyMinutesLeft(former, now);
    if (minutes > left && !mayExtend) {
      throw tooLong(left);
    }
    const running = liveState.standbyOf(patientId, now);
    // One that is made shorter does not go on any further.
    const isRenewal = running !== null && until <= running.until ? running.isRenewal : isRenewalOf(former, now);
    const standby: Standby = { by: userId, reason, startedAt: now, until, isRenewal };
    await replace(change, patient, givenUp, ['standbys', 'set_standby', { standby }], (transaction) =>
      transaction.insertInto('standbys').values({
        ...{ site_id: patient.site_id, patient_id: patientId, started_at: now, started_by: userId },
        ...{ reason, until, is_renewal: isRenewal ? 1 : 0 },
      }),
    );
    return standby;
  });
}

function tooLong(left: number): HttpError {
  const who = 'A physician or ward lead can give more.';
  const words =
    left === 0 ? `cannot start: 120 min within 4 h are used up. ${who}` : `is more than the ${left} min left. ${who}`;
  return new HttpError(422, 'invalid', 'The standby is too long.', { fields: { minutes: words } });
}

/** Resolves with the time of a patient's standbys that can still count at `now` (epoch milliseconds). */
async function readFormerStandbys(db: Kysely<Database>, patientId: number, now: EpochMs): Promise<StandbyTime[]> {
  const rows = await db
    .selectFrom('standbys')
    .select(['started_at', 'until', 'ended_at'])
    .where('patient_id', '=', patientId)
    .where('until', '>', now - standbyWindowMs)
    .execute();
  // A row without readable times is no standby, and its patient may have another one.
  return rows
    .map(({ started_at, until, ended_at }) => ({ startedAt: started_at, until: Math.min(until, ended_at ?? until) }))
    .filter(({ startedAt, until }) => Number.isFinite(startedAt) && Number.isFinite(until));
}

/** Resolves with the minutes of standby that a patient may have at `now`. Rejects as `startStandby`. */
export async function readStandbyLeft({ store, liveState, now, scope, patientId }: PauseChange): Promise<number> {
  const { id } = requireActivePatient(liveState, patientId, scope);
  return standbyMinutesLeft(await readFormerStandbys(store.db, id, now), now);
}

/**
 * Orders comfort care for a day, or confirms it for another. Rejects with 404 if the patient is out of reach, with 409
 * `patient_discharged`.
 */
export async function confirmComfortCare(change: PauseChange, { reason }: NewComfortCare): Promise<ComfortCare> {
  const { store, liveState, now, scope, userId, patientId } = change;
  const patient = requireActivePatient(liveState, patientId, scope);
  const comfortCare = { by: userId, reason, confirmedAt: now };
  await store.writeQueue(async (givenUp) => {
    const row = { site_id: patient.site_id, patient_id: patientId, reason, confirmed_at: now, confirmed_by: userId };
    const what = ['comfort_cares', 'confirm_comfort_care', { comfortCare }] as const;
    await replace(change, patient, givenUp, what, (transaction) => transaction.insertInto('comfort_cares').values(row));
  });
  return comfortCare;
}

/**
 * Ends a patient's standby early, or comfort care. Rejects with 404 if the patient is out of reach, with 409
 * `patient_discharged`, with 409 `no_standby` or `no_comfort_care` if none runs.
 */
export async function endPause(change: PauseChange, which: 'standby' | 'comfortCare'): Promise<void> {
  const { store, liveState, now, scope, patientId } = change;
  const patient = requireActivePatient(liveState, patientId, scope);
  await store.writeQueue(async (givenUp) => {
    const isStandby = which === 'standby';
    if (isStandby && liveState.standbyOf(patient.id, now) === null) {
      throw new HttpError(409, 'no_standby', 'This patient is not in standby.');
    }
    if (!isStandby && liveState.comfortCareOf(patient.id, now) === null) {
      throw new HttpError(409, 'no_comfort_care', 'This patient is not in comfort care.');
    }
    await replace(
      change,
      patient,
      givenUp,
      isStandby
        ? ['standbys', 'end_standby', { standby: null }]
        : ['comfort_cares', 'end_comfort_care', { comfortCare: null }],
    );
  });
}

/** Ends a patient's open rows, adds what replaces them, if anything does, and updates the memory after the commit. */
async function replace(
  { store, liveState, now, actor, userId }: PauseChange,
  patient: PatientRow,
  givenUp: AbortSignal,
  [table, action, pauses]: readonly [PauseTable, AuditAction, Parameters<LiveState['putPauses']>[1]],
  insert?: (transaction: Kysely<Database>) => { execute: () => Promise<unknown> },
): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    await endOpen(transaction, table, now, { userId, patientId: patient.id });
    await insert?.(transaction).execute();
    await auditDone(transaction, now, actor, action, ['patient', patient.id]);
    givenUp.throwIfAborted();
  });
  givenUp.throwIfAborted();
  liveState.putPauses(patient, pauses);
}

/**
 * Ends standby and comfort care of a patient who leaves. The caller updates the memory after the commit. `now` is epoch
 * milliseconds.
 */
export async function endPauses(
  transaction: Kysely<Database>,
  now: EpochMs,
  who: { userId: number | null; patientId: number },
): Promise<void> {
  await endOpen(transaction, 'standbys', now, who);
  await endOpen(transaction, 'comfort_cares', now, who);
}

/** Ends a patient's open rows, run out or not. The caller updates the memory, as of `endPauses`. */
export async function endOpen(
  transaction: Kysely<Database>,
  table: PauseTable,
  now: EpochMs,
  { userId, patientId }: { userId: number | null; patientId: number },
): Promise<void> {
  await transaction
    .updateTable(table)
    .set({ ended_at: now, ended_by: userId })
    .where('patient_id', '=', patientId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Resolves with a patient's standby and comfort care at `now` (epoch milliseconds), with users' names. */
export async function presentPauses(
  db: Kysely<Database>,
  liveState: LiveState,
  patientId: number,
  now: EpochMs,
): Promise<Pick<PatientResponse, 'standby' | 'comfortCare'>> {
  const standby = liveState.standbyOf(patientId, now);
  const comfortCare = liveState.comfortCareOf(patientId, now);
  return {
    standby: standby === null ? null : await presentStandby(db, standby),
    comfortCare: comfortCare === null ? null : await presentComfortCare(db, comfortCare),
  };
}

/** Resolves with a standby as responses show it. */
export async function presentStandby(
  db: Kysely<Database>,
  { startedAt, until, reason, by, isRenewal }: Standby,
): Promise<StandbyResponse> {
  const [from, to] = [toInstant(startedAt), toInstant(until)];
  return { startedAt: from, until: to, reason, by: (await readNames(db, [by]))(by), isRenewal };
}

/** Resolves with comfort care as responses show it. */
export async function presentComfortCare(db: Kysely<Database>, comfortCare: ComfortCare): Promise<ComfortCareResponse> {
  const { confirmedAt, reason, by } = comfortCare;
  return {
    confirmedAt: toInstant(confirmedAt),
    until: toInstant(comfortCareUntil(comfortCare)),
    reason,
    by: (await readNames(db, [by]))(by),
  };
}
