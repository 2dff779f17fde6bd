import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DeviceAssignment, DevicePatch } from '../../lib/devices/schema';
import { takenBackWithinMs } from '../../lib/alerts/technicalRules';
import { parseInstant } from '../../lib/time/parseInstant';
import { unitKey } from '../../lib/units/unitKey';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit, auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import { hashSecret } from '../session/sessions';
import type { LiveState } from '../liveState';
import type { By } from '../proposals/proposals';
import type { DeviceRow, PatientRow } from '../db/rows';
import { changeGateway } from './gateway';
import { requireDevice } from './queries';

interface Ward {
  store: Store;
  liveState: LiveState;
  now: () => EpochMs;
}

export interface NewDevice {
  siteId: number;
  name: string;
  /** How often it sends a value, in milliseconds; null if the table of kinds decides. */
  expectedEveryMs: number | null;
  /** When the token expires, or null if it does not. */
  expiresAt: EpochMs | null;
  /** Until when it may send for any patient of the site (`mayWrite`). */
  gatewayUntil?: EpochMs | undefined;
}

/** Base64url may begin with a dash, which a command takes for an option: `--token -x` is refused. */
const newSecret = (): string => `wl_${randomBytes(32).toString('base64url')}`;

async function readDevice(db: Kysely<Database>, deviceId: number): Promise<DeviceRow> {
  return await db.selectFrom('devices').selectAll().where('id', '=', deviceId).executeTakeFirstOrThrow();
}

/**
 * Rejects with 409 `device_exists` if another device of the site has the name and is not revoked. The caller holds the
 * site, so that no other change takes the name meanwhile. It is no unique index, because sites may have such devices.
 */
async function requireFreeName(
  transaction: Kysely<Database>,
  siteId: number,
  name: string,
  deviceId: number | null,
): Promise<void> {
  const devices = await transaction
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('site_id', '=', siteId)
    .where('revoked_at', 'is', null)
    .execute();
  if (devices.some((device) => device.id !== deviceId && unitKey(device.name) === unitKey(name))) {
    throw new HttpError(409, 'device_exists', 'Another device of this site has this name.', {
      fields: { name: 'is the name of another device' },
    });
  }
}

/**
 * Adds a device and returns its id and token. The token is shown only now and stored as a hash. Rejects with 404 if the
 * site is unknown, and with 409 `device_exists` if a device of the site that is not revoked has the name.
 */
export async function addDevice(
  db: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  device: NewDevice,
): Promise<{ id: number; token: string }> {
  const token = newSecret();
  // Before the transaction: one of SQLite that begins with a read fails at once if the server writes meanwhile.
  const site = await db.selectFrom('sites').select('id').where('id', '=', device.siteId).executeTakeFirst();
  if (site === undefined) {
    throw new HttpError(404, 'unknown_site', `There is no site ${device.siteId}.`);
  }
  return await db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', device.siteId);
    await requireFreeName(transaction, device.siteId, device.name, null);
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
        gateway_until: device.gatewayUntil,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await auditDone(transaction, now, { ...actor, siteId: device.siteId }, 'add_device', ['device', row.id]);
    return { id: row.id, token };
  });
}

/**
 * Gives a device a new token, which is shown only now, and revokes the old one. The device stays the same source of the
 * same samples. If `expiresAt` is null, the old expiry stays. Rejects with 409 `end_passed` if that has passed, with
 * `device_exists` if the device was revoked and another one has its name since, and with `device_of_sender` for a
 * source of an HL7 sender.
 */
export async function renewDeviceToken(
  db: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  deviceId: number,
  expiresAt: number | null,
): Promise<string> {
  const token = newSecret();
  const { site_id: siteId } = await readDevice(db, deviceId);
  await db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', siteId);
    const { name, revoked_at } = await readDevice(transaction, deviceId);
    if (revoked_at !== null) {
      await requireFreeName(transaction, siteId, name, deviceId);
    }
    const { expires_at, sender_id } = await transaction
      .updateTable('devices')
      .set({
        token_hash: hashSecret(token),
        revoked_at: null,
        ...(expiresAt === null ? {} : { expires_at: expiresAt }),
      })
      .where('id', '=', deviceId)
      .returning(['expires_at', 'sender_id'])
      .executeTakeFirstOrThrow();
    refuseSource(sender_id);
    if (expires_at !== null && expires_at <= now) {
      throw new HttpError(409, 'end_passed', 'The end of its token has passed. Set another end first.');
    }
    await auditDone(transaction, now, { ...actor, siteId }, 'renew_device_token', ['device', deviceId]);
  });
  return token;
}

