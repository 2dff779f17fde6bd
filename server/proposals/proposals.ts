import type { FastifyRequest } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import type { AuditAction } from '../../lib/audit/actions';
import { approverOf, type Proposal, type ProposalKind, type ProposalState } from '../../lib/proposals/proposals';
import { readJson } from '../../lib/readJson';
import { can } from '../../lib/session/can';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import { auditDone, type AuditEvent } from '../audit';
import { actorOf, type Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Database, ProposalsTable } from '../db/schema';
import { sessionOf } from '../http/access';
import { HttpError, notFound } from '../http/httpError';
import { activeUsers } from '../users/activeUsers';
import { readNames } from '../users/readNames';

/** How many former proposals a response contains. */
const historyLength = 100;

/** Who decides on a kind of proposal and until when. What approving does is with the feature (`decide`). */
interface Policy {
  /** How long it waits for a decision, in milliseconds; null: until there is one. */
  lastsMs: number | null;
  /** The permission of those who approve, the proposer excepted; null: a ward lead approves (`approverOf`). */
  approves: Permission | null;
  /** The permission of those who reject, beside the proposer and those who approve; null: no one else. */
  rejects: Permission | null;
  objectType: NonNullable<AuditEvent['objectType']>;
  /** Null: the call has a row of its own. */
  actions: Record<'propose' | 'approve' | 'reject', AuditAction | null>;
}

const alertSetting: Policy = {
  // clinical.md section 9
  lastsMs: 72 * 3_600_000,
  approves: null,
  rejects: null,
  objectType: 'site',
  actions: { propose: 'propose_alert_setting', approve: 'approve_alert_setting', reject: 'reject_alert_setting' },
};

const mapping = { lastsMs: null, approves: 'confirmMappings', rejects: 'readMappings', objectType: 'sender' } as const;

export const policies: Readonly<Record<ProposalKind, Policy>> = {
  limits: alertSetting,
  escalation: alertSetting,
  bed_mapping: {
    ...mapping,
    actions: { propose: 'propose_bed_mapping', approve: 'confirm_bed_mapping', reject: 'end_bed_mapping' },
  },
  code_mapping: {
    ...mapping,
    actions: { propose: 'propose_code_mapping', approve: 'confirm_code_mapping', reject: 'end_code_mapping' },
  },
  sender: {
    ...mapping,
    actions: {
      propose: 'propose_sender_settings',
      approve: 'confirm_sender_settings',
      reject: 'reject_sender_settings',
    },
  },
  gateway: {
    ...{ lastsMs: null, approves: 'manageDevices', rejects: null, objectType: 'device' },
    actions: { propose: 'propose_gateway', approve: 'approve_gateway', reject: null },
  },
  account: {
    ...{ lastsMs: null, approves: 'confirmUsers', rejects: null, objectType: 'user' },
    actions: { propose: null, approve: 'confirm_user', reject: null },
  },
};

export type ProposalRow = Selectable<ProposalsTable>;
/** What a proposal is about. At most one is open for each. */
type Subject = Pick<ProposalRow, 'kind' | 'object_id' | 'about'>;

/** Who proposes or decides, and when. */
export interface By {
  now: EpochMs;
  actor: Actor;
  user: Pick<User, 'id' | 'type' | 'siteId' | 'permissions'> & { site: Pick<User['site'], 'timeZone'> };
}

/** Returns that a user does something now, by a call. */
export const byOf = (request: FastifyRequest, now: EpochMs): By => ({
  ...{ now, actor: actorOf(request) },
  user: sessionOf(request).user,
});

/** What is proposed: what holds and what is wanted, of the kind, and on which setting it is based. */
interface Content {
  held?: unknown;
  wanted: unknown;
  basedOn?: number | null;
  /** The open one about the same that its author has seen. */
  replaces?: number | null;
  reason?: string;
}

type Db = Kysely<Database>;
type Work<Result> = (transaction: Db) => Promise<Result>;

/** Runs work in the caller's transaction, or in one of its own; what is of the same site waits. */
export async function ofSite<Result>(db: Db, siteId: number, work: Work<Result>): Promise<Result> {
  if (!db.isTransaction) {
    return await db.transaction().execute((transaction) => ofSite(transaction, siteId, work));
  }
  await hold(db, 'sites', siteId);
  return await work(db);
}

const conflict = (code: string, message: string): HttpError => new HttpError(409, code, message);

/** Says that the setting on which a proposal is based holds no more; `holds`: what holds now, and since when. */
export const changedMeanwhile = (holds: string): HttpError =>
  conflict('changed_meanwhile', `This has changed in the meantime: ${holds}. Look at it again, then repeat.`);

/**
 * Adds a proposal, in the place of the open one about the same that its author has seen, and resolves with its id. What
 * holds stays. The same again by the same user, after a lost response, is the one that is there. Rejects with 409
 * `proposal_open` if someone else proposed meanwhile, and with 409 `proposal_decided` if the one to replace is not open
 * any more.
 */
