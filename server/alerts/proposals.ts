import type { Kysely, Selectable } from 'kysely';
import type { Proposal } from '../../lib/alerts/proposalSchema';
import { approverOf, canApprove, proposalLastsMs, type Approver, type ProposalState } from '../../lib/alerts/proposals';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import type { AuditAction } from '../../lib/audit/actions';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { SiteProposalsTable } from '../db/alertTables';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { readNames } from '../users/readNames';

/** How many former proposals a response contains. */
const historyLength = 100;

type ProposalRow = Selectable<SiteProposalsTable>;
/** What a proposal is about. At most one is open for each. */
type ProposalSubject = Pick<ProposalRow, 'subject' | 'rule' | 'scale'>;

/** The user who proposes or decides. */
export type Decider = Pick<User, 'id' | 'type' | 'siteId' | 'site'>;

const conflict = (code: string, message: string): HttpError => new HttpError(409, code, message);

/** Says that the setting on which a proposal is based holds no more; `holds`: what holds now, and since when. */
export const changedMeanwhile = (holds: string): HttpError =>
  conflict('changed_meanwhile', `This has changed in the meantime: ${holds}. Look at it again, then repeat.`);

/**
 * Adds a proposal, in the place of the open one about the same that its author has seen (`replaces`). What holds
 * stays. The caller has locked the site's row (`hold`). Rejects with 409 `proposal_open` if someone else
 * proposed meanwhile, and with 409 `proposal_decided` if the one to replace is no longer open.
 */
export async function insertProposal(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { id: userId, siteId, site }: Decider,
  about: ProposalSubject,
  { replaces, ...row }: Pick<ProposalRow, 'held' | 'wanted' | 'based_on' | 'reason'> & { replaces: number | null },
): Promise<void> {
  const found = await proposalsOf(transaction, siteId, about.subject)
    .selectAll()
    .where('rule', about.rule === null ? 'is' : '=', about.rule)
    .where('scale', about.scale === null ? 'is' : '=', about.scale)
    .where((where) => where.or([where('state', '=', 'proposed'), where('id', '=', replaces ?? 0)]))
    .execute();
  const stored = found.find(({ state }) => state === 'proposed');
  const open = stored !== undefined && stateAt(stored, now) === 'proposed' ? stored : undefined;
  if (open !== undefined && open.id !== replaces) {
    const nameOf = await readNames(transaction, [open.proposed_by]);
    const at = formatDayAndTime(open.proposed_at, site.timeZone);
    throw conflict(
      'proposal_open',
      `${nameOf(open.proposed_by).name} has proposed a change of this, ${at}. Look at it first.`,
    );
  }
  const replaced = found.find(({ id }) => id === replaces);
  if (open === undefined && replaced !== undefined) {
    throw await alreadyDecided(transaction, replaced, site.timeZone, now);
  }
  if (stored !== undefined) {
    await transaction
      .updateTable('site_proposals')
      .set(
        open === undefined
          ? { state: 'expired', decided_at: stored.expires_at }
          : { state: 'replaced', decided_at: now, decided_by: userId },
      )
      .where('id', '=', stored.id)
      .execute();
  }
  await transaction
    .insertInto('site_proposals')
    .values({
      ...about,
      ...row,
      site_id: siteId,
      proposed_at: now,
      proposed_by: userId,
      expires_at: now + proposalLastsMs,
      state: 'proposed',
      decided_at: null,
      decided_by: null,
    })
    .execute();
  await auditSetting(transaction, now, actor, ['propose_alert_setting', siteId, about.rule ?? about.subject]);
}

/**
 * Approves or rejects (with a reason) an open proposal, once, and resolves with its row. The caller applies it in the
 * same transaction. Rejects with 404 if the site has no such proposal, with 409 `proposal_decided` if it
 * is no longer open, with 403 if the user may not decide: no one approves their own, but may withdraw it.
 */
export async function decideProposal(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  decider: Decider,
  subject: ProposalRow['subject'],
  id: number,
  decision: { approves: true } | { approves: false; reason: string },
): Promise<ProposalRow> {
  const { siteId, site } = decider;
  // Two users who decide at the same time are handled one after the other.
  await hold(transaction, 'sites', siteId);
  const row = await proposalsOf(transaction, siteId, subject).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) {
    throw notFound();
  }
  if (stateAt(row, now) !== 'proposed') {
    throw await alreadyDecided(transaction, row, site.timeZone, now);
  }
  const approver = approverOf(row.proposed_by, await readWardLeads(transaction, siteId));
  const isOwn = row.proposed_by === decider.id;
  if (!canApprove(decider, row.proposed_by, approver) && !(isOwn && !decision.approves)) {
    throw new HttpError(403, isOwn ? 'own_proposal' : 'not_the_approver', approverWords(isOwn, approver));
  }
  await transaction
    .updateTable('site_proposals')
    .set({
      state: decision.approves ? 'approved' : 'rejected',
      decided_at: now,
      decided_by: decider.id,
      decision_reason: decision.approves ? '' : decision.reason,
    })
    .where('id', '=', id)
    .execute();
  const action = decision.approves ? 'approve_alert_setting' : 'reject_alert_setting';
  await auditSetting(transaction, now, actor, [action, siteId, row.rule ?? subject]);
  return row;
}

