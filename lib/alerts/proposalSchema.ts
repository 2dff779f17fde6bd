import { z } from 'zod';
import { instant } from '../time/schema';
import { approvers, proposalStates } from './proposals';
import { reason } from './reason';

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

/** A proposal as a user of the site sees it. */
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
