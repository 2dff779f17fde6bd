import type { ColumnType, Generated } from 'kysely';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { DateOrder } from '../../lib/time/parseDateOfBirth';
import type { PatientLabel } from '../../lib/chat/patientLabels';
import type { News2ExemptFor } from '../../lib/patients/news2ExemptFor';
import type { ProposalKind, ProposalState } from '../../lib/proposals/proposals';
import type { SignUpMode } from '../../lib/site/signUpModes';
import type { UserType } from '../../lib/session/userTypes';
import type { patientStates } from '../../lib/patients/listing';
import type { profiles, sexes } from '../../lib/patients/schema';
import type { AlertTables } from './alertTables';
import type { ChartTables } from './chartTables';
import type { CheckInTables } from './checkInTables';
import type { FollowTables } from './followTables';
import type { HandoffTables } from './handoffTables';
import type { CorrectedTable, Hl7Tables } from './hl7Tables';
import type { NoteTables } from './noteTables';
import type { ReportTables } from './reportTables';
import type { VitalsTables } from './vitalsTables';

/**
 * The types of the store's tables, which `migrations.ts` creates: here sites, users, patients, devices and records of
 * what happened. On both engines instants are epoch milliseconds, minutes are epoch minutes, and flags are 0 or 1.
 */
export interface Database
  extends
    VitalsTables,
    AlertTables,
    ChartTables,
    CheckInTables,
    NoteTables,
    HandoffTables,
    FollowTables,
    ReportTables,
    Hl7Tables {
  sites: SitesTable;
  users: UsersTable;
  user_pictures: UserPicturesTable;
  sessions: SessionsTable;
  account_tokens: AccountTokensTable;
  throttles: ThrottlesTable;
  known_browsers: KnownBrowsersTable;
  break_glass: BreakGlassTable;
  units: UnitsTable;
  user_units: UserUnitsTable;
  assignments: AssignmentsTable;
  patients: PatientsTable;
  patient_stays: PatientStaysTable;
  spo2_targets: Spo2TargetsTable;
  news2_exemptions: News2ExemptionsTable;
  devices: DevicesTable;
  device_assignments: DeviceAssignmentsTable;
  withdrawals: WithdrawalsTable;
  audit: AuditTable;
  audit_head: AuditHeadTable;
  error_events: ErrorEventsTable;
  progress: ProgressTable;
  proposals: ProposalsTable;
}

/** What one person proposes and another approves (`server/proposals`). */
export interface ProposalsTable {
  id: Generated<number>;
  site_id: number;
  kind: ProposalKind;
  /** What it is about: a site, and what of it. At most one is open for each. */
  object_id: number;
  about: string;
  /** What held when it was proposed, and what it wants: JSON of the kind. */
  held: string;
  wanted: string;
  /** The row of `alert_limits`, or the approved proposal, that held then; null: the default. */
  based_on: number | null;
  reason: string;
  proposed_at: number;
  proposed_by: number;
  /** Moves with a step of the server's clock. An open row that has expired stays `proposed` until the next proposal. */
  expires_at: number | null;
  state: ProposalState;
  decided_at: number | null;
  decided_by: number | null;
  decision_reason: Generated<string>;
}

export interface SitesTable {
  id: Generated<number>;
  name: string;
  time_zone: string;
  created_at: number;
  /** 1: the patients of this site are invented, and the simulator sends for its devices. */
  is_demo: Generated<number>;
  emergency_number: string | null;
  rapid_response_number: ColumnType<string | null, string | null | undefined>;
  sign_up_mode: Generated<SignUpMode>;
  /** Minutes without input after which a session locks. */
  idle_minutes: Generated<number>;
  /** When shifts begin, in the site's time: "07:30,19:30". */
  shift_starts: Generated<string>;
  intended_use_accepted_at: number | null;
  intended_use_accepted_by: number | null;
  /** The version of the accepted statement (`lib/site/intendedUse`). */
  intended_use_version: number | null;
  /** What the chat service may see of a patient. */
  chat_patient_label: Generated<PatientLabel>;
  /** How a date in figures is read: 11/2/1958 is 11 Feb with the day first. */
  date_order: Generated<DateOrder>;
  /** When check-ins from home are due, in the site's time: "08:00,14:00,20:00". */
  check_in_times: Generated<string>;
  /** What patients at home read about the ward's hours; null: nothing. */
  out_of_hours_text: string | null;
  /** Whose numbers in HL7 messages (PID-3.4) are MRNs of the site, one a line; '': those of any authority. */
  mrn_authorities: Generated<string>;
  /** The user who added it on the page "Sites", or null if setup or a command did. */
  added_by: number | null;
  /** The id that their page gave it. */
  client_id: string | null;
  /** Goes up with each change. */
  version: Generated<number>;
}

