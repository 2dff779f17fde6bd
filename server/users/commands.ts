import type { Kysely } from 'kysely';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import type { approval, ListedUser, NewInvitation, UserPatch } from '../../lib/users/schema';
import type { z } from 'zod';
import { auditDone, type AuditEvent } from '../audit';
import type { Server } from '../server';
import { hold } from '../db/hold';
import type { Env } from '../env';
import type { Database } from '../db/schema';
import { HttpError, invalid, notFound } from '../http/httpError';
import type { By } from '../proposals/proposals';
import { emailExists, forgiveFailures, signUpOff } from '../session/accounts';
import { isValid, makeToken, voidTokens } from '../session/accountTokens';
import { activeUsers } from './activeUsers';
import { requireConfirmation } from './confirmations';
import { putMemberships, unitsOfSite } from './memberships';
import { requireListedUser } from './queries';
import { siteRow } from '../site/queries';

/** The parts of the server that these commands need. */
type Parts = Pick<Server, 'store' | 'sessions' | 'accountQueue'>;
/** Those of commands that make a link: it is shown only where it cannot be mailed. */
type LinkParts = { store: Parts['store']; env: Pick<Env, 'smtpUrl'> };

/** The secret of a link, which leaves the server once. */
export interface Secret {
  email: string;
  secret: string;
  expiresAt: number;
}

const changedMeanwhile = (id: number): HttpError =>
  new HttpError(
    409,
    'changed_meanwhile',
    'Another administrator has changed this user in the meantime. Look at them again, then repeat.',
    { id },
  );
const notWaiting = (id: number): HttpError =>
  new HttpError(409, 'not_waiting', 'This user does not wait for approval.', { id });

/**
 * Changes a user of the administrator's site and returns them as lists show them. A new type or right, or disabling the
 * account, ends all sessions of the user. The first type that sees patients waits for confirmation, as a new account
 * does. Removing the administrator's right also voids the links that they made. New units apply to the next call.
 * Rejects with 404 if the user is of another site, 409 `changed_meanwhile` if the version is another one, 403
 * `own_account` if administrators change their own type or rights or give themselves more units, 409
 * `last_administrator` if the site would have no administrator, and 422 if a unit is of another site.
 */
export async function changeUser(
  parts: Parts,
  { user: own, actor, now }: By,
  id: number,
  patch: UserPatch,
): Promise<ListedUser> {
  const { store, sessions, accountQueue } = parts;
  const { siteId } = own;
  return await accountQueue(async () => {
    const before = await requireListedUser(store.db, siteId, id);
    if (before.version !== patch.version) {
      throw changedMeanwhile(id);
    }
    const isOther = (patch.type ?? before.type) !== before.type || (patch.isAdmin ?? before.isAdmin) !== before.isAdmin;
    if (isOther && id === own.id) {
      throw new HttpError(403, 'own_account', 'You cannot change your own type or rights. Ask another administrator.');
    }
    if (id === own.id && opensMore(before.units, patch.unitIds)) {
      throw new HttpError(403, 'own_account', 'You cannot give yourself more patients. Ask another administrator.');
    }
    const change = async (transaction: Kysely<Database>): Promise<void> => {
      // Two administrators who remove each other at the same time are handled one after the other.
      await hold(transaction, 'sites', siteId);
      await transaction
        .updateTable('users')
        .set({
          type: patch.type,
          is_admin: patch.isAdmin === undefined ? undefined : patch.isAdmin ? 1 : 0,
          disabled_at: patch.isDisabled === undefined ? undefined : patch.isDisabled ? now : null,
          version: before.version + 1,
        })
        .where('id', '=', id)
        .where('version', '=', before.version)
        .returning('id')
        .executeTakeFirstOrThrow(() => changedMeanwhile(id));
      const wasAdministrator = before.isAdmin && before.state === 'active';
      if (wasAdministrator && !(await hasAdministrator(transaction, siteId))) {
        throw new HttpError(
          409,
          'last_administrator',
          'This is the site’s last administrator. Make another one first.',
        );
      }
      if (patch.isDisabled === true) {
        await voidTokens(transaction, now, { userId: id });
      }
      if (patch.isDisabled === true || patch.isAdmin === false) {
        // A former administrator must not come back by a link that they made.
        await voidTokens(transaction, now, { madeBy: id });
      }
      if (patch.unitIds !== undefined) {
        await putMemberships(transaction, id, await requireUnits(transaction, siteId, patch.unitIds));
      }
      const opening = opensPatients(before.type, patch.type)
        ? await requireConfirmation(transaction, now, { siteId, userId: id, makerId: own.id })
        : null;
      await auditDone(transaction, now, actor, 'change_user', ['user', id], {
        ...detailsOf(patch),
        ...(opening === null ? {} : { opening }),
      });
    };
    if (isOther || patch.isDisabled === true) {
      await sessions.endAll(id, null, change);
    } else {
      await store.db.transaction().execute(change);
      await sessions.reload([id]);
    }
    return await requireListedUser(store.db, siteId, id);
  });
}

