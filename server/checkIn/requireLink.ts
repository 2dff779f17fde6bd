import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';
import type { Server } from '../server';
import { hashSecret } from '../session/sessions';
import { networkOf } from '../session/throttle';
import { stateOf, type LinkRow } from './links';

/**
 * So many wrong years of birth within so many milliseconds lock a link. Someone who mistypes once a day never gets
 * there. Someone who guesses, and does not want to be noticed, gets to 9 years a week.
 */
const limits = [
  { tries: 5, withinMs: 24 * 3_600_000 },
  { tries: 10, withinMs: 7 * 24 * 3_600_000 },
] as const;

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

interface Doors {
  mayMiss: MayMiss;
  /** Called after the commit of the wrong year that locked a link. */
  onLocked: (patient: PatientRow) => Promise<void>;
}

/**
 * Returns the link of a secret and its patient. Rejects with 404 `link_unusable` if it is unknown, expired, revoked or
 * locked or if its patient is discharged, with 429 after many of these from one network, and with 403 `wrong_year` if
 * the year of birth is another one. Too many wrong years lock the link. A secret that opens is never throttled: it is
 * looked up first.
 */
export async function requireLink(
  { store, liveState, now }: Pick<Server, 'store' | 'liveState' | 'now'>,
  actor: Actor,
  given: { secret: string; yearOfBirth: number },
  { mayMiss, onLocked }: Doors,
): Promise<OpenedLink> {
  const row = await findLink({ store }, given.secret);
  const found = row === undefined ? null : usable(liveState, row, now());
  const opened = found === null ? null : await tryYear(store, liveState, now(), actor, found, given.yearOfBirth);
  if (opened === null) {
    throw missed(actor, mayMiss);
  }
  const { triesLeft } = opened;
  if (triesLeft === null) {
    return opened;
  }
  if (triesLeft === 0) {
    await onLocked(opened.patient);
  }
  throw new HttpError(403, 'wrong_year', 'This is not the year of birth that belongs to this link.', { triesLeft });
}

/** A link whose holder asks for help. */
export interface HelpLink extends OpenedLink {
  isLocked: boolean;
  isYearRight: boolean;
  /** How many wrong years it takes after this one; null if this is right or the link was locked before. */
  triesLeft: number | null;
}

/**
 * Does what `requireLink` does, and takes any year of birth, also on a locked link: someone who holds the link asks for
 * help, and the ward may have corrected the year meanwhile. A wrong year counts, and the caller says so. Of a locked
 * link the caller answers the same whether the year was right, so that it can still not be guessed.
 */
export async function requireHelpLink(
  parts: Pick<Server, 'store' | 'liveState' | 'now'>,
  actor: Actor,
  given: { secret: string; yearOfBirth: number },
  { mayMiss, onLocked }: Doors,
): Promise<HelpLink> {
  const { store, liveState, now } = parts;
  const lockedOf = (row: LinkRow | undefined): HelpLink | null => {
    const patient = row === undefined ? undefined : liveState.patients.get(row.patient_id);
    return row !== undefined &&
      patient?.state === 'active' &&
      stateOf(row, now()) === 'locked' &&
      now() < row.expires_at
      ? { link: row, patient, isLocked: true, isYearRight: isYearOf(patient, given.yearOfBirth), triesLeft: null }
      : null;
  };
  const row = await findLink(parts, given.secret);
  const locked = lockedOf(row);
  if (locked !== null) {
    return locked;
  }
  const found = row === undefined ? null : usable(liveState, row, now());
  if (found === null) {
    throw missed(actor, mayMiss);
  }
  const opened = await tryYear(store, liveState, now(), actor, found, given.yearOfBirth);
  if (opened === null) {
    // Another wrong year has locked it meanwhile.
    const lockedNow = lockedOf(await findLink(parts, given.secret));
    if (lockedNow === null) {
      throw missed(actor, mayMiss);
    }
    return lockedNow;
  }
  if (opened.triesLeft === 0) {
    await onLocked(opened.patient);
  }
  return { ...opened, isLocked: false, isYearRight: opened.triesLeft === null };
}

async function findLink({ store }: Pick<Server, 'store'>, secret: string): Promise<LinkRow | undefined> {
  return await store.db
    .selectFrom('check_in_links')
    .selectAll()
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst();
}

/** Returns the error for a secret that opens nothing: the same for all, or 429 after many from one network. */
function missed({ ip }: Actor, mayMiss: MayMiss): HttpError {
  return mayMiss(networkOf(ip ?? ''))
    ? unusable()
    : new HttpError(
        429,
        'too_many_tries',
        'Too many links that do not work came from your network. Wait a minute, or call your ward. In an emergency ' +
          'call the emergency number.',
        { retryAfter: 60 },
      );
}

function usable(liveState: LiveState, link: LinkRow, now: EpochMs): OpenedLink | null {
  const patient = liveState.patients.get(link.patient_id);
  return patient?.state === 'active' && stateOf(link, now) === 'active' ? { link, patient } : null;
}

const isYearOf = ({ date_of_birth }: PatientRow, year: number): boolean => Number(date_of_birth.slice(0, 4)) === year;

/**
 * Compares the year of birth, and counts a wrong one. Returns how many wrong ones the link takes after it, or null for
 * a right one. Null alone: the link opens nothing any more. Concurrent tries count one after another.
 */
async function tryYear(
  store: Server['store'],
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  { link: { id }, patient }: OpenedLink,
  yearOfBirth: number,
): Promise<(OpenedLink & { triesLeft: number | null }) | null> {
  return await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'check_in_links', id);
    const row = await transaction
      .selectFrom('check_in_links')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const found = usable(liveState, row, now);
    if (found === null || isYearOf(patient, yearOfBirth)) {
      return found === null ? null : { ...found, triesLeft: null };
    }
    await transaction.insertInto('check_in_tries').values({ link_id: id, tried_at: now }).execute();
    const triesLeft = await readTriesLeft(transaction, id, now);
    const link = await transaction
      .updateTable('check_in_links')
      .set({ wrong_tries: row.wrong_tries + 1, ...(triesLeft === 0 ? { locked_at: now } : {}) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(
      transaction,
      now,
      { ...actor, siteId: patient.site_id },
      {
        action: triesLeft === 0 ? 'lock_check_in_link' : 'try_check_in_link',
        outcome: 'refused',
        objectType: 'patient',
        objectId: patient.id,
        details: triesLeft === 0 ? { link: id } : { link: id, triesLeft },
      },
    );
    return { link, patient, triesLeft };
  });
}

async function readTriesLeft(db: Kysely<Database>, linkId: number, now: EpochMs): Promise<number> {
  const longest = Math.max(...limits.map(({ withinMs }) => withinMs));
  const tried = await db
    .selectFrom('check_in_tries')
    .select('tried_at')
    .where('link_id', '=', linkId)
    .where('tried_at', '>', now - longest)
    .execute();
  const left = limits.map(
    ({ tries, withinMs }) => tries - tried.filter(({ tried_at }) => tried_at > now - withinMs).length,
  );
  return Math.max(0, Math.min(...left));
}