/** Rejects a proposal with a reason, or withdraws one's own. Rejects as `decideProposal` does. */
export async function rejectProposal(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  decider: Decider,
  subject: ProposalRow['subject'],
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await decideProposal(transaction, now, actor, decider, subject, id, { approves: false, reason });
  });
}

/** Records what a user did about a setting of the site. */
const auditSetting = (
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  [action, siteId, rule]: readonly [AuditAction, number, string],
): Promise<void> =>
  audit(transaction, now, actor, {
    ...{ action, outcome: 'done', details: { rule } },
    ...{ objectType: 'site', objectId: siteId },
  });

/** Resolves with the open and the last proposals of a site about a subject, the newest first, for a user. */
export async function readProposals(
  db: Kysely<Database>,
  user: Decider,
  subject: ProposalRow['subject'],
  now: EpochMs,
): Promise<{ row: ProposalRow; shown: Proposal }[]> {
  const ofSite = proposalsOf(db, user.siteId, subject);
  const newest = ofSite.select('id').orderBy('id', 'desc').limit(historyLength);
  const rows = await ofSite
    .selectAll()
    .where((where) => where.or([where('state', '=', 'proposed'), where('id', 'in', newest)]))
    .orderBy('id', 'desc')
    .execute();
  const wardLeads = await readWardLeads(db, user.siteId);
  const nameOf = await readNames(
    db,
    rows.flatMap(({ proposed_by, decided_by }) => [proposed_by, ...(decided_by === null ? [] : [decided_by])]),
  );
  return rows.map((row) => {
    const state = stateAt(row, now);
    const approver = approverOf(row.proposed_by, wardLeads);
    const isOpen = state === 'proposed';
    const approves = isOpen && canApprove(user, row.proposed_by, approver);
    const shown: Proposal = {
      id: row.id,
      state,
      reason: row.reason,
      proposedAt: toInstant(row.proposed_at),
      proposedBy: nameOf(row.proposed_by),
      expiresAt: toInstant(row.expires_at),
      decided: isOpen
        ? null
        : {
            at: toInstant(row.decided_at ?? row.expires_at),
            by: row.decided_by === null ? null : nameOf(row.decided_by),
            reason: row.decision_reason,
          },
      approver,
      canApprove: approves,
      canReject: approves || (isOpen && user.id === row.proposed_by),
    };
    return { row, shown };
  });
}

function proposalsOf(db: Kysely<Database>, siteId: number, subject: ProposalRow['subject']) {
  return db.selectFrom('site_proposals').where('site_id', '=', siteId).where('subject', '=', subject);
}

/** Returns the state at `now`: a proposal expires by itself. */
function stateAt({ state, expires_at }: ProposalRow, now: EpochMs): ProposalState {
  return state === 'proposed' && expires_at <= now ? 'expired' : state;
}

/** Resolves with the site's ward leads who can sign in. */
async function readWardLeads(db: Kysely<Database>, siteId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('site_id', '=', siteId)
    .where('type', '=', 'ward_lead')
    .where('disabled_at', 'is', null)
    .where('waiting_since', 'is', null)
    .where('unconfirmed_since', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

async function alreadyDecided(
  db: Kysely<Database>,
  row: ProposalRow,
  timeZone: string,
  now: EpochMs,
): Promise<HttpError> {
  const { decided_by } = row;
  const by = decided_by === null ? '' : ` by ${(await readNames(db, [decided_by]))(decided_by).name}`;
  const at = formatDayAndTime(row.decided_at ?? row.expires_at, timeZone);
  return conflict('proposal_decided', `This proposal was ${decidedWords[stateAt(row, now)]}${by}, ${at}.`);
}

const decidedWords = {
  proposed: 'made',
  approved: 'approved',
  rejected: 'rejected',
  expired: 'not approved in time: it expired',
  replaced: 'replaced by a newer one',
} as const satisfies Record<ProposalState, string>;

function approverWords(isOwn: boolean, approver: Approver): string {
  const own = isOwn ? 'You proposed this yourself. ' : '';
  switch (approver) {
    case 'ward_lead':
      return `${own}${isOwn ? 'Another' : 'A'} ward lead has to approve it.`;
    case 'physician':
      return `${own}A physician has to approve it, because the proposer is the only ward lead.`;
    case 'no_one':
      return `${own}The site has no ward lead who could approve it.`;
    default:
      return approver satisfies never;
  }
}
