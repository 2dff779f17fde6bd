import { z } from 'zod';
import type { InvitationResponse, RegisterBody, ResetConfirmBody, SignUpBody, User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit, auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Server } from '../server';
import { hold } from '../db/hold';
import { isTaken } from '../db/isTaken';
import type { Store } from '../db/open';
import { notFound, HttpError } from '../http/httpError';
import { accountExistsMail, passwordChangedMail, resetMail } from '../mail/accountMails';
import type { Mail } from '../mail/mailer';
import { requireConfirmation, type Opening } from '../users/confirmations';
import { putMemberships, unitsOfSite } from '../users/memberships';
import { findToken, makeToken, pretendToken, takeToken, type AccountToken } from './accountTokens';
import { insertUser } from './insertUser';
import { accountName, ownName } from './throttle';
import { findTried, namesAround, requireUser } from './users';
import { siteRow } from '../site/queries';

const hourMs = 3_600_000;
/** The most mails of one kind to one account in an hour, no matter who asks for them (security.md A5). */
const mailsAnHour = 3;
/** The most people who may wait for a site's approval. Anyone can register, so the number needs a limit. */
const maxWaiting = 200;

export const signUpOff = (): HttpError =>
  new HttpError(409, 'sign_up_off', 'This site takes no new accounts just now. Ask an administrator.');

export const emailExists = (id?: number): HttpError =>
  new HttpError(409, 'email_exists', 'This e-mail address has an account already.', {
    id,
    fields: { email: 'has an account already' },
  });

const ids = z.array(z.int());

/** Returns what an invitation is for. Rejects with 404 `link_unusable` or 409 `sign_up_off`. */
export async function readInvitation(store: Store, now: EpochMs, secret: string): Promise<InvitationResponse> {
  const token = await findToken(store.db, now, 'invitation', secret);
  const site = await siteRow(store.db, token.site_id);
  if (token.type === null || site.sign_up_mode === 'off') {
    throw signUpOff();
  }
  return { email: token.email, siteName: site.name, type: token.type };
}

/**
 * Creates the user whom an invitation is for. Rejects with 404 `link_unusable`, 409 `sign_up_off`, 409 `unit_retired`
 * or 409 `email_exists`.
 */
export async function signUp(
  { store, passwords }: Pick<Server, 'store' | 'passwords'>,
  now: EpochMs,
  actor: Actor,
  body: SignUpBody,
): Promise<User> {
  // Checked before the hash, which is expensive: only a person with an invitation may cause it.
  const { email, siteName } = await readInvitation(store, now, body.invitation);
  const passwordHash = await passwords.hashNew(body.password, [siteName, body.fname, body.lname, email]);
  try {
    return await store.db.transaction().execute(async (transaction) => {
      // The site before its tokens and units, as in every transaction that locks both.
      await hold(transaction, 'sites', (await findToken(transaction, now, 'invitation', body.invitation)).site_id);
      const token = await takeToken(transaction, now, 'invitation', body.invitation);
      if (token.type === null) {
        throw signUpOff();
      }
      const id = await insertUser(transaction, now, {
        siteId: token.site_id,
        email: token.email,
        fname: body.fname,
        lname: body.lname,
        type: token.type,
        isAdmin: token.is_admin === 1,
        passwordHash,
        isWaiting: false,
      });
      const opening = await openingBy(transaction, now, token, id);
      await putMemberships(transaction, id, await invitedUnits(transaction, token));
      const details = { invitation: token.id, ...(opening === null ? {} : { opening }) };
      await auditDone(transaction, now, { ...actor, siteId: token.site_id }, 'sign_up', ['user', id], details);
      return await requireUser(transaction, now, id);
    });
  } catch (error) {
    throw isTaken(error) ? emailExists() : error;
  }
}

/** Decides whether the user of a link that its maker saw waits for confirmation. */
async function openingBy(
  transaction: Store['db'],
  now: EpochMs,
  { is_shown, created_by: makerId, site_id: siteId }: AccountToken,
  userId: number,
): Promise<Opening | null> {
  return is_shown === 1 && makerId !== null
    ? await requireConfirmation(transaction, now, { siteId, userId, makerId })
    : null;
}