/** Returns whether a new type sees patients and the old one none: who made the old account may hold its password. */
function opensPatients(before: User['type'], type: User['type'] | undefined): boolean {
  const reads = (one: User['type']): boolean => reachOf({ type: one, isAdmin: false }, 'readPatients') !== null;
  return type !== undefined && reads(type) && !reads(before);
}

/** Returns whether new units reach further than the old ones. A user without a unit reaches the whole site. */
function opensMore(before: readonly { id: number }[], unitIds: readonly number[] | undefined): boolean {
  if (unitIds === undefined || before.length === 0) {
    return false;
  }
  return unitIds.length === 0 || unitIds.some((unitId) => before.every(({ id }) => id !== unitId));
}

function detailsOf({ version: _, type, isAdmin, ...patch }: UserPatch): AuditEvent['details'] {
  return {
    fields: [
      ...Object.keys(patch),
      ...(type === undefined ? [] : ['type']),
      ...(isAdmin === undefined ? [] : ['isAdmin']),
    ],
    ...(type === undefined ? {} : { type }),
    ...(isAdmin === undefined ? {} : { isAdmin }),
  };
}

async function hasAdministrator(db: Kysely<Database>, siteId: number): Promise<boolean> {
  const administrators = activeUsers(db, siteId).select('id').where('is_admin', '=', 1).limit(1);
  return (await administrators.executeTakeFirst()) !== undefined;
}

async function requireUnits(db: Kysely<Database>, siteId: number, unitIds: readonly number[]): Promise<number[]> {
  const known = await unitsOfSite(db, siteId, unitIds);
  if (unitIds.some((id) => !known.includes(id))) {
    throw invalid({ unitIds: 'names a unit that this site does not have' });
  }
  return known;
}

/**
 * Approves a registered user with the type and units that the administrator chose. Rejects as `changeUser` does, and
 * with 409 `not_waiting`.
 */
export async function approveUser(
  { store }: Parts,
  { user: own, actor, now }: By,
  id: number,
  { version, type, unitIds }: z.output<typeof approval>,
): Promise<ListedUser> {
  const before = await requireListedUser(store.db, own.siteId, id);
  if (before.state !== 'waiting') {
    throw notWaiting(id);
  }
  await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', own.siteId);
    await transaction
      .updateTable('users')
      .set({ waiting_since: null, type, version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version)
      .where('waiting_since', 'is not', null)
      .returning('id')
      .executeTakeFirstOrThrow(() => changedMeanwhile(id));
    const opening = await requireConfirmation(transaction, now, { siteId: own.siteId, userId: id, makerId: own.id });
    await putMemberships(transaction, id, await requireUnits(transaction, own.siteId, unitIds));
    await auditDone(transaction, now, actor, 'approve_user', ['user', id], {
      type,
      ...(opening === null ? {} : { opening }),
    });
  });
  return await requireListedUser(store.db, own.siteId, id);
}

/**
 * Removes a registered user who was not approved, so that the e-mail address is free again. Rejects with 404 or 409
 * `not_waiting`.
 */
