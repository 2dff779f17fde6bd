import { sql, type Kysely } from 'kysely';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { isInFuture } from '../../lib/time/isInFuture';
import { parseInstant } from '../../lib/time/parseInstant';
import type { Database } from '../db/schema';
import { HttpError, invalid } from '../http/httpError';
import { readNames } from '../users/readNames';

/** Throws 409 `another_user` if a page's text is another user's than the one whose session the call carries. */
export function requireAuthor({ user }: { user: User }, authorId: number): void {
  if (authorId !== user.id) {
    throw new HttpError(409, 'another_user', 'Another user has signed in in this browser.');
  }
}

/** Locks a document until the transaction ends, so that concurrent changes run one after another. */
export async function holdDocument(
  transaction: Kysely<Database>,
  table: 'notes' | 'handoffs' | 'issue_reports',
  id: number,
): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET version = version WHERE id = ${id}`.execute(transaction);
}

/**
 * Rejects with 409 `note_changed` and the like, which says who was first, if the user saw another version. `hiddenAs`:
 * what the user reads instead of a name.
 */
export async function requireVersion(
  { user }: { user: User },
  db: Kysely<Database>,
  what: 'note' | 'handoff' | 'report',
  { id, version, changed_by }: { id: number; version: number; changed_by: number },
  seen: number,
  hiddenAs?: string,
): Promise<void> {
  if (version !== seen) {
    const { name } = (await readNames(db, [changed_by]))(changed_by);
    const who = changed_by === user.id ? 'You have' : `${hiddenAs ?? name} has`;
    throw new HttpError(409, `${what}_changed`, `${who} changed this ${what} in the meantime.`, { id });
  }
}

/**
 * Returns the instant that a field states, or null. Throws 422 for one in the future, unless it is the one that the
 * document had `before`, which stays good when the clock is set back.
 */
export function pastInstant(
  field: string,
  text: string | null | undefined,
  now: EpochMs,
  before?: EpochMs,
): EpochMs | null {
  const at = parseInstant(text ?? '');
  if (at !== null && at !== before && isInFuture(at, now)) {
    throw invalid({ [field]: 'is in the future' }, 'This time lies in the future.');
  }
  return at;
}

/** Rejects with 422 if a document names alerts of another patient; `orEquipment`: those without a patient may be. */
export async function requireAlerts(
  transaction: Kysely<Database>,
  siteId: number,
  patientId: number | null,
  alertIds: readonly number[],
  { orEquipment = false } = {},
): Promise<void> {
  const wanted = [...new Set(alertIds)];
  if (wanted.length === 0) {
    return;
  }
  const known = await transaction
    .selectFrom('alerts')
    .select('id')
    .where('id', 'in', wanted)
    .where('site_id', '=', siteId)
    .where((is) =>
      is.or([
        ...(orEquipment ? [is('patient_id', 'is', null)] : []),
        ...(patientId === null ? [] : [is('patient_id', '=', patientId)]),
      ]),
    )
    .execute();
  if (known.length < wanted.length) {
    const words = orEquipment ? 'this patient or about equipment' : 'this patient';
    throw invalid({ alertIds: `are not all about ${words}` }, 'An alert is about another patient.');
  }
}
