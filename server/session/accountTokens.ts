import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import type { UserType } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AccountTokensTable, Database } from '../db/schema';
import { hold } from '../db/hold';
import { HttpError } from '../http/httpError';
import { hashSecret } from './sessions';

/** How long a link works, in milliseconds (security.md A5). */
export const resetLastsMs = 30 * 60_000;
export const invitationLastsMs = 72 * 3_600_000;

export type AccountToken = Selectable<AccountTokensTable>;

export type NewAccountToken = {
  siteId: number;
  email: string;
  /** The administrator who creates it, or null if the account's owner asked for it. */
  createdBy: number | null;
  /** The administrator sees the link. */
  isShown: boolean;
} &
  /** `userId` is null in a token that is only pretended. */
  (
    | { kind: 'reset'; userId: number | null }
    | { kind: 'invitation'; type: UserType; isAdmin: boolean; unitIds: readonly number[] }
  );

/** The same error for every link that does not work, so that it does not reveal why. */
const unusable = (): HttpError =>
  new HttpError(
    404,
    'link_unusable',
    'This link does not work any more: it was used, is too old, or a newer one was made. Ask for a new one.',
  );

/**
 * Creates a one-use token and voids older tokens of the same kind for the same person. Returns its secret, which the
 * store keeps only as a hash.
 */
export async function makeToken(
  transaction: Kysely<Database>,
  now: EpochMs,
  token: NewAccountToken,
): Promise<{ id: number; secret: string; expiresAt: EpochMs }> {
  const { kind, siteId, email, createdBy, isShown } = token;
  const isReset = kind === 'reset';
  // Two concurrent requests must not both leave a valid token.
  await (isReset ? hold(transaction, 'users', token.userId ?? 0) : hold(transaction, 'sites', siteId));
  await voidTokens(transaction, now, isReset ? { userId: token.userId ?? 0 } : { siteId, invited: email });
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = now + (isReset ? resetLastsMs : invitationLastsMs);
  const { id } = await transaction
    .insertInto('account_tokens')
    .values({
      kind,
      token_hash: hashSecret(secret),
      site_id: siteId,
      user_id: isReset ? token.userId : null,
      email,
      type: isReset ? null : token.type,
      is_admin: !isReset && token.isAdmin ? 1 : 0,
      unit_ids: JSON.stringify(isReset ? [] : token.unitIds),
      created_at: now,
      created_by: createdBy,
      is_shown: isShown ? 1 : 0,
      expires_at: expiresAt,
      used_at: null,
      voided_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret, expiresAt };
}

/**
 * Does in the store what making a reset token does, and leaves nothing: so an address without an account costs what one
 * with an account does. Returns a secret that nothing belongs to.
 */
export async function pretendToken(
  transaction: Kysely<Database>,
  now: EpochMs,
  { siteId, email }: { siteId: number; email: string },
): Promise<string> {
  const { id, secret } = await makeToken(transaction, now, {
    kind: 'reset',
    siteId,
    userId: null,
    email,
    createdBy: null,
    isShown: false,
  });
  await transaction.deleteFrom('account_tokens').where('id', '=', id).execute();
  return secret;
}

/**
 * Voids the resets of a user, the invitations of an address to a site, all links of a site, or every link that an
 * administrator created.
 */
export async function voidTokens(
  transaction: Kysely<Database>,
  now: EpochMs,
  whose: { userId: number } | { siteId: number; invited: string } | { ofSite: number } | { madeBy: number },
): Promise<void> {
  const open = transaction
    .updateTable('account_tokens')
    .set({ voided_at: now })
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null);
  await (
    'userId' in whose
      ? open.where('kind', '=', 'reset').where('user_id', '=', whose.userId)
      : 'madeBy' in whose
        ? open.where('created_by', '=', whose.madeBy)
        : 'ofSite' in whose
          ? open.where('site_id', '=', whose.ofSite)
          : open.where('kind', '=', 'invitation').where('site_id', '=', whose.siteId).where('email', '=', whose.invited)
  ).execute();
}

/** Selects the tokens that work at `now`: neither used nor voided, nor too old. */
export const isValid = (now: EpochMs) => (is: ExpressionBuilder<Database, 'account_tokens'>) =>
  is.and([is('used_at', 'is', null), is('voided_at', 'is', null), is('expires_at', '>', now)]);

/** Returns the valid token of a secret without using it up. Rejects with 404 `link_unusable` if there is none. */
export async function findToken(
  db: Kysely<Database>,
  now: EpochMs,
  kind: AccountToken['kind'],
  secret: string,
): Promise<AccountToken> {
  return await db
    .selectFrom('account_tokens')
    .selectAll()
    .where('token_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where(isValid(now))
    .executeTakeFirstOrThrow(unusable);
}

/** Uses a token up. Of several concurrent callers exactly one gets it; the others get 404 `link_unusable`. */
export async function takeToken(
  transaction: Kysely<Database>,
  now: EpochMs,
  kind: AccountToken['kind'],
  secret: string,
): Promise<AccountToken> {
  return await transaction
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hashSecret(secret))
    .where('kind', '=', kind)
    .where(isValid(now))
    .returningAll()
    .executeTakeFirstOrThrow(unusable);
}
