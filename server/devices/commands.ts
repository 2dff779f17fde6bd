import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DeviceAssignment, DevicePatch } from '../../lib/devices/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import { audit, type AuditEvent } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import { hashSecret } from '../session/sessions';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';
import { requireDevice } from './queries';

export interface NewDevice {
  siteId: number;
  name: string;
  /** How often it sends a value, in milliseconds; null leaves it to the table of kinds. */
  expectedEveryMs: number | null;
  /** Epoch milliseconds; null: the token does not expire. */
  expiresAt: number | null;
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** The row of the audit that an act on a device leaves. */
async function record(
  db: Kysely<Database>,
  now: number,
  actor: Actor,
  action: AuditEvent['action'],
  deviceId: number,
  details?: AuditEvent['details'],
): Promise<void> {
  await audit(db, now, actor, { action, outcome: 'done', objectType: 'device', objectId: deviceId, details });
}

/**
 * Adds a device and returns its id and token, which is shown this once and kept only as a hash. Refuses with 404 an
 * unknown site.
 */
export async function addDevice(
  db: Kysely<Database>,
  now: number,
  actor: Actor,
  device: NewDevice,
): Promise<{ id: number; token: string }> {
  const token = newSecret();
  return await db.transaction().execute(async (transaction) => {
    const site = await transaction.selectFrom('sites').select('id').where('id', '=', device.siteId).executeTakeFirst();
    if (site === undefined) {
      throw new HttpError(404, 'unknown_site', `There is no site ${device.siteId}.`);
    }
    const row = await transaction
      .insertInto('devices')
      .values({
        site_id: device.siteId,
        name: device.name,
        token_hash: hashSecret(token),
        expected_every_ms: device.expectedEveryMs,
        created_at: now,
        expires_at: device.expiresAt,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await record(transaction, now, { ...actor, siteId: device.siteId }, 'add_device', row.id);
    return { id: row.id, token };
  });
}

/**
 * Gives a device a new token, shown this once, and so revokes the one it had; the device stays the same source of the
 * same samples. `expiresAt` is epoch milliseconds; null: it ends when the one before would have. Refuses with 409
 * `end_passed` where that is over.
 */
export async function renewDeviceToken(
  db: Kysely<Database>,
  now: number,
  actor: Actor,
  deviceId: number,
  expiresAt: number | null,
): Promise<string> {
  const token = newSecret();
  await db.transaction().execute(async (transaction) => {
    const { site_id, expires_at } = await transaction
      .updateTable('devices')
      .set({
        token_hash: hashSecret(token),
        revoked_at: null,
        ...(expiresAt === null ? {} : { expires_at: expiresAt }),
      })
      .where('id', '=', deviceId)
      .returning(['site_id', 'expires_at'])
      .executeTakeFirstOrThrow();
    if (expires_at !== null && expires_at <= now) {
      throw new HttpError(409, 'end_passed', 'The end of its token has passed. Set another end first.');
    }
    await record(transaction, now, { ...actor, siteId: site_id }, 'renew_device_token', deviceId);
  });
  return token;
}

/**
 * Ends a device's token: its very next call is refused, and nobody waits for it. One that is revoked already stays so.
 * `now` is epoch milliseconds.
 */
export async function revokeDevice(
  store: Store,
  liveState: LiveState,
  now: number,
  actor: Actor,
  deviceId: number,
): Promise<void> {
  const row = await store.db.transaction().execute(async (transaction) => {
    const revoked = await transaction
      .updateTable('devices')
      .set({ revoked_at: now })
      .where('id', '=', deviceId)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (revoked !== undefined) {
      await record(transaction, now, actor, 'revoke_device', deviceId);
    }
    return revoked;
  });
  if (row !== undefined) {
    liveState.devices.set(row.id, row);
  }
}

/**
 * Changes a device's name or interval, which screens show at once, or the end of its token. Refuses with 422 an end
 * that lies in the past: that is what revoking is for. `now` is epoch milliseconds.
 */
export async function changeDevice(
  store: Store,
  liveState: LiveState,
  now: number,
  actor: Actor,
  deviceId: number,
  { name, expectedEveryMs, expiresAt }: DevicePatch,
): Promise<void> {
  const endsAt = typeof expiresAt === 'string' ? parseInstant(expiresAt) : expiresAt;
  if (typeof endsAt === 'number' && endsAt <= now) {
    throw new HttpError(422, 'invalid', 'expiresAt: lies in the past.', { fields: { expiresAt: 'lies in the past' } });
  }
  const fields = Object.entries({ name, expectedEveryMs, expiresAt }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (fields.length === 0) {
    return;
  }
  const row = await store.db.transaction().execute(async (transaction) => {
    const changed = await transaction
      .updateTable('devices')
      .set({ name, expected_every_ms: expectedEveryMs, expires_at: endsAt })
      .where('id', '=', deviceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(transaction, now, actor, 'change_device', deviceId, { fields });
    return changed;
  });
  liveState.devices.set(row.id, row);
  liveState.changed(row.site_id);
}

/** One answer whichever identifier is wrong: nobody learns from it which patients there are. */
const notMatched = (): HttpError =>
  new HttpError(
    422,
    'patient_not_matched',
    'These two do not name one patient of yours who is admitted. Compare both with the wristband.',
  );

/**
 * Assigns a device within reach to the patient whom two identifiers name, and ends what it was assigned to. What it has
 * sent stays whose it was: samples name their patient themselves, an assignment decides only which device's are shown.
 * Refuses with 404 a device beyond reach, with 409 `device_revoked`, with 422 `patient_not_matched`. `now` is epoch
 * milliseconds.
 */
export async function assignDevice(
  store: Store,
  liveState: LiveState,
  now: number,
  actor: Actor,
  scope: Scope,
  deviceId: number,
  identifiers: DeviceAssignment,
): Promise<void> {
  // In turn, so that of two people who assign the same device one is first.
  await store.inTurn(async () => {
    const device = await requireDevice(store, liveState, scope, deviceId);
    if (device.revoked_at !== null) {
      throw new HttpError(409, 'device_revoked', 'This device is revoked. Give it a new token first.');
    }
    const patient = findPatient(liveState, scope, identifiers);
    if (patient === null) {
      await audit(store.db, now, actor, {
        action: 'assign_device',
        outcome: 'refused',
        objectType: 'device',
        objectId: deviceId,
      });
      throw notMatched();
    }
    const before = liveState.assigned.get(deviceId);
    if (before === patient.id) {
      return;
    }
    await store.db.transaction().execute(async (transaction) => {
      await endAssignments(transaction, now, actor, { deviceId });
      await transaction
        .insertInto('device_assignments')
        .values({
          site_id: device.site_id,
          device_id: deviceId,
          patient_id: patient.id,
          assigned_at: now,
          assigned_by: actor.actorId ?? 0,
          ended_at: null,
          ended_by: null,
        })
        .execute();
      await record(transaction, now, actor, 'assign_device', deviceId, { patientId: patient.id });
    });
    liveState.assigned.set(deviceId, patient.id);
    liveState.changed(device.site_id);
  });
}

function findPatient(liveState: LiveState, scope: Scope, { mrn, dateOfBirth }: DeviceAssignment): PatientRow | null {
  const patient = liveState.patientByMrn(mrn, scope.siteId);
  const matches = patient?.date_of_birth === dateOfBirth && patient.state === 'active' && inScope(scope, patient);
  return matches ? patient : null;
}

/**
 * Ends what a device within reach is assigned to, if anything. Refuses with 404 a device beyond. `now` is epoch
 * milliseconds.
 */
export async function unassignDevice(
  store: Store,
  liveState: LiveState,
  now: number,
  actor: Actor,
  scope: Scope,
  deviceId: number,
): Promise<void> {
  await store.inTurn(async () => {
    const device = await requireDevice(store, liveState, scope, deviceId);
    await store.db.transaction().execute((transaction) => endAssignments(transaction, now, actor, { deviceId }));
    liveState.assigned.delete(deviceId);
    liveState.changed(device.site_id);
  });
}

/**
 * Ends the open assignments of a device or of a patient, with a row of the audit for each, and returns their devices.
 * The caller tells the ward after the commit. `now` is epoch milliseconds.
 */
export async function endAssignments(
  transaction: Kysely<Database>,
  now: number,
  actor: Actor,
  of: { deviceId: number } | { patientId: number },
): Promise<number[]> {
  const ended = await transaction
    .updateTable('device_assignments')
    .set({ ended_at: now, ended_by: actor.actorId })
    .where('ended_at', 'is', null)
    .where(({ eb }) => ('deviceId' in of ? eb('device_id', '=', of.deviceId) : eb('patient_id', '=', of.patientId)))
    .returning(['device_id', 'patient_id'])
    .execute();
  for (const row of ended) {
    await record(transaction, now, actor, 'unassign_device', row.device_id, { patientId: row.patient_id });
  }
  return ended.map((row) => row.device_id);
}
