import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { isStorageUnavailable } from '../http/errors';
import { HttpError } from '../http/httpError';
import { hashSecret } from '../session/sessions';
import type { DeviceRow } from '../db/rows';

/** A device that may send. */
export interface Device {
  id: number;
  siteId: number;
  row: DeviceRow;
}

const refused = (message: string): HttpError => new HttpError(401, 'device_refused', message);

/**
 * Returns the device whose token an `Authorization` header holds. Rejects with 401 if the token is missing, unknown,
 * expired or revoked. Reads the store each time, so that a change of tokens by a command applies at once. While nothing
 * can be read, a device in `known` is let in as it was read last: its values are shown and judged also then. `known`
 * is kept up to date.
 */
export async function findDevice(
  db: Kysely<Database>,
  now: EpochMs,
  authorization: string | undefined,
  known: Map<number, DeviceRow>,
): Promise<DeviceRow> {
  const token = /^Bearer ([\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) {
    throw refused('Send the device token as "Authorization: Bearer ...".');
  }
  const hash = hashSecret(token);
  const row = await db
    .selectFrom('devices')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
    .catch((error: unknown) => {
      const found = isStorageUnavailable(error)
        ? [...known.values()].find(({ token_hash }) => token_hash === hash)
        : undefined;
      if (found === undefined) {
        throw error;
      }
      return found;
    });
  // A source of an HL7 sender has no token, whatever is in that column.
  if (row === undefined || row.sender_id !== null) {
    throw refused('No device has this token.');
  }
  known.set(row.id, row);
  if (row.revoked_at !== null) {
    throw refused('This device token was revoked.');
  }
  if (row.expires_at !== null && row.expires_at <= now) {
    throw refused('This device token has expired.');
  }
  return row;
}