/**
 * Returns the units of an invitation, locked until the transaction ends. Rejects with 409 `unit_retired` if one of them
 * is not in use any more: without it the user might have no unit, and so reach the whole site.
 */
async function invitedUnits(transaction: Store['db'], token: AccountToken): Promise<number[]> {
  const wanted = ids.parse(JSON.parse(token.unit_ids));
  const known = await unitsOfSite(transaction, token.site_id, wanted);
  if (wanted.some((id) => !known.includes(id))) {
    throw new HttpError(
      409,
      'unit_retired',
      'This invitation names a unit that no longer exists. Ask an administrator for a new one.',
    );
  }
  return known;
}

/** Returns the sites that let people register, sorted by name. */
export async function registrationSites(store: Store): Promise<{ items: { id: number; name: string }[] }> {
  return {
    items: await store.db
      .selectFrom('sites')
      .select(['id', 'name'])
      .where('sign_up_mode', '=', 'approval')
      .orderBy('name')
      .execute(),
  };
}

/**
 * Returns the site's name. Rejects with 404 if the site does not exist or has no registration, and with 429
 * `too_many_waiting`. Neither depends on the e-mail address, so neither reveals whether it has an account.
 */
export async function requireOpenRegistration(store: Store, siteId: number): Promise<string> {
  const site = await store.db
    .selectFrom('sites')
    .select('name')
    .where('id', '=', siteId)
    .where('sign_up_mode', '=', 'approval')
    .executeTakeFirstOrThrow(notFound);
  const { waiting } = await store.db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('waiting'))
    .where('site_id', '=', siteId)
    .where('waiting_since', 'is not', null)
    .executeTakeFirstOrThrow();
  if (waiting >= maxWaiting) {
    const message = 'Many people wait for this site’s approval already. Try again later.';
    throw new HttpError(429, 'too_many_waiting', message, { retryAfter: 3_600 });
  }
  return site.name;
}

/**
 * Creates an account that waits for approval. If the address already has an account, it only audits the attempt and
 * returns the mail for the account's owner, unless they had enough of them. `pages` are the links in that mail.
 */
export async function register(
  store: Store,
  now: EpochMs,
  actor: Actor,
  body: RegisterBody,
  passwordHash: string,
  pages: { signIn: string; reset: string },
): Promise<Mail | null> {
  const { siteId } = body;
  return await store.db.transaction().execute(async (transaction) => {
    // One registration at a time in a site, so that no other takes the address between the check and the insert.
    await hold(transaction, 'sites', siteId);
    const known = await transaction
      .selectFrom('users')
      .select(['id', 'site_id', 'disabled_at', 'waiting_since'])
      .where('email', '=', body.email)
      .executeTakeFirst();
    if (known === undefined) {
      const { fname, lname, email, type } = body;
      const id = await insertUser(transaction, now, {
        siteId,
        email,
        fname,
        lname,
        type,
        isAdmin: false,
        passwordHash,
        isWaiting: true,
      });
      await auditDone(transaction, now, { ...actor, siteId }, 'register', ['user', id], { type });
      return null;
    }
    const { attempts } = await transaction
      .selectFrom('audit')
      .select((select) => select.fn.countAll<number>().as('attempts'))
      .where('object_type', '=', 'user')
      .where('object_id', '=', known.id)
      .where('action', '=', 'register')
      .where('outcome', '=', 'refused')
      .where('at', '>', now - hourMs)
      .executeTakeFirstOrThrow();
    const refused = { action: 'register', outcome: 'refused', objectType: 'user', objectId: known.id } as const;
    await audit(transaction, now, { ...actor, siteId: known.site_id }, refused);
    const isActive = known.disabled_at === null && known.waiting_since === null;
    return isActive && attempts < mailsAnHour ? accountExistsMail(body.email, pages.signIn, pages.reset) : null;
  });
}

/** A mail for an account, or one that is only made because the work must not show that there is none. */
export interface ResetMail {
  mail: Mail;
  isPretended: boolean;
}