export const propose = (db: Db, by: By, subject: Subject, make: Work<Content>): Promise<number> =>
  ofSite(db, by.user.siteId, async (transaction) => {
    const { now, user } = by;
    const { held = null, wanted, basedOn = null, replaces = null, reason = '' } = await make(transaction);
    const found = await proposalsOf(transaction, user.siteId, subject.kind)
      .selectAll()
      .where('object_id', '=', subject.object_id)
      .where('about', '=', subject.about)
      .where((where) => where.or([where('state', '=', 'proposed'), where('id', '=', replaces ?? 0)]))
      .execute();
    const stored = found.find(({ state }) => state === 'proposed');
    const open = stored !== undefined && stateAt(stored, now) === 'proposed' ? stored : undefined;
    const content = { held: JSON.stringify(held), wanted: JSON.stringify(wanted), based_on: basedOn, reason };
    const isSame =
      open?.wanted === content.wanted &&
      open.based_on === basedOn &&
      open.reason === reason &&
      open.proposed_by === user.id;
    if (isSame) {
      return open.id;
    }
    if (open !== undefined && open.id !== replaces) {
      const { name } = (await readNames(transaction, [open.proposed_by]))(open.proposed_by);
      const at = formatDayAndTime(open.proposed_at, user.site.timeZone);
      throw conflict('proposal_open', `${name} has proposed a change of this, ${at}. Look at it first.`);
    }
    const replaced = found.find(({ id }) => id === replaces);
    if (open === undefined && replaced !== undefined) {
      throw await alreadyDecided(transaction, by, replaced);
    }
    if (stored !== undefined) {
      const state = open === undefined ? 'expired' : 'replaced';
      const decided = open === undefined ? { decided_at: stored.expires_at } : { decided_at: now, decided_by: user.id };
      await transaction
        .updateTable('proposals')
        .set({ state, ...decided })
        .where('id', '=', stored.id)
        .execute();
    }
    const made = { ...subject, ...content, site_id: user.siteId, proposed_at: now, proposed_by: user.id };
    const row = await insertProposal(transaction, made);
    if (row !== undefined) {
      await auditProposal(transaction, by, 'propose', row);
    }
    return row?.id ?? 0;
  });

type Made = Subject & Pick<ProposalRow, 'site_id' | 'wanted' | 'proposed_at' | 'proposed_by'>;