interface UsersTable {
  id: Generated<number>;
  site_id: number;
  email: string;
  username: string;
  fname: string;
  lname: string;
  user_image: string | null;
  type: UserType;
  is_admin: number;
  password_hash: string;
  /** Since when a registered user has waited for approval, or null if approved. */
  waiting_since: number | null;
  /** Since when the account has waited for confirmation (`users/confirmations.ts`), or null if it does not. */
  unconfirmed_since: number | null;
  /** Who made the link by which the present password was set, or null if its owner did without one. */
  link_made_by: number | null;
  /** 1: the owner has still to see that. */
  link_notice: Generated<number>;
  disabled_at: number | null;
  last_active_at: number | null;
  created_at: number;
  /** Goes up with each change of an administrator. */
  version: Generated<number>;
}

interface UserPicturesTable {
  user_id: number;
  png: Buffer;
  changed_at: number;
}

interface SessionsTable {
  token: string;
  secret_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
  /** When its user last touched the page, as reported by `POST /api/v2/auth/activity`. */
  last_input_at: number;
  locked_at: number | null;
  ip: string | null;
  user_agent: string | null;
}

export interface AccountTokensTable {
  id: Generated<number>;
  kind: 'invitation' | 'reset';
  token_hash: string;
  site_id: number;
  /** The user whose password is reset; null in an invitation. */
  user_id: number | null;
  email: string;
  /** The type of the invited user; null in a reset. */
  type: UserType | null;
  is_admin: Generated<number>;
  /** The units of the invited user, a JSON array of ids. */
  unit_ids: Generated<string>;
  created_at: number;
  /** The administrator who created it, or null if the account's owner asked for it. */
  created_by: number | null;
  /** 1: the administrator saw the link; 0: it was only mailed. */
  is_shown: Generated<number>;
  expires_at: number;
  used_at: number | null;
  voided_at: number | null;
}

interface ThrottlesTable {
  /** The account, address or known browser whose failures it counts. */
  name: string;
  failures: number;
  failed_at: number;
  blocked_until: number;
}

interface KnownBrowsersTable {
  token_hash: string;
  user_id: number;
  created_at: number;
  used_at: number;
}

interface BreakGlassTable {
  id: Generated<number>;
  site_id: number;
  user_id: number;
  reason: string;
  started_at: number;
  ends_at: number;
  /** When an administrator read the notice, and who did. */
  seen_at: number | null;
  seen_by: number | null;
}

export interface UnitsTable {
  id: Generated<number>;
  site_id: number;
  name: string;
  created_at: number;
  /** Since when the unit is not used any more. Discharged patients may still refer to it. */
  retired_at: number | null;
  /** Goes up with each change. */
  version: Generated<number>;
}

interface UserUnitsTable {
  user_id: number;
  unit_id: number;
}

interface AssignmentsTable {
  id: Generated<number>;
  site_id: number;
  unit_id: number;
  role: AssignmentRole;
  /** Set for the roles that belong to one patient. */
  patient_id: number | null;
  shift_start: number;
  user_id: number | null;
  set_at: number;
  set_by: number;
  /** Counts the assignments of one role (of one patient), over all shifts. */
  version: number;
}

export interface PatientsTable {
  id: Generated<number>;
  site_id: number;
  mrn: string;
  given_name: string;
  family_name: string;
  date_of_birth: string;
  sex: (typeof sexes)[number];
  unit_id: number | null;
  bed: string | null;
  /** 1: was in one bed with another active patient before that was refused; 0 from their next move on. */
  shares_bed: Generated<0 | 1>;
  profile: (typeof profiles)[number];
  spo2_scale: 1 | 2;
  /** Why NEWS2 does not apply to the patient; null: it does, from 16 years on. */
  news2_exempt_for: ColumnType<News2ExemptFor | null, News2ExemptFor | null | undefined>;
  /** 1: an invented patient, whom senders on trial reach and no other sender. Set when they are added, for good. */
  is_trial: Generated<0 | 1>;
  state: (typeof patientStates)[number];
  version: number;
  created_at: number;
  updated_at: number;
}

