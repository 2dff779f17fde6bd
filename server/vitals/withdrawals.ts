import type { Insertable, Kysely } from 'kysely';
import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { instant, toInstant } from '../../lib/time/schema';
import { kindOfCode, kinds, vitalKinds } from '../../lib/vitals/kinds';
import type { TypedSets } from '../../lib/vitals/readingsSchema';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import type { Database, WithdrawalsTable } from '../db/schema';
import { endAssignments } from '../devices/commands';
import { HttpError, notFound } from '../http/httpError';
import type { Writer } from '../patients/writerOf';
import type { Server } from '../server';
import { sourceOfUser } from './manualSource';
import { readStored } from './readStored';

/** How long a set that was typed in is listed, in milliseconds. */
const listedMs = 24 * 3_600_000;
/** What values raised was raised so soon after they came, in milliseconds; a device is off as soon after a mark. */
const raisedMs = 2_000;

/** What the audit says of a set that was typed in; earlier releases did not say when it was taken. */
const typedIn = z.object({ takenAt: instant });

/**
 * Resolves with the sets that users typed in for a patient in the last 24 hours and that are not withdrawn, the newest
 * first: those of `userId`; null: of all.
 */
export async function listTypedSets(
  { store }: Pick<Server, 'store'>,
  { id, site_id }: PatientRow,
  userId: number | null,
  now: EpochMs,
): Promise<TypedSets> {
  const rows = await store.db
    .selectFrom('audit')
    .innerJoin('users', 'users.id', 'audit.actor_id')
    .select(['users.id', 'users.fname', 'users.lname', 'audit.details'])
    .where('audit.site_id', '=', site_id)
    .where('audit.object_id', '=', id)
    .where('audit.object_type', '=', 'patient')
    .where('audit.at', '>=', now - listedMs)
    .where('audit.action', '=', 'record_readings')
    .where(({ eb, and }) => (userId === null ? and([]) : eb('users.id', '=', userId)))
    .orderBy('audit.id', 'desc')
    .execute();
  const items = new Map<string, TypedSets['items'][number]>();
  for (const { id: by, fname, lname, details } of rows) {
    const takenAt = parseInstant(readJson(typedIn, details ?? '')?.takenAt ?? '');
    if (takenAt !== null && !items.has(`${by} ${takenAt}`)) {
      const samples = await readStored(store, keysOf(id, by, takenAt));
      items.set(`${by} ${takenAt}`, {
        takenAt: toInstant(takenAt),
        by: { id: by, name: `${fname} ${lname}` },
        readings: samples.map(({ kind, value }) => ({ kind: kindOfCode(kind), value })),
      });
    }
  }
  return { items: [...items.values()].filter(({ readings }) => readings.length > 0) };
}

const keysOf = (patientId: number, userId: number, takenAt: EpochMs) =>
  vitalKinds.map((kind) => ({ patientId, kind: kinds[kind].code, takenAt, deviceId: sourceOfUser(userId) }));

/** Resolves with whether somebody withdrew what a source typed in for a patient for one moment. */
export async function isSetWithdrawn(
  db: Kysely<Database>,
  patientId: number,
  { source, takenAt }: { source: number; takenAt: EpochMs },
): Promise<boolean> {
  const row = db.selectFrom('withdrawals').select('id').where('patient_id', '=', patientId).limit(1);
  const found = await row.where('source', '=', source).where('taken_at', '=', takenAt).executeTakeFirst();
  return found !== undefined;
}

/**
 * Withdraws all that a user typed in for a patient for one moment (clinical.md section 00, A5). It is done within
 * seconds (`withdrawWrong`). Does nothing if somebody has said so. Rejects with 403 `not_author` unless `mayWithdraw`,
 * and with 404 if nothing was typed in.
 */
export async function withdrawTyped(
  { store, now, actor }: Writer,
  patient: PatientRow,
  { userId, takenAt, reason, mayWithdraw }: { userId: number; takenAt: EpochMs; reason: string; mayWithdraw: boolean },
): Promise<void> {
  const source = sourceOfUser(userId);
  // Queued, so that of two who say so at once one does.
  await store.writeQueue(async (givenUp) => {
    if (await isSetWithdrawn(store.db, patient.id, { source, takenAt })) {
      return;
    }
    const arrivals = (await readStored(store, keysOf(patient.id, userId, takenAt))).map(({ receivedAt }) => receivedAt);
    if (arrivals.length === 0) {
      throw notFound();
    }
    if (!mayWithdraw) {
      throw new HttpError(403, 'not_author', 'Only its author, the charge nurse or a ward lead can withdraw it.');
    }
    await store.db.transaction().execute(async (transaction) => {
      await addWithdrawal(transaction, now, actor, patient, {
        ...{ source, taken_at: takenAt, reason },
        ...{ since: Math.min(takenAt, ...arrivals), until: Math.max(...arrivals) + raisedMs },
      });
      givenUp.throwIfAborted();
    });
  });
}

/**
 * Withdraws what a device sent during one stay on a patient, and takes it off if it still is (clinical.md section 00,
 * A4): it was the wrong one. Rejects with 404 if there was no such stay, and with 409 `withdrawn_already`.
 */
export async function withdrawDevice(
  { store, liveState, now }: Pick<Server, 'store' | 'liveState' | 'now'>,
  actor: Actor,
  patient: PatientRow,
  { deviceId, stayId, reason }: { deviceId: number; stayId: number; reason: string },
): Promise<void> {
  await store.writeQueue(async (givenUp) => {
    const stay = await store.db
      .selectFrom('device_assignments')
      .selectAll()
      .where('id', '=', stayId)
      .where('device_id', '=', deviceId)
      .where('patient_id', '=', patient.id)
      .executeTakeFirstOrThrow(notFound);
    if (stay.wrong_at !== null) {
      throw new HttpError(409, 'withdrawn_already', 'Somebody has said so already. Its values are withdrawn.');
    }
    // In the queue: what came while this waited came by it too.
    const at = now();
    await store.db.transaction().execute(async (transaction) => {
      if (stay.ended_at === null) {
        await endAssignments(transaction, at, actor, { deviceId });
      }
      await transaction.updateTable('device_assignments').set({ wrong_at: at }).where('id', '=', stay.id).execute();
      await addWithdrawal(transaction, at, actor, patient, {
        ...{ source: deviceId, taken_at: null, reason },
        ...{ since: stay.assigned_at, until: stay.ended_at ?? at + raisedMs },
      });
      givenUp.throwIfAborted();
    });
    givenUp.throwIfAborted();
    liveState.deviceStays.drop(deviceId, stay, at);
    liveState.changed(patient.site_id);
  });
}

async function addWithdrawal(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { id, site_id }: PatientRow,
  row: Pick<Insertable<WithdrawalsTable>, 'source' | 'taken_at' | 'since' | 'until' | 'reason'>,
): Promise<void> {
  const made = { site_id, patient_id: id, made_at: now, made_by: actor.actorId ?? 0 };
  await transaction
    .insertInto('withdrawals')
    .values({ ...row, ...made })
    .execute();
  const { taken_at = null, source } = row;
  await (taken_at === null
    ? auditDone(transaction, now, actor, 'device_on_wrong_patient', ['patient', id], { device: source })
    : auditDone(transaction, now, actor, 'withdraw_readings', ['patient', id], {
        userId: -source,
        takenAt: toInstant(taken_at),
      }));
}
