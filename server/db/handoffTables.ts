import type { Generated } from 'kysely';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { HandoffState, Severity } from '../../lib/handoffs/severities';
import type { UserType } from '../../lib/session/userTypes';

/** The tables of handoffs. Instants are epoch milliseconds. */
export interface HandoffTables {
  handoffs: HandoffsTable;
  handoff_actions: HandoffActionsTable;
}

export interface HandoffsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  state: HandoffState;
  severity: Severity | null;
  summary: string;
  /** JSON: a list of `{condition, action}`. */
  contingencies: string;
  /** One of the two is null. */
  receiver_id: number | null;
  receiver_role: AssignmentRole | null;
  /** The handoff from which the text was taken over. */
  carried_from: number | null;
  /** When a text that was taken over was confirmed. */
  reviewed_at: number | null;
  /** JSON: what was known of the patient when it was given. */
  facts: string | null;
  giver_id: number | null;
  /** The giver's type when they gave it. */
  giver_type: UserType | null;
  given_at: number | null;
  received_by: number | null;
  received_at: number | null;
  read_back: string | null;
  question: string | null;
  returned_by: number | null;
  /** Null: it was not returned, or in an earlier release. */
  returned_at: Generated<number | null>;
  created_at: number;
  created_by: number;
  changed_at: number;
  changed_by: number;
  /** Goes up with each change. */
  version: Generated<number>;
}

/** What is to be done. One that is not done stays open whatever becomes of its handoff, unless that is withdrawn. */
export interface HandoffActionsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  handoff_id: number;
  text: string;
  /** At most one of the two is set. */
  owner_id: number | null;
  owner_role: AssignmentRole | null;
  due_at: number | null;
  done_at: number | null;
  done_by: number | null;
}