/** Adds an open proposal, unless there is one about the same. Does not audit it. */
export async function insertProposal(
  db: Db,
  row: Made & Partial<Pick<ProposalRow, 'held' | 'based_on' | 'reason'>>,
): Promise<ProposalRow | undefined> {
  const { lastsMs } = policies[row.kind];
  const open = { state: 'proposed', expires_at: lastsMs === null ? null : row.proposed_at + lastsMs } as const;
  return await db
    .insertInto('proposals')
    .values({ held: 'null', reason: '', based_on: null, decided_at: null, decided_by: null, ...row, ...open })
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Approves or rejects (with a reason) an open proposal, once, and resolves with what `apply` does with it. Rejects with
 * 404 if the site has no such proposal, with 409 `proposal_decided` if it is no longer open, and with 403 if the user
 * may not decide: no one approves their own, but may withdraw it.
 */
export const decide = <Result>(
  db: Db,
  by: By,
  [kind, id]: readonly [kind: ProposalKind, id: number],
  { approves, reason = '' }: { approves: boolean; reason?: string },
  apply: (transaction: Db, decided: ProposalRow) => Promise<Result>,
): Promise<Result> =>
  ofSite(db, by.user.siteId, async (transaction) => {
    const { now, user } = by;
    const ofId = proposalsOf(transaction, user.siteId, kind).where('id', '=', id);
    const row = await ofId.selectAll().executeTakeFirstOrThrow(notFound);
    if (stateAt(row, now) !== 'proposed') {
      throw await alreadyDecided(transaction, by, row);
    }
    const rights = rightsOf(user, row, await readWardLeads(transaction, user.siteId));
    if (!(approves ? rights.canApprove : rights.canReject)) {
      throw rights.isOwn
        ? new HttpError(403, 'own_proposal', 'You proposed this yourself. Another person has to approve it.')
        : new HttpError(403, 'not_the_approver', 'Others have to approve this, or to reject it.');
    }
    const state = approves ? 'approved' : 'rejected';
    const decided = { state, decided_at: now, decided_by: user.id, decision_reason: reason } as const;
    const result = await apply(transaction, { ...row, ...decided });
    await transaction.updateTable('proposals').set(decided).where('id', '=', id).execute();
    await auditProposal(transaction, by, approves ? 'approve' : 'reject', row);
    return result;
  });

/** Rejects the open proposal about something that ends, if there is one. The caller audits it. */
export async function closeProposal(transaction: Db, { now, user }: By, subject: Subject): Promise<void> {
  await transaction
    .updateTable('proposals')
    .set({ state: 'rejected', decided_at: now, decided_by: user.id })
    .where('kind', '=', subject.kind)
    .where('object_id', '=', subject.object_id)
    .where('about', '=', subject.about)
    .where('site_id', '=', user.siteId)
    .where('state', '=', 'proposed')
    .execute();
}

/** Returns what a proposal wants. Throws 409 `unreadable` if that is not of the schema. */
export function wantedOf<Wanted>(schema: z.ZodType<Wanted>, { wanted }: ProposalRow): Wanted {
  const read = readJson(schema, wanted);
  if (read === null) {
    throw conflict('unreadable', 'This proposal cannot be read. Propose it again.');
  }
  return read;
}

/** Records what a user did about a proposal. */
async function auditProposal(db: Db, { now, actor }: By, act: keyof Policy['actions'], row: ProposalRow) {
  const { objectType, actions } = policies[row.kind];
  const action = actions[act];
  const details: AuditEvent['details'] =
    objectType === 'site' ? { rule: row.about } : { proposal: row.id, proposedBy: row.proposed_by };
  if (action !== null) {
    await auditDone(db, now, actor, action, [objectType, row.object_id], details);
  }
}

/** Resolves with the open and the last proposals of a kind in a site, the newest first, for a user. */
export async function readProposals(
  db: Db,
  user: By['user'],
  kind: ProposalKind,
  now: EpochMs,
): Promise<{ row: ProposalRow; shown: Proposal }[]> {
  const all = proposalsOf(db, user.siteId, kind);
  const newest = all.select('id').orderBy('id', 'desc').limit(historyLength);
  const rows = await all
    .selectAll()
    .where((where) => where.or([where('state', '=', 'proposed'), where('id', 'in', newest)]))
    .orderBy('id', 'desc')
    .execute();
  const wardLeads = await readWardLeads(db, user.siteId);
  const people = rows.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by ?? proposed_by]);
  const nameOf = await readNames(db, people);
  return rows.map((row) => {
    const state = stateAt(row, now);
    const isOpen = state === 'proposed';
    const { approver, canApprove, canReject } = rightsOf(user, row, wardLeads);
    const shown: Proposal = {
      id: row.id,
      state,
      reason: row.reason,
      proposedAt: toInstant(row.proposed_at),
      proposedBy: nameOf(row.proposed_by),
      expiresAt: toInstant(row.expires_at ?? now),
      decided: isOpen
        ? null
        : {
            at: toInstant(row.decided_at ?? row.expires_at ?? now),
            by: row.decided_by === null ? null : nameOf(row.decided_by),
            reason: row.decision_reason,
          },
      approver,
      canApprove: isOpen && canApprove,
      canReject: isOpen && canReject,
    };
    return { row, shown };
  });
}

/** Selects the proposals of a kind in a site. */
export const proposalsOf = (db: Db, siteId: number, kind: ProposalKind) =>
  db.selectFrom('proposals').where('proposals.site_id', '=', siteId).where('kind', '=', kind);

/** Returns the state at `now`: a proposal expires by itself. */
function stateAt({ state, expires_at }: ProposalRow, now: EpochMs): ProposalState {
  return state === 'proposed' && expires_at !== null && expires_at <= now ? 'expired' : state;
}

/** Returns what a user may do with an open proposal. No one approves their own. */
function rightsOf(user: By['user'], { kind, proposed_by }: ProposalRow, wardLeads: readonly number[]) {
  const { approves, rejects } = policies[kind];
  const approver = approverOf(proposed_by, wardLeads);
  const isOwn = proposed_by === user.id;
  const canApprove = !isOwn && (approves === null ? user.type === approver : can(user, approves));
  return { approver, isOwn, canApprove, canReject: canApprove || isOwn || (rejects !== null && can(user, rejects)) };
}

/** Resolves with the site's ward leads who can sign in. */
async function readWardLeads(db: Db, siteId: number): Promise<number[]> {
  const rows = await activeUsers(db, siteId).select('id').where('type', '=', 'ward_lead').execute();
  return rows.map(({ id }) => id);
}

async function alreadyDecided(db: Db, { now, user }: By, row: ProposalRow): Promise<HttpError> {
  const { decided_by } = row;
  const by = decided_by === null ? '' : ` by ${(await readNames(db, [decided_by]))(decided_by).name}`;
  const at = formatDayAndTime(row.decided_at ?? row.expires_at ?? now, user.site.timeZone);
  return conflict('proposal_decided', `This proposal was ${decidedWords[stateAt(row, now)]}${by}, ${at}.`);
}

const decidedWords = {
  proposed: 'made',
  approved: 'approved',
  rejected: 'rejected',
  expired: 'not approved in time: it expired',
  replaced: 'replaced by a newer one',
} as const satisfies Record<ProposalState, string>;