/** Throws 409 for a source of an HL7 sender: its values come by the sender, so only that can be revoked. */
function refuseSource(senderId: number | null): void {
  if (senderId !== null) {
    throw new HttpError(
      409,
      'device_of_sender',
      'Its values come by an HL7 sender and it has no token. Revoke the sender on the page Interfaces.',
    );
  }
}

/**
 * Revokes a device's token. Its next call is refused, and its values are no longer expected. Does nothing if the token
 * is already revoked. Rejects with 409 `device_of_sender` for a source of an HL7 sender.
 */
export async function revokeDevice(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
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
      refuseSource(revoked.sender_id);
      await auditDone(transaction, now, actor, 'revoke_device', ['device', deviceId]);
    }
    return revoked;
  });
  if (row !== undefined) {
    liveState.devices.set(row.id, row);
  }
}

/**
 * Changes a device's name or interval, which screens show at once, or the expiry of its token. Rejects with 422 if the
 * expiry has passed: that is what revoking is for. Rejects with 409 `device_exists` if another device has the new name;
 * a device keeps its name, also one that another has from a time when that was not refused. Rejects with 409
 * `device_of_sender` if a source of an HL7 sender is given an expiry or units: its values would still come, and their
 * silence raise no alert. Units are those of a gateway (`changeGateway`).
 */
export async function changeDevice(
  store: Store,
  liveState: LiveState,
  by: By,
  deviceId: number,
  { name, expectedEveryMs, expiresAt, unitIds }: DevicePatch,
): Promise<void> {
  const { now, actor } = by;
  const endsAt = typeof expiresAt === 'string' ? parseInstant(expiresAt) : expiresAt;
  if (typeof endsAt === 'number' && endsAt <= now) {
    throw new HttpError(422, 'invalid', 'expiresAt: lies in the past.', { fields: { expiresAt: 'lies in the past' } });
  }
  const fields = Object.entries({ name, expectedEveryMs, expiresAt, unitIds }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (fields.length === 0) {
    return;
  }
  const { site_id: siteId } = await readDevice(store.db, deviceId);
  const row = await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', siteId);
    const before = await readDevice(transaction, deviceId);
    if (name !== undefined && before.revoked_at === null && unitKey(name) !== unitKey(before.name)) {
      await requireFreeName(transaction, siteId, name, deviceId);
    }
    const gateway = unitIds === undefined ? {} : await changeGateway(transaction, by, before, unitIds, liveState);
    const changed = await transaction
      .updateTable('devices')
      .set({
        ...gateway,
        name,
        expected_every_ms: expectedEveryMs,
        expires_at: endsAt,
      })
      .where('id', '=', deviceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (typeof endsAt === 'number' || unitIds !== undefined) {
      refuseSource(changed.sender_id);
    }
    await auditDone(transaction, now, actor, 'change_device', ['device', deviceId], { fields });
    return changed;
  });
  liveState.devices.set(row.id, row);
  liveState.changed(row.site_id);
}

/** The same error whichever identifier is wrong, so that it does not reveal which patients exist. */
const notMatched = (): HttpError =>
  new HttpError(
    422,
    'patient_not_matched',
    'These two do not name one patient of yours who is admitted. Compare both with the wristband.',
  );

/**
 * Assigns a device to the patient whom two identifiers name, and ends its earlier assignment. Samples name their
 * patient themselves, so earlier ones are not affected: an assignment decides only which device's values are shown.
 * Rejects with 404 if the device is out of reach, 409 `device_revoked` and 422 `patient_not_matched`.
 */