export async function rejectUser({ store }: Parts, { user: own, actor, now }: By, id: number): Promise<void> {
  const before = await requireListedUser(store.db, own.siteId, id);
  await store.db.transaction().execute(async (transaction) => {
    await putMemberships(transaction, id, []);
    const gone = await transaction
      .deleteFrom('users')
      .where('id', '=', id)
      .where('waiting_since', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (gone === undefined || before.state !== 'waiting') {
      throw notWaiting(id);
    }
    await auditDone(transaction, now, actor, 'reject_user', ['user', id]);
  });
}

/**
 * Creates a link with which a user of the site chooses a new password, and clears their failed sign-ins. Rejects with
 * 404 if the user is of another site, and with 409 `not_active` if they may not sign in anyway.
 */
export async function makeResetLink(
  { store, env }: LinkParts,
  { user: own, actor, now }: By,
  id: number,
): Promise<Secret> {
  const { email, state } = await requireListedUser(store.db, own.siteId, id);
  if (state !== 'active') {
    throw new HttpError(409, 'not_active', 'This user may not sign in, so a new password would not help.', { id });
  }
  return await store.db.transaction().execute(async (transaction) => {
    const made = await makeToken(transaction, now, {
      kind: 'reset',
      siteId: own.siteId,
      userId: id,
      email,
      createdBy: own.id,
      isShown: env.smtpUrl === null,
    });
    await forgiveFailures(transaction, id);
    await auditDone(transaction, now, actor, 'make_reset_link', ['user', id]);
    return { email, secret: made.secret, expiresAt: made.expiresAt };
  });
}

/** Ends all sessions of a user of the site. Rejects with 404 if the user is of another site. */
export async function endUserSessions(parts: Parts, { user: own, actor, now }: By, id: number): Promise<void> {
  const { store, sessions, accountQueue } = parts;
  await requireListedUser(store.db, own.siteId, id);
  await accountQueue(() =>
    sessions.endAll(id, null, (transaction) => auditDone(transaction, now, actor, 'end_user_sessions', ['user', id])),
  );
}

/**
 * Creates an invitation and voids an older one for the same address. Rejects with 409 `sign_up_off`, with 409
 * `email_exists` if the address has an account at this site (accounts of other sites are not revealed), and with 422 if
 * a unit is of another site.
 */
export async function invite(
  { store, env }: LinkParts,
  { user: own, actor, now }: By,
  { email, type, isAdmin, unitIds }: NewInvitation,
): Promise<Secret> {
  const { siteId } = own;
  return await store.db.transaction().execute(async (transaction) => {
    // The site before its units, as in every transaction that locks both.
    await hold(transaction, 'sites', siteId);
    const { sign_up_mode } = await siteRow(transaction, siteId);
    if (sign_up_mode === 'off') {
      throw signUpOff();
    }
    const known = await transaction
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('site_id', '=', siteId)
      .executeTakeFirst();
    if (known !== undefined) {
      throw emailExists(known.id);
    }
    const units = await requireUnits(transaction, siteId, unitIds);
    const made = await makeToken(transaction, now, {
      kind: 'invitation',
      siteId,
      email,
      createdBy: own.id,
      isShown: env.smtpUrl === null,
      type,
      isAdmin,
      unitIds: units,
    });
    await auditDone(transaction, now, actor, 'invite', ['invitation', made.id], { type, isAdmin });
    return { email, secret: made.secret, expiresAt: made.expiresAt };
  });
}

/** Voids an invitation. Rejects with 404 if it is of another site or no longer valid. */
export async function withdrawInvitation({ store }: Parts, { user: own, actor, now }: By, id: number): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('account_tokens')
      .set({ voided_at: now })
      .where('id', '=', id)
      .where('site_id', '=', own.siteId)
      .where('kind', '=', 'invitation')
      .where(isValid(now))
      .returning('id')
      .executeTakeFirstOrThrow(notFound);
    await auditDone(transaction, now, actor, 'withdraw_invitation', ['invitation', id]);
  });
}