/**
 * Creates a reset link and returns the mail that carries it. For an address that has no account that may sign in, or
 * had three links in the last hour, it does the same work and returns a mail that is not to be sent; null if there is
 * no site yet. `linkOf` makes the link from its secret.
 */
export async function requestReset(
  store: Store,
  now: EpochMs,
  actor: Actor,
  email: string,
  linkOf: (secret: string) => string,
): Promise<ResetMail | null> {
  return await store.db.transaction().execute(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('disabled_at', 'is', null)
      .where('waiting_since', 'is', null)
      .executeTakeFirst();
    const tried = await findTried(transaction, email);
    const { made } = await transaction
      .selectFrom('account_tokens')
      .select((select) => select.fn.countAll<number>().as('made'))
      .where('user_id', '=', user?.id ?? 0)
      .where('created_by', 'is', null)
      .where('created_at', '>', now - hourMs)
      .executeTakeFirstOrThrow();
    const isPretended = user === undefined || made >= mailsAnHour;
    const siteId = tried.siteId ?? (await anySite(transaction));
    if (siteId === null) {
      return null;
    }
    const secret = isPretended
      ? await pretendToken(transaction, now, { siteId, email })
      : (
          await makeToken(transaction, now, {
            kind: 'reset',
            siteId,
            userId: user.id,
            email,
            createdBy: null,
            isShown: false,
          })
        ).secret;
    const about = tried.userId === null ? {} : { objectType: 'user' as const, objectId: tried.userId };
    const event = { action: 'request_reset', outcome: isPretended ? 'refused' : 'done', ...about } as const;
    await audit(transaction, now, { ...actor, siteId: tried.siteId }, event);
    return { mail: resetMail(email, linkOf(secret), false), isPretended };
  });
}

async function anySite(transaction: Store['db']): Promise<number | null> {
  return (await transaction.selectFrom('sites').select('id').limit(1).executeTakeFirst())?.id ?? null;
}

/**
 * Sets a new password by a reset link, ends all sessions of the user and returns the notice to mail. Rejects with 404
 * `link_unusable`.
 */
export async function confirmReset(
  { store, passwords, sessions, accountQueue }: Pick<Server, 'store' | 'passwords' | 'sessions' | 'accountQueue'>,
  now: EpochMs,
  actor: Actor,
  body: ResetConfirmBody,
  resetPage: string,
): Promise<Mail> {
  await findToken(store.db, now, 'reset', body.token);
  return await accountQueue(async () => {
    // Checked again: of several concurrent requests only the first may compute a hash and end the sessions.
    const { user_id: userId, site_id: siteId, email } = await findToken(store.db, now, 'reset', body.token);
    if (userId === null) {
      throw notFound();
    }
    const passwordHash = await passwords.hashNew(body.password, await namesAround(store, userId));
    await sessions.endAll(userId, null, async (transaction) => {
      await hold(transaction, 'sites', siteId);
      const token = await takeToken(transaction, now, 'reset', body.token);
      const makerId = token.created_by === userId ? null : token.created_by;
      await transaction
        .updateTable('users')
        .set({ password_hash: passwordHash, link_made_by: makerId, link_notice: makerId === null ? 0 : 1 })
        .where('id', '=', userId)
        .where('disabled_at', 'is', null)
        .returning('id')
        .executeTakeFirstOrThrow(notFound);
      const opening = await openingBy(transaction, now, token, userId);
      await forgiveFailures(transaction, userId);
      // The person who guessed passwords may use one of these browsers.
      await transaction.deleteFrom('known_browsers').where('user_id', '=', userId).execute();
      const details = opening === null ? undefined : { opening };
      await auditDone(transaction, now, { ...actor, siteId }, 'reset_password', ['user', userId], details);
    });
    return passwordChangedMail(email, resetPage);
  });
}

/** Clears the failed tries of an account, because a reset proves more than a password. */
export async function forgiveFailures(transaction: Store['db'], userId: number): Promise<void> {
  const names = [accountName(userId), ownName(userId)];
  await transaction.deleteFrom('throttles').where('name', 'in', names).execute();
}
