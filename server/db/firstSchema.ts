/** The tables of the first release, in the words of `Migration`. */
export const firstSchema: string[] = [
  `CREATE TABLE sites (
    id {id}, name TEXT NOT NULL, time_zone TEXT NOT NULL, created_at {int} NOT NULL,
    is_demo {int} NOT NULL DEFAULT 0,
    emergency_number TEXT, sign_up_mode TEXT NOT NULL DEFAULT 'invitation', idle_minutes {int} NOT NULL DEFAULT 15,
    shift_starts TEXT NOT NULL DEFAULT '07:30,19:30', intended_use_accepted_at {int},
    intended_use_accepted_by {int}, intended_use_version {int},
    chat_patient_label TEXT NOT NULL DEFAULT 'number', version {int} NOT NULL DEFAULT 1)`,
  `CREATE TABLE users (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), email TEXT NOT NULL UNIQUE,
    username TEXT NOT NULL UNIQUE,
    fname TEXT NOT NULL, lname TEXT NOT NULL, user_image TEXT, type TEXT NOT NULL, is_admin {int} NOT NULL,
    password_hash TEXT NOT NULL, waiting_since {int}, disabled_at {int}, last_active_at {int},
    created_at {int} NOT NULL, version {int} NOT NULL DEFAULT 1)`,
  `CREATE TABLE user_pictures (
    user_id {int} PRIMARY KEY REFERENCES users (id), png {bytes} NOT NULL, changed_at {int} NOT NULL)`,
  `CREATE TABLE sessions (
    token TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, user_id {int} NOT NULL REFERENCES users (id),
    created_at {int} NOT NULL, expires_at {int} NOT NULL, ended_at {int}, last_input_at {int} NOT NULL,
    locked_at {int}, ip TEXT, user_agent TEXT)`,
  `CREATE INDEX sessions_by_user ON sessions (user_id)`,
  // Invitations and password resets: single use, kept as a hash.
  `CREATE TABLE account_tokens (
    id {id}, kind TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE, site_id {int} NOT NULL REFERENCES sites (id),
    user_id {int} REFERENCES users (id), email TEXT NOT NULL, type TEXT, is_admin {int} NOT NULL DEFAULT 0,
    unit_ids TEXT NOT NULL DEFAULT '[]', created_at {int} NOT NULL, created_by {int}, expires_at {int} NOT NULL,
    used_at {int}, voided_at {int})`,
  `CREATE INDEX account_tokens_by_user ON account_tokens (user_id)`,
  `CREATE INDEX account_tokens_by_email ON account_tokens (email)`,
  // Failed passwords, by account and by address (server/session/throttle.ts).
  `CREATE TABLE throttles (
    name TEXT PRIMARY KEY, failures {int} NOT NULL, failed_at {int} NOT NULL, blocked_until {int} NOT NULL)`,
  `CREATE TABLE known_browsers (
    token_hash TEXT PRIMARY KEY, user_id {int} NOT NULL REFERENCES users (id), created_at {int} NOT NULL,
    used_at {int} NOT NULL)`,
  `CREATE INDEX known_browsers_by_user ON known_browsers (user_id)`,
  `CREATE TABLE break_glass (
    id {id}, site_id {int} NOT NULL, user_id {int} NOT NULL REFERENCES users (id), reason TEXT NOT NULL,
    started_at {int} NOT NULL, ends_at {int} NOT NULL, seen_at {int}, seen_by {int})`,
  `CREATE INDEX break_glass_by_user ON break_glass (user_id, ends_at)`,
  // Patients refer to a unit by its name. Renaming a unit renames it in its patients too.
  `CREATE TABLE units (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, created_at {int} NOT NULL)`,
  // Names that differ only in letter case are the same unit (lib/units/unitKey).
  `CREATE UNIQUE INDEX units_by_name ON units (site_id, lower(name))`,
  `CREATE TABLE user_units (
    user_id {int} NOT NULL REFERENCES users (id), unit_id {int} NOT NULL REFERENCES units (id),
    PRIMARY KEY (user_id, unit_id))`,
  // Who holds a role from a shift on, until a later row changes it. A null user means that no one holds it.
  `CREATE TABLE assignments (
    id {id}, site_id {int} NOT NULL, unit_id {int} NOT NULL REFERENCES units (id), role TEXT NOT NULL,
    patient_id {int},
    shift_start {int} NOT NULL, user_id {int} REFERENCES users (id), set_at {int} NOT NULL, set_by {int} NOT NULL,
    version {int} NOT NULL)`,
  `CREATE UNIQUE INDEX assignments_once ON assignments (unit_id, role, coalesce(patient_id, 0), shift_start)`,
  `CREATE TABLE patients (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), mrn TEXT NOT NULL, given_name TEXT NOT NULL,
    family_name TEXT NOT NULL, date_of_birth TEXT NOT NULL, sex TEXT NOT NULL, unit TEXT, bed TEXT,
    profile TEXT NOT NULL, spo2_scale {int} NOT NULL, state TEXT NOT NULL, version {int} NOT NULL,
    created_at {int} NOT NULL, updated_at {int} NOT NULL, UNIQUE (site_id, mrn))`,
  `CREATE TABLE spo2_targets (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), scale {int} NOT NULL,
    low {int} NOT NULL, high {int} NOT NULL, reason TEXT NOT NULL, set_at {int} NOT NULL,
    set_by {int} NOT NULL REFERENCES users (id))`,
  `CREATE INDEX spo2_targets_by_patient ON spo2_targets (patient_id, id)`,
  // What a patient reported at one time. `answers` are pairs of symptom and answer, sorted by name.
  `CREATE TABLE symptom_reports (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reported_at {int} NOT NULL,
    recorded_at {int} NOT NULL, recorded_by {int} NOT NULL REFERENCES users (id), answers TEXT NOT NULL,
    breathlessness {int}, mmrc {int}, red_flags TEXT NOT NULL, since_yesterday TEXT,
    UNIQUE (patient_id, reported_at, recorded_by))`,
  `CREATE INDEX symptom_reports_by_time ON symptom_reports (recorded_at, patient_id)`,
  `CREATE TABLE devices (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    expected_every_ms {int}, created_at {int} NOT NULL, expires_at {int}, revoked_at {int})`,
  // The patient a device is assigned to: at most one open row a device.
  `CREATE TABLE device_assignments (
    id {id}, site_id {int} NOT NULL, device_id {int} NOT NULL REFERENCES devices (id), patient_id {int} NOT NULL,
    assigned_at {int} NOT NULL, assigned_by {int} NOT NULL, ended_at {int}, ended_by {int})`,
  `CREATE UNIQUE INDEX device_assignments_open ON device_assignments (device_id) WHERE ended_at IS NULL`,
  `CREATE INDEX device_assignments_by_patient ON device_assignments (patient_id)`,
  // The minute leads, so that a second of 500 patients touches a few pages instead of 500; the rest of the key
  // makes one patient's minute a single short range.
  `CREATE TABLE samples (
    minute {int} NOT NULL, patient_id {int} NOT NULL, kind {int} NOT NULL, taken_at {int} NOT NULL,
    device_id {int} NOT NULL, site_id {int} NOT NULL, value {real} NOT NULL, quality {int} NOT NULL,
    received_at {int} NOT NULL, offset_ms {int} NOT NULL,
    PRIMARY KEY (minute, patient_id, kind, taken_at, device_id)) {clustered}`,
  `CREATE TABLE sample_corrections (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL, kind {int} NOT NULL, taken_at {int} NOT NULL,
    device_id {int} NOT NULL, old_value {real} NOT NULL, old_quality {int} NOT NULL, old_received_at {int} NOT NULL,
    replaced_at {int} NOT NULL)`,
  `CREATE INDEX sample_corrections_by_sample ON sample_corrections (patient_id, kind, taken_at)`,
  `CREATE TABLE latest_values (
    patient_id {int} NOT NULL, kind {int} NOT NULL, site_id {int} NOT NULL, taken_at {int} NOT NULL,
    device_id {int} NOT NULL, value {real} NOT NULL, quality {int} NOT NULL, received_at {int} NOT NULL,
    offset_ms {int} NOT NULL, valid_value {real}, valid_taken_at {int}, valid_as_of {int},
    PRIMARY KEY (patient_id, kind, device_id)) {clustered}`,
  `CREATE TABLE minutes (
    patient_id {int} NOT NULL, kind {int} NOT NULL, minute {int} NOT NULL, site_id {int} NOT NULL, min {real},
    max {real}, last {real}, count {int} NOT NULL, questionable {int} NOT NULL, invalid {int} NOT NULL,
    PRIMARY KEY (patient_id, kind, minute)) {clustered}`,
  `CREATE TABLE minutes_to_redo (
    minute {int} NOT NULL, patient_id {int} NOT NULL, kind {int} NOT NULL,
    PRIMARY KEY (minute, patient_id, kind)) {clustered}`,
  `CREATE TABLE quarantine (
    id {id}, site_id {int} NOT NULL, device_id {int} NOT NULL, received_at {int} NOT NULL, code TEXT NOT NULL,
    sample TEXT NOT NULL)`,
  `CREATE INDEX quarantine_by_device ON quarantine (device_id, received_at)`,
  `CREATE INDEX quarantine_by_time ON quarantine (received_at)`,
  `CREATE TABLE audit (
    id {id}, at {int} NOT NULL, site_id {int}, actor TEXT NOT NULL, actor_id {int}, session TEXT, ip TEXT,
    request_id TEXT, action TEXT NOT NULL, object_type TEXT, object_id {int}, outcome TEXT NOT NULL, details TEXT,
    hash TEXT NOT NULL)`,
  `CREATE INDEX audit_by_site ON audit (site_id, at, id)`,
  `CREATE INDEX audit_by_action ON audit (site_id, action, at, id)`,
  `CREATE INDEX audit_by_actor ON audit (site_id, actor_id, actor, at, id)`,
  `CREATE INDEX audit_by_object ON audit (site_id, object_id, object_type, at, id)`,
  // One row, which each writer of the audit locks, so that the chain of hashes never forks.
  `CREATE TABLE audit_head (id {int} PRIMARY KEY CHECK (id = 1), last_id {int} NOT NULL, hash TEXT NOT NULL)`,
  `INSERT INTO audit_head (id, last_id, hash) VALUES (1, 0, '')`,
  // The last thousand scrubbed error reports, if no receiver is configured.
  `CREATE TABLE error_events (
    id {id}, at {int} NOT NULL, report TEXT NOT NULL, source TEXT NOT NULL, release TEXT NOT NULL,
    page TEXT NOT NULL,
    name TEXT NOT NULL, message TEXT NOT NULL, place TEXT NOT NULL)`,
  `CREATE TABLE progress (name TEXT PRIMARY KEY, value {int} NOT NULL)`,
  // Alerts about a patient or a device. `facts` is an alert of lib/alerts as JSON; the columns are for queries.
  `CREATE TABLE alerts (
    id {id}, site_id {int} NOT NULL, patient_id {int}, device_id {int}, parameter TEXT NOT NULL, rule TEXT NOT NULL,
    level TEXT NOT NULL, condition TEXT NOT NULL, started_at {int} NOT NULL, raised_at {int} NOT NULL,
    closed_at {int}, is_retrospective {int} NOT NULL, facts TEXT NOT NULL, evidence TEXT NOT NULL,
    CHECK ((patient_id IS NULL) <> (device_id IS NULL)))`,
  `CREATE UNIQUE INDEX alerts_one_open ON alerts (coalesce(patient_id, -1), coalesce(device_id, -1), parameter)
    WHERE closed_at IS NULL`,
  `CREATE INDEX alerts_by_patient ON alerts (patient_id, parameter, is_retrospective, id)`,
  `CREATE INDEX alerts_by_device ON alerts (device_id, parameter, is_retrospective, id)`,
  `CREATE INDEX alerts_by_site ON alerts (site_id, id)`,
  `CREATE TABLE alert_events (
    id {id}, site_id {int} NOT NULL, alert_id {int} NOT NULL REFERENCES alerts (id), at {int} NOT NULL,
    event TEXT NOT NULL)`,
  `CREATE INDEX alert_events_by_alert ON alert_events (alert_id, id)`,
  // What the rules remember of a patient (device_id 0) or a device (patient_id 0) from values of long ago.
  `CREATE TABLE watches (
    patient_id {int} NOT NULL, device_id {int} NOT NULL, site_id {int} NOT NULL, memory TEXT NOT NULL,
    PRIMARY KEY (patient_id, device_id)) {clustered}`,
  // The minutes of a patient whose late values still have to be evaluated. `touches` shows whether more arrived
  // meanwhile.
  `CREATE TABLE pasts_to_judge (
    patient_id {int} PRIMARY KEY, from_minute {int} NOT NULL, until_minute {int} NOT NULL, since {int} NOT NULL,
    touched_at {int} NOT NULL, touches {int} NOT NULL)`,
  // The newest row of a rule and scale applies. A row without a patient applies to the whole site.
  `CREATE TABLE alert_limits (
    id {id}, site_id {int} NOT NULL, patient_id {int} REFERENCES patients (id), rule TEXT NOT NULL, scale {int},
    limit_values TEXT NOT NULL,
    reason TEXT NOT NULL, review_at {int}, set_at {int} NOT NULL, set_by {int} NOT NULL REFERENCES users (id))`,
  `CREATE INDEX alert_limits_by_patient ON alert_limits (site_id, patient_id, id)`,
  `CREATE TABLE standbys (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reason TEXT NOT NULL,
    started_at {int} NOT NULL, started_by {int} NOT NULL REFERENCES users (id), until {int} NOT NULL,
    ended_at {int}, ended_by {int})`,
  // At most one open row a patient. It may have expired without being ended.
  `CREATE UNIQUE INDEX standbys_open ON standbys (patient_id) WHERE ended_at IS NULL`,
  `CREATE TABLE comfort_cares (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reason TEXT NOT NULL,
    confirmed_at {int} NOT NULL, confirmed_by {int} NOT NULL REFERENCES users (id), ended_at {int},
    ended_by {int})`,
  `CREATE UNIQUE INDEX comfort_cares_open ON comfort_cares (patient_id) WHERE ended_at IS NULL`,
];