export async function assignDevice(
  { store, liveState, now }: Ward,
  actor: Actor,
  scope: Scope,
  deviceId: number,
  identifiers: DeviceAssignment,
): Promise<void> {
  // Queued, so that two users who assign the same device do so one after the other.
  await store.writeQueue(async (givenUp) => {
    const device = await requireDevice(store, liveState, scope, deviceId);
    if (device.revoked_at !== null) {
      throw new HttpError(409, 'device_revoked', 'This device is revoked. Give it a new token first.');
    }
    const patient = findPatient(liveState, scope, identifiers);
    if (patient === null) {
      await audit(store.db, now(), actor, {
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
    // In the queue: what came while this waited came by the assignment before.
    const at = now();
    await store.db.transaction().execute(async (transaction) => {
      await endAssignments(transaction, at, actor, { deviceId });
      await insertAssignment(transaction, at, actor, { siteId: device.site_id, deviceId, patientId: patient.id });
      givenUp.throwIfAborted();
    });
    givenUp.throwIfAborted();
    liveState.deviceStays.put(deviceId, patient.id, at);
    liveState.changed(device.site_id);
  });
}

async function insertAssignment(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { siteId, deviceId, patientId }: { siteId: number; deviceId: number; patientId: number },
): Promise<void> {
  await transaction
    .insertInto('device_assignments')
    .values({
      ...{ site_id: siteId, device_id: deviceId, patient_id: patientId },
      ...{ assigned_at: now, assigned_by: actor.actorId ?? 0, ended_at: null, ended_by: null },
    })
    .execute();
  await auditDone(transaction, now, actor, 'assign_device', ['device', deviceId], { patientId });
}

/** Returns the admitted patient within reach whom two identifiers name, or null. */
export function findPatient(
  liveState: LiveState,
  scope: Scope,
  { mrn, dateOfBirth }: DeviceAssignment,
): PatientRow | null {
  const patient = liveState.patientByMrn(mrn, scope.siteId);
  const matches = patient?.date_of_birth === dateOfBirth && patient.state === 'active' && inScope(scope, patient);
  return matches ? patient : null;
}

/**
 * Gives a patient back the devices that the discharge took off, but for those that are revoked or that somebody else
 * has had since, audits each, and returns them. Call it before the return is written, in its transaction; the
 * caller updates the live state after the commit.
 */
export async function restoreAssignments(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { id, site_id }: Pick<PatientRow, 'id' | 'site_id'>,
): Promise<number[]> {
  const left = await transaction
    .selectFrom('patient_moves')
    .select(['kind', 'moved_at', 'recorded_at'])
    .where('patient_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (left?.kind !== 'discharged' || now - left.moved_at > takenBackWithinMs) {
    return [];
  }
  const had = await transaction
    .selectFrom('device_assignments as had')
    .innerJoin('devices', 'devices.id', 'had.device_id')
    .where('had.patient_id', '=', id)
    .where('had.ended_at', '=', left.recorded_at ?? left.moved_at)
    .where('devices.revoked_at', 'is', null)
    .where('had.wrong_at', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('device_assignments as later')
            .select('later.id')
            .whereRef('later.device_id', '=', 'had.device_id')
            .whereRef('later.id', '>', 'had.id'),
        ),
      ),
    )
    .select('had.device_id')
    .execute();
  for (const { device_id } of had) {
    await insertAssignment(transaction, now, actor, { siteId: site_id, deviceId: device_id, patientId: id });
  }
  return had.map(({ device_id }) => device_id);
}

/** Ends the assignment of a device, if it has one. Rejects with 404 if the device is out of reach. */
export async function unassignDevice(
  { store, liveState, now }: Ward,
  actor: Actor,
  scope: Scope,
  deviceId: number,
): Promise<void> {
  await store.writeQueue(async (givenUp) => {
    const device = await requireDevice(store, liveState, scope, deviceId);
    const at = now();
    await store.db.transaction().execute(async (transaction) => {
      await endAssignments(transaction, at, actor, { deviceId });
      givenUp.throwIfAborted();
    });
    givenUp.throwIfAborted();
    liveState.deviceStays.put(deviceId, null, at);
    liveState.changed(device.site_id);
  });
}

/**
 * Ends the open assignments of a device or of a patient, audits each, and returns their devices. The caller updates the
 * live state after the commit.
 */
export async function endAssignments(
  transaction: Kysely<Database>,
  now: EpochMs,
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
    await auditDone(transaction, now, actor, 'unassign_device', ['device', row.device_id], {
      patientId: row.patient_id,
    });
  }
  return ended.map((row) => row.device_id);
}
