import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { audit, type Actor } from '../audit';
import type { Database } from '../db/schema';
import { Refusal } from '../http/refusal';
import { hashSecret } from '../session/sessions';
import type { DeviceRow } from '../ward';

/** A device that may send. */
export interface Device {
  id: number;
  siteId: number;
}

const refused = (message: string): Refusal => new Refusal(401, 'device_refused', message);

/**
 * Takes an `Authorization` header and returns the device it names. Refuses with 401 a missing, unknown, expired or revoked
 * token. The store is asked each time, so that a token that was added or revoked by command counts at once.
 */
export async function findDevice(db: Kysely<Database>, now: number, authorization: string | undefined): Promise<DeviceRow> {
  const token = /^Bearer ([\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw refused('Send the device token as "Authorization: Bearer ...".');
  }
  const row = await db.selectFrom('devices').selectAll().where('token_hash', '=', hashSecret(token)).executeTakeFirst();
  if (row === undefined) {
    throw refused('No device has this token.');
  }
  if (row.revoked_at !== null) {
    throw refused('This device token was revoked.');
  }
  if (row.expires_at !== null && row.expires_at <= now) {
    throw refused('This device token has expired.');
  }
  return row;
}

export interface NewDevice {
  siteId: number;
  name: string;
  /** How often it sends a value, in milliseconds; null leaves it to the table of kinds. */
  expectedEveryMs: number | null;
  /** Epoch milliseconds; null: the token does not expire. */
  expiresAt: number | null;
}

/** Adds a device and returns its id and token, which is shown this once and kept only as a hash. Refuses with 404 an unknown site. */
export async function addDevice(
  db: Kysely<Database>,
  now: number,
  actor: Actor,
  device: NewDevice,
): Promise<{ id: number; token: string }> {
  const token = randomBytes(32).toString('base64url');
  return await db.transaction().execute(async (transaction) => {
    const site = await transaction.selectFrom('sites').select('id').where('id', '=', device.siteId).executeTakeFirst();
    if (site === undefined) {
      throw new Refusal(404, 'unknown_site', `There is no site ${device.siteId}.`);
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
    await audit(
      transaction,
      now,
      { ...actor, siteId: device.siteId },
      { action: 'add_device', outcome: 'done', objectType: 'device', objectId: row.id },
    );
    return { id: row.id, token };
  });
}

/** Gives a device a new token, shown this once, and so revokes the one it had; the device stays the same source of the same samples. */
export async function renewDeviceToken(db: Kysely<Database>, now: number, actor: Actor, deviceId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.transaction().execute(async (transaction) => {
    const { site_id } = await transaction
      .updateTable('devices')
      .set({ token_hash: hashSecret(token), revoked_at: null })
      .where('id', '=', deviceId)
      .returning('site_id')
      .executeTakeFirstOrThrow();
    await audit(
      transaction,
      now,
      { ...actor, siteId: site_id },
      { action: 'renew_device_token', outcome: 'done', objectType: 'device', objectId: deviceId },
    );
  });
  return token;
}
