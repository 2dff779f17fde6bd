import type { HandoffResultName } from '../../lib/follows/schema';

/** The table of who follows whom. Instants are epoch milliseconds. */
export interface FollowTables {
  patient_follows: PatientFollowsTable;
}

/** A patient whose news a user wants on the start page. */
interface PatientFollowsTable {
  user_id: number;
  patient_id: number;
  followed_at: number;
  /** The last alert that the user saw there; 0: none. Ids and no times, because the clock may be set back. */
  seen_alert_id: number;
  /** The last handoff with a result that the user saw there, and that result; 0 and null: none. */
  seen_handoff_id: number;
  seen_handoff_result: HandoffResultName | null;
}
