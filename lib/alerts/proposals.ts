import type { UserType } from '../session/userTypes';

/** How long a proposal waits for its approval, in milliseconds (clinical.md section 9). */
export const proposalLastsMs = 72 * 3_600_000;

/** `replaced`: by a newer proposal about the same. */
export const proposalStates = ['proposed', 'approved', 'rejected', 'expired', 'replaced'] as const;
export type ProposalState = (typeof proposalStates)[number];

export const approvers = ['ward_lead', 'physician', 'no_one'] as const;
/** Who may approve a proposal, apart from the user who made it. */
export type Approver = (typeof approvers)[number];

/**
 * Takes the site's ward leads who can sign in, and returns who approves a proposal: a ward lead other than the
 * proposer; a physician if the proposer is the only ward lead (clinical.md section 9).
 */
export function approverOf(proposedBy: number, wardLeads: readonly number[]): Approver {
  if (wardLeads.some((id) => id !== proposedBy)) {
    return 'ward_lead';
  }
  return wardLeads.length > 0 ? 'physician' : 'no_one';
}

/** Returns whether a user may approve a proposal. No one approves their own. */
export function canApprove(user: { id: number; type: UserType }, proposedBy: number, approver: Approver): boolean {
  return user.id !== proposedBy && user.type === approver;
}
