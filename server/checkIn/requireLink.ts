import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';
import type { Server } from '../server';
import { hashSecret } from '../session/sessions';
import { networkOf } from '../session/throttle';
import { stateOf, type LinkRow } from './links';

/** So many wrong years of birth lock a link. */
export const mostTries = 5;

/** A link that opened, and its patient, who is not discharged. */
export interface OpenedLink {
  link: LinkRow;
  patient: PatientRow;
}

/** Returns whether an address may send one more secret that opens nothing. */
export type MayMiss = (network: string) => boolean;

/** The same error for every secret that opens nothing, so that it does not reveal why. */
export const unusable = (): HttpError =>
  new HttpError(
    404,
    'link_unusable',
    'This link does not work. Call your ward for a new one. In an emergency call the emergency number.',
  );

/**
 * Returns the link of a secret and its patient. Rejects with 404 `link_unusable` if it is unknown, expired, revoked or
 * locked or if its patient is discharged, with 429 after many of these from one network, and with 403 `wrong_year` if
 * the year of birth is another one. The fifth wrong year locks the link: `onLocked` is called after the commit. A
 * secret that opens is never throttled: it is looked up first.
 */
export async function requireLink(
  { store, liveState, now }: Pick<Server, 'store' | 'liveState' | 'now'>,
  actor: Actor,
  { secret, yearOfBirth }: { secret: string; yearOfBirth: number },
  { mayMiss, onLocked }: { mayMiss: MayMiss; onLocked: (patient: PatientRow) => Promise<void> },
): Promise<OpenedLink> {
  const row = await store.db
    .selectFrom('check_in_links')
    .selectAll()
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst();
  const found = row === undefined ? null : usable(liveState, row, now());
  const opened = found === null ? null : await tryYear(store, liveState, now(), actor, found, yearOfBirth);
  if (opened === null) {
    if (!mayMiss(networkOf(actor.ip ?? ''))) {
      throw new HttpError(
        429,
        'too_many_tries',
        'Too many links that do not work came from your network. Wait a minute, or call your ward. In an emergency ' +
          'call the emergency number.',
        { retryAfter: 60 },
      );
    }
    throw unusable();
  }
  const { wrongTries } = opened;
  if (wrongTries === null) {
    return opened;
  }
  if (wrongTries >= mostTries) {
    await onLocked(opened.patient);
  }
  throw new HttpError(403, 'wrong_year', 'This is not the year of birth that belongs to this link.', {
    triesLeft: mostTries - wrongTries,
  });
}

function usable(liveState: LiveState, link: LinkRow, now: EpochMs): OpenedLink | null {
  const patient = liveState.patients.get(link.patient_id);
  return patient?.state === 'active' && stateOf(link, now) === 'active' ? { link, patient } : null;
}

/**
 * Compares the year of birth, and counts a wrong one. Returns how many wrong ones there are then, or null for a right
 * one; null instead of all if the link does not open any more. The row is locked, so that a hundred tries at once are
 * counted one after another.
 */
async function tryYear(
  store: Server['store'],
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  { link: { id }, patient }: OpenedLink,
  yearOfBirth: number,
): Promise<(OpenedLink & { wrongTries: number | null }) | null> {
  const isRight = Number(patient.date_of_birth.slice(0, 4)) === yearOfBirth;
  return await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'check_in_links', id);
    const row = await transaction
      .selectFrom('check_in_links')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const found = usable(liveState, row, now);
    if (found === null || isRight) {
      return found === null ? null : { ...found, wrongTries: null };
    }
    const wrongTries = row.wrong_tries + 1;
    const isLocked = wrongTries >= mostTries;
    const link = await transaction
      .updateTable('check_in_links')
      .set({ wrong_tries: wrongTries, ...(isLocked ? { locked_at: now } : {}) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isLocked) {
      await audit(
        transaction,
        now,
        { ...actor, siteId: patient.site_id },
        {
          action: 'lock_check_in_link',
          outcome: 'refused',
          objectType: 'patient',
          objectId: patient.id,
          details: { link: id },
        },
      );
    }
    return { link, patient, wrongTries };
  });
}