/** From an admission to the discharge; null: the patient is here. */
interface PatientStaysTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  started_at: number;
  ended_at: number | null;
}

interface Spo2TargetsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  scale: 1 | 2;
  low: number;
  high: number;
  reason: string;
  set_at: number;
  set_by: number;
}

interface News2ExemptionsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  because: News2ExemptFor;
  reason: string;
  set_at: number;
  set_by: number;
  ended_at: number | null;
  ended_by: number | null;
}

export interface DevicesTable {
  id: Generated<number>;
  site_id: number;
  name: string;
  token_hash: string;
  /** How often this device sends a value, in milliseconds; null if the table of kinds decides. */
  expected_every_ms: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Added to the device's times it gives the server's, in milliseconds; null if it is not known. */
  clock_offset_ms: number | null;
  /**
   * The HL7 sender that it is a source of. It has no token then: `token_hash` is a text that is no hash, and
   * `findDevice` refuses it. Null: a device that calls by itself.
   */
  sender_id: ColumnType<number | null, number | null | undefined>;
  /** What the sender calls it (`sourceKey`); empty for the sender itself. Null: a device that calls by itself. */
  source_key: ColumnType<string | null, string | null | undefined>;
  /** The bed (PV1-3 as it is sent) by which alone its values find their patient. Null: they name the patient. */
  sender_bed: ColumnType<string | null, string | null | undefined>;
  /** The mapping by which that bed is one of ours. */
  bed_mapping_id: ColumnType<number | null, number | null | undefined>;
  /** The mapping by which its code means something. Null: the built-in table, or a device that calls by itself. */
  code_mapping_id: ColumnType<number | null, number | null | undefined>;
  /** The ids of the units for whose patients it may send, as JSON. Null: it sends for the patient it is assigned to. */
  gateway_units: ColumnType<string | null, string | null | undefined>;
  /** Until then it may send for any patient of its site, without a second identifier. */
  gateway_until: ColumnType<number | null, number | null | undefined>;
}

interface DeviceAssignmentsTable {
  id: Generated<number>;
  site_id: number;
  device_id: number;
  patient_id: number;
  assigned_at: number;
  assigned_by: number;
  ended_at: number | null;
  ended_by: number | null;
  /** When a person said that it was on the wrong patient: what it sent meanwhile is withdrawn. */
  wrong_at: ColumnType<number | null, null | undefined, number>;
}

/** What a person withdraws: what one source sent or typed of a patient is not of that patient (`withdrawWrong`). */
export interface WithdrawalsTable extends CorrectedTable {
  patient_id: number;
  /** The device, or the user who typed it in (`sourceOfUser`). */
  source: number;
  /** When the set was taken that was typed in; null: all that the device measured from `since` to `until`. */
  taken_at: number | null;
  /** From when to when it came, epoch milliseconds. */
  since: number;
  until: number;
  made_at: number;
  made_by: number;
  reason: string;
}

export interface AuditTable {
  /** From 1 without a gap, in the order in which the rows were written. */
  id: number;
  at: number;
  site_id: number | null;
  actor: string;
  actor_id: number | null;
  session: string | null;
  ip: string | null;
  request_id: string | null;
  action: string;
  object_type: string | null;
  object_id: number | null;
  outcome: string;
  details: string | null;
  /** The hash that chains the row to all before it (server/audit/chain). */
  hash: string;
}

/** One row: the id and the hash of the newest row of the audit. */
interface AuditHeadTable {
  id: number;
  last_id: number;
  hash: string;
}

interface ErrorEventsTable {
  id: Generated<number>;
  at: number;
  /** The report's id, 32 hexadecimal digits. */
  report: string;
  source: 'page' | 'server';
  release: string;
  page: string;
  name: string;
  message: string;
  place: string;
  /** The site of the user whose page sent it; null: the server's own, or a page without a session. */
  site_id: number | null;
}

interface ProgressTable {
  name: string;
  value: number;
}
