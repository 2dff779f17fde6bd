import type { Generated } from 'kysely';
import type { UserType } from '../../lib/session/userTypes';
import type { patientStates } from '../../lib/patients/listing';
import type { profiles, sexes } from '../../lib/patients/schema';

/**
 * The store's tables as the code sees them; `migrations.ts` makes them. Instants are epoch milliseconds, minutes are
 * epoch minutes, flags are 0 or 1, on both engines.
 */
export interface Database {
  sites: SitesTable;
  users: UsersTable;
  sessions: SessionsTable;
  patients: PatientsTable;
  devices: DevicesTable;
  samples: SamplesTable;
  sample_corrections: SampleCorrectionsTable;
  latest_values: LatestValuesTable;
  minutes: MinutesTable;
  minutes_to_redo: MinutesToRedoTable;
  quarantine: QuarantineTable;
  audit: AuditTable;
  progress: ProgressTable;
}

export interface SitesTable {
  id: Generated<number>;
  name: string;
  time_zone: string;
  created_at: number;
  /** 1: nobody on this site is real, the simulator speaks for its devices. */
  is_demo: Generated<number>;
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
  disabled_at: number | null;
  last_active_at: number | null;
  created_at: number;
}

interface SessionsTable {
  token: string;
  secret_hash: string;
  user_id: number;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
}

export interface PatientsTable {
  id: Generated<number>;
  site_id: number;
  mrn: string;
  given_name: string;
  family_name: string;
  date_of_birth: string;
  sex: (typeof sexes)[number];
  unit: string | null;
  bed: string | null;
  profile: (typeof profiles)[number];
  spo2_scale: 1 | 2;
  state: (typeof patientStates)[number];
  version: number;
  created_at: number;
  updated_at: number;
}

export interface DevicesTable {
  id: Generated<number>;
  site_id: number;
  name: string;
  token_hash: string;
  /** How often this device sends a value, in milliseconds; null where the table of kinds decides. */
  expected_every_ms: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

interface SamplesTable {
  minute: number;
  patient_id: number;
  kind: number;
  /** As the device said it; `offset_ms` corrects the device's clock. */
  taken_at: number;
  device_id: number;
  site_id: number;
  value: number;
  /** See server/vitals/qualityCode.ts. */
  quality: number;
  received_at: number;
  offset_ms: number;
}

interface SampleCorrectionsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  kind: number;
  taken_at: number;
  device_id: number;
  old_value: number;
  old_quality: number;
  old_received_at: number;
  replaced_at: number;
}

interface LatestValuesTable {
  patient_id: number;
  kind: number;
  site_id: number;
  taken_at: number;
  device_id: number;
  value: number;
  quality: number;
  received_at: number;
  offset_ms: number;
  valid_value: number | null;
  valid_taken_at: number | null;
  valid_device_id: number | null;
  valid_as_of: number | null;
}

interface MinutesTable {
  patient_id: number;
  kind: number;
  minute: number;
  site_id: number;
  /** Extremes, last value and number of the minute's samples that are not invalid. */
  min: number | null;
  max: number | null;
  last: number | null;
  count: number;
  questionable: number;
  invalid: number;
}

interface MinutesToRedoTable {
  minute: number;
  patient_id: number;
  kind: number;
}

interface QuarantineTable {
  id: Generated<number>;
  site_id: number;
  device_id: number;
  received_at: number;
  code: string;
  /** The sample as it came, as JSON, at most 1,000 characters. */
  sample: string;
}

interface AuditTable {
  id: Generated<number>;
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
}

interface ProgressTable {
  name: string;
  value: number;
}
