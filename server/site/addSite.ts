import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { NewSite, siteInvitation } from '../../lib/site/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import { auditDone, type AuditEvent } from '../audit';
import { system, type Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { emailExists } from '../session/accounts';
import { makeToken, voidTokens } from '../session/accountTokens';
import type { Secret } from '../users/commands';

/** The administrator of the installation who adds a site on the page. They get no access to it. */
export interface SiteMaker {
  userId: number;
  actor: Actor;
  clientId: string;
  /** They see the link: no mail server is configured. */
  isShown: boolean;
}

const siteExists = (): HttpError =>
  new HttpError(409, 'site_exists', 'This installation has a site of that name.', {
    fields: { name: 'is the name of another site' },
  });

const isDemoWard = (): HttpError =>
  new HttpError(409, 'demo_ward', 'This installation is a demo ward, which gets no further sites.');

/**
 * Adds a further site to an installation and invites its first administrator, who sees no patients. `maker` is null for
 * the command of the operator. With the client id of a site that the maker has added and that has no user yet, after a
 * lost response, that site gets a new secret and becomes as it is asked for now. Rejects with 409 `site_exists`,
 * `email_exists`, or `demo_ward`: simulated and real patients share no installation. Returns the secret of the
 * invitation, which the store keeps only as a hash; `expiresAt` is in epoch milliseconds.
 */
export async function addSite(
  db: Kysely<Database>,
  now: EpochMs,
  { name, timeZone, adminEmail: email }: Omit<NewSite, 'clientId'>,
  maker: SiteMaker | null,
): Promise<Secret & { id: number }> {
  return await db.transaction().execute(async (transaction) => {
    await holdSites(transaction);
    const demo = await transaction.selectFrom('sites').select('id').where('is_demo', '=', 1).executeTakeFirst();
    if (demo !== undefined) {
      throw isDemoWard();
    }
    const repeated = maker === null ? null : await findRepeated(transaction, maker);
    await requireFreeName(transaction, name, repeated);
    const id = await putSite(transaction, now, { name, timeZone }, repeated, maker);
    const made = await inviteFirst(transaction, now, id, email, maker);
    await auditBoth(transaction, now, id, maker, {
      action: 'add_site',
      ...(repeated === null ? {} : { details: { newSecret: true } }),
    });
    return { id, ...made };
  });
}

/** One at a time changes the list of sites, so that no other takes a name or a client id meanwhile. */
async function holdSites(transaction: Kysely<Database>): Promise<void> {
  const [oldest] = await transaction.selectFrom('sites').select('id').orderBy('id').limit(1).execute();
  if (oldest !== undefined) {
    await hold(transaction, 'sites', oldest.id);
  }
}

/** Rejects with 409 `site_exists` if a site other than `siteId` has the name. */
async function requireFreeName(transaction: Kysely<Database>, name: string, siteId: number | null): Promise<void> {
  const sites = await transaction.selectFrom('sites').select(['id', 'name']).execute();
  if (sites.some((site) => site.id !== siteId && unitKey(site.name) === unitKey(name))) {
    throw siteExists();
  }
}

/**
 * Keeps the name free until the transaction ends, for a site that is renamed. Rejects with 409 `site_exists`. A site
 * may keep its own name, also one that another has from a time when that was not refused.
 */
export async function reserveName(transaction: Kysely<Database>, name: string, siteId: number): Promise<void> {
  await holdSites(transaction);
  const own = await transaction.selectFrom('sites').select('name').where('id', '=', siteId).executeTakeFirst();
  if (own === undefined || unitKey(own.name) !== unitKey(name)) {
    await requireFreeName(transaction, name, siteId);
  }
}

/**
 * Invites the first administrator of a site again, and voids the invitations before: one was lost, went to a wrong
 * address, or is too old. Rejects with 404, 409 `site_has_users`, or 409 `email_exists`.
 */
export async function inviteToSite(
  db: Kysely<Database>,
  now: EpochMs,
  { siteId, adminEmail }: z.output<typeof siteInvitation>,
  maker: Omit<SiteMaker, 'clientId'>,
): Promise<Secret> {
  return await db.transaction().execute(async (transaction) => {
    await hold(transaction, 'sites', siteId);
    const site = await transaction.selectFrom('sites').select('id').where('id', '=', siteId).executeTakeFirst();
    if (site === undefined) {
      throw notFound();
    }
    if (await hasUser(transaction, siteId)) {
      throw new HttpError(409, 'site_has_users', 'This site has users, who invite others themselves.');
    }
    await voidTokens(transaction, now, { ofSite: siteId });
    const made = await inviteFirst(transaction, now, siteId, adminEmail, maker);
    await auditBoth(transaction, now, siteId, maker, { action: 'invite_to_site' });
    return made;
  });
}

/** Rejects with 409 `email_exists` if the address has an account at any site: an address has one account. */
async function inviteFirst(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  email: string,
  maker: Omit<SiteMaker, 'clientId'> | null,
): Promise<Secret> {
  const known = await transaction.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if (known !== undefined) {
    throw emailExists();
  }
  const { secret, expiresAt } = await makeToken(transaction, now, {
    kind: 'invitation',
    siteId,
    email,
    createdBy: maker?.userId ?? null,
    // The operator of the command could do everything anyway.
    isShown: maker?.isShown ?? true,
    type: 'administrator',
    isAdmin: true,
    unitIds: [],
  });
  return { email, secret, expiresAt };
}

/** Puts on record what was done to a site, there and at the site of its maker. */
async function auditBoth(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  maker: Omit<SiteMaker, 'clientId'> | null,
  event: Pick<AuditEvent, 'action' | 'details'>,
): Promise<void> {
  const actor = maker?.actor ?? system;
  for (const recordedAt of maker === null ? [siteId] : [siteId, actor.siteId]) {
    await auditDone(transaction, now, { ...actor, siteId: recordedAt }, event.action, ['site', siteId], event.details);
  }
}

async function hasUser(transaction: Kysely<Database>, siteId: number): Promise<boolean> {
  const user = await transaction.selectFrom('users').select('id').where('site_id', '=', siteId).executeTakeFirst();
  return user !== undefined;
}

/**
 * Returns the site that this maker has added before under the same client id, or null. Rejects with 409 `site_exists`
 * if it has a user: then the invitation has arrived, and another one is its own administrators' matter.
 */
async function findRepeated(transaction: Kysely<Database>, { userId, clientId }: SiteMaker): Promise<number | null> {
  const site = await transaction
    .selectFrom('sites')
    .select('id')
    .where('added_by', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (site === undefined) {
    return null;
  }
  // As sign-up does, so that none goes on meanwhile.
  await hold(transaction, 'sites', site.id);
  if (await hasUser(transaction, site.id)) {
    throw siteExists();
  }
  return site.id;
}

/** Inserts the site, or changes the one that is added again and voids its invitations. Returns its id. */
async function putSite(
  transaction: Kysely<Database>,
  now: EpochMs,
  { name, timeZone: time_zone }: Pick<NewSite, 'name' | 'timeZone'>,
  repeated: number | null,
  maker: SiteMaker | null,
): Promise<number> {
  if (repeated === null) {
    const { id } = await transaction
      .insertInto('sites')
      .values({
        name,
        time_zone,
        created_at: now,
        added_by: maker?.userId ?? null,
        client_id: maker?.clientId ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  await transaction.updateTable('sites').set({ name, time_zone }).where('id', '=', repeated).execute();
  await voidTokens(transaction, now, { ofSite: repeated });
  return repeated;
}
