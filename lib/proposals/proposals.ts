import { z } from 'zod';
import { reason } from '../alerts/reason';
import { instant } from '../time/schema';

/** What one person proposes and another approves. Each has its policy in `server/proposals/proposals.ts`. */
export const proposalKinds = [
  'limits',
  'escalation',
  'bed_mapping',
  'code_mapping',
  'sender',
  'gateway',
  'account',
] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** `replaced`: by a newer proposal about the same. */
export const proposalStates = ['proposed', 'approved', 'rejected', 'expired', 'replaced'] as const;
export type ProposalState = (typeof proposalStates)[number];

export const approvers = ['ward_lead', 'physician', 'no_one'] as const;
/** Who may approve a change of the site's alert settings, apart from the user who proposed it. */
export type Approver = (typeof approvers)[number];

/**
 * Takes the site's ward leads who can sign in, and returns who approves a change of its alert settings: a ward lead
 * other than the proposer; a physician if the proposer is the only ward lead (clinical.md section 9).
 */
export function approverOf(proposedBy: number, wardLeads: readonly number[]): Approver {
  if (wardLeads.some((id) => id !== proposedBy)) {
    return 'ward_lead';
  }
  return wardLeads.length > 0 ? 'physician' : 'no_one';
}

const person = z.object({ id: z.int(), name: z.string() });

/** What every proposal to change a setting of the site says beside the wanted values. */
export const madeOn = {
  /** The setting that held when it was made (`settingId`); null: the default. Another one by now: 409. */
  basedOn: z.int().positive().nullable(),
  /** The open proposal about the same that it replaces, which its author has seen; null: none. */
  replaces: z.int().positive().nullable(),
  reason,
};

export const rejection = z.strictObject({ reason });

/** A proposal to change a setting of the site, as a user of the site sees it. */
export const proposal = z.object({
  id: z.int(),
  state: z.enum(proposalStates),
  reason: z.string(),
  proposedAt: instant,
  proposedBy: person,
  expiresAt: instant,
  /** Null while it is open. `by` is null if it expired; a proposer who rejects it has withdrawn it. */
  decided: z.object({ at: instant, by: person.nullable(), reason: z.string() }).nullable(),
  /** Who may approve it, apart from its proposer. */
  approver: z.enum(approvers),
  /** What the caller may do with it now. */
  canApprove: z.boolean(),
  canReject: z.boolean(),
});
export type Proposal = z.infer<typeof proposal>;
