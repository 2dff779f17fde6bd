/** The tables of the first release, in the words of `Migration`: a table follows those that it refers to. */
export const firstSchema: string[] = [
  `CREATE TABLE sites (
    id {id}, name TEXT NOT NULL, time_zone TEXT NOT NULL, created_at {int} NOT NULL, is_demo {int} NOT NULL DEFAULT 0,
    emergency_number TEXT, sign_up_mode TEXT NOT NULL DEFAULT 'invitation', idle_minutes {int} NOT NULL DEFAULT 15,
    shift_starts TEXT NOT NULL DEFAULT '07:30,19:30', intended_use_accepted_at {int}, intended_use_accepted_by {int},
    intended_use_version {int}, chat_patient_label TEXT NOT NULL DEFAULT 'number', version {int} NOT NULL DEFAULT 1,
    date_order TEXT NOT NULL DEFAULT 'day_first', check_in_times TEXT NOT NULL DEFAULT '08:00,14:00,20:00',
    out_of_hours_text TEXT, added_by {int}, client_id TEXT, mrn_authorities TEXT NOT NULL DEFAULT '')`,
  `CREATE TABLE users (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), email TEXT NOT NULL UNIQUE, username TEXT NOT NULL UNIQUE,
    fname TEXT NOT NULL, lname TEXT NOT NULL, user_image TEXT, type TEXT NOT NULL, is_admin {int} NOT NULL,
    password_hash TEXT NOT NULL, waiting_since {int}, disabled_at {int}, last_active_at {int},
    created_at {int} NOT NULL, version {int} NOT NULL DEFAULT 1, unconfirmed_since {int},
    opened_by {int} REFERENCES users (id), link_made_by {int} REFERENCES users (id),
    link_notice {int} NOT NULL DEFAULT 0)`,
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
    used_at {int}, voided_at {int}, is_shown {int} NOT NULL DEFAULT 0)`,
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
  // A unit that is retired keeps its row, because discharged patients still refer to it.
  `CREATE TABLE units (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, created_at {int} NOT NULL,
    retired_at {int}, version {int} NOT NULL DEFAULT 1)`,
  // Names that differ only in letter case are the same unit (lib/units/unitKey).
  `CREATE UNIQUE INDEX units_by_name ON units (site_id, lower(name)) WHERE retired_at IS NULL`,
  `CREATE TABLE user_units (
    user_id {int} NOT NULL REFERENCES users (id), unit_id {int} NOT NULL REFERENCES units (id),
    PRIMARY KEY (user_id, unit_id))`,
  // Who holds a role from a shift on, until a later row changes it. A null user means that no one holds it.
  `CREATE TABLE assignments (
    id {id}, site_id {int} NOT NULL, unit_id {int} NOT NULL REFERENCES units (id), role TEXT NOT NULL,
    patient_id {int}, shift_start {int} NOT NULL, user_id {int} REFERENCES users (id), set_at {int} NOT NULL,
    set_by {int} NOT NULL, version {int} NOT NULL)`,
  `CREATE UNIQUE INDEX assignments_once ON assignments (unit_id, role, coalesce(patient_id, 0), shift_start)`,
  `CREATE TABLE patients (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), mrn TEXT NOT NULL, given_name TEXT NOT NULL,
    family_name TEXT NOT NULL, date_of_birth TEXT NOT NULL, sex TEXT NOT NULL, bed TEXT, profile TEXT NOT NULL,
    spo2_scale {int} NOT NULL, state TEXT NOT NULL, version {int} NOT NULL, created_at {int} NOT NULL,
    updated_at {int} NOT NULL, unit_id {int} REFERENCES units (id), news2_exempt_for TEXT,
    shares_bed {int} NOT NULL DEFAULT 0, is_trial {int} NOT NULL DEFAULT 0, UNIQUE (site_id, mrn))`,
  `CREATE INDEX patients_by_unit ON patients (unit_id)`,
  // One active patient a bed. Those who shared one before this held are marked: their next move unmarks them.
  `CREATE UNIQUE INDEX patients_one_a_bed ON patients (unit_id, lower(bed)) WHERE state = 'active' AND shares_bed = 0`,
  `CREATE TABLE spo2_targets (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), scale {int} NOT NULL,
    low {int} NOT NULL, high {int} NOT NULL, reason TEXT NOT NULL, set_at {int} NOT NULL,
    set_by {int} NOT NULL REFERENCES users (id))`,
  `CREATE INDEX spo2_targets_by_patient ON spo2_targets (patient_id, id)`,
  // HL7 gateways whose messages are taken, and the answers that a repeated message gets again. A source of a sender
  // is a device without a token. A sender that was revoked keeps its sources and may be accepted again as another.
  `CREATE TABLE hl7_senders (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, address TEXT NOT NULL,
    application TEXT NOT NULL, facility TEXT NOT NULL, accepted_at {int} NOT NULL,
    accepted_by {int} REFERENCES users (id), revoked_at {int}, is_trial {int} NOT NULL DEFAULT 0,
    zero_is_no_signal {int} NOT NULL DEFAULT 0, quarantine_is_accepted {int} NOT NULL DEFAULT 0, certificate TEXT)`,
  `CREATE UNIQUE INDEX hl7_senders_in_use ON hl7_senders (address, application, facility)
    WHERE revoked_at IS NULL AND certificate IS NULL`,
  `CREATE UNIQUE INDEX hl7_senders_by_certificate ON hl7_senders (certificate) WHERE revoked_at IS NULL`,
  `CREATE TABLE devices (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    expected_every_ms {int}, created_at {int} NOT NULL, expires_at {int}, revoked_at {int}, clock_offset_ms {int},
    sender_id {int} REFERENCES hl7_senders (id), source_key TEXT, sender_bed TEXT, code_mapping_id {int},
    bed_mapping_id {int}, gateway_units TEXT, gateway_proposal TEXT, gateway_until {int})`,
  `CREATE UNIQUE INDEX devices_sources ON devices (sender_id, source_key) WHERE sender_id IS NOT NULL`,
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
  `CREATE INDEX quarantine_held ON quarantine (device_id, received_at) WHERE code = 'bed_changing'`,
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
    id {id}, at {int} NOT NULL, report TEXT NOT NULL, source TEXT NOT NULL, release TEXT NOT NULL, page TEXT NOT NULL,
    name TEXT NOT NULL, message TEXT NOT NULL, place TEXT NOT NULL, site_id {int})`,
  `CREATE TABLE progress (name TEXT PRIMARY KEY, value {int} NOT NULL)`,
  // Alerts about a patient or a device. `facts` is an alert of lib/alerts as JSON; the columns are for queries.
  `CREATE TABLE alerts (
    id {id}, site_id {int} NOT NULL, patient_id {int}, device_id {int}, parameter TEXT NOT NULL, rule TEXT NOT NULL,
    priority TEXT NOT NULL, condition TEXT NOT NULL, started_at {int} NOT NULL, raised_at {int} NOT NULL,
    closed_at {int}, is_retrospective {int} NOT NULL, facts TEXT NOT NULL, evidence TEXT NOT NULL, unreadable_at {int},
    CHECK ((patient_id IS NULL) <> (device_id IS NULL)))`,
  `CREATE INDEX alerts_by_patient ON alerts (patient_id, parameter, is_retrospective, id)`,
  `CREATE INDEX alerts_by_device ON alerts (device_id, parameter, is_retrospective, id)`,
  `CREATE INDEX alerts_by_site ON alerts (site_id, id)`,
  `CREATE UNIQUE INDEX alerts_one_open ON alerts (coalesce(patient_id, -1), coalesce(device_id, -1), parameter)
    WHERE closed_at IS NULL AND unreadable_at IS NULL`,
  `CREATE TABLE alert_events (
    id {id}, site_id {int} NOT NULL, alert_id {int} NOT NULL REFERENCES alerts (id), at {int} NOT NULL,
    event TEXT NOT NULL)`,
  `CREATE INDEX alert_events_by_alert ON alert_events (alert_id, id)`,
  // What the rules remember of a patient (device_id 0) or a device (patient_id 0) from values of long ago.
  `CREATE TABLE rule_states (
    patient_id {int} NOT NULL, device_id {int} NOT NULL, site_id {int} NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (patient_id, device_id)) {clustered}`,
  // The minutes of a patient whose late values still have to be evaluated. `touches` shows whether more arrived
  // meanwhile.
  `CREATE TABLE retrospective_queue (
    patient_id {int} PRIMARY KEY, from_minute {int} NOT NULL, until_minute {int} NOT NULL, since {int} NOT NULL,
    touched_at {int} NOT NULL, touches {int} NOT NULL)`,
  // The newest row of a rule and scale applies. A row without a patient applies to the whole site.
  `CREATE TABLE alert_limits (
    id {id}, site_id {int} NOT NULL, patient_id {int} REFERENCES patients (id), rule TEXT NOT NULL, scale {int},
    limit_values TEXT NOT NULL, reason TEXT NOT NULL, review_at {int}, set_at {int} NOT NULL,
    set_by {int} NOT NULL REFERENCES users (id), approved_by {int} REFERENCES users (id))`,
  `CREATE INDEX alert_limits_by_patient ON alert_limits (site_id, patient_id, id)`,
  `CREATE TABLE standbys (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reason TEXT NOT NULL,
    started_at {int} NOT NULL, started_by {int} NOT NULL REFERENCES users (id), until {int} NOT NULL, ended_at {int},
    ended_by {int}, is_renewal {int} NOT NULL DEFAULT 0)`,
  // At most one open row a patient. It may have expired without being ended.
  `CREATE UNIQUE INDEX standbys_open ON standbys (patient_id) WHERE ended_at IS NULL`,
  `CREATE INDEX standbys_by_patient ON standbys (patient_id, id)`,
  `CREATE TABLE comfort_cares (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reason TEXT NOT NULL,
    confirmed_at {int} NOT NULL, confirmed_by {int} NOT NULL REFERENCES users (id), ended_at {int}, ended_by {int})`,
  `CREATE UNIQUE INDEX comfort_cares_open ON comfort_cares (patient_id) WHERE ended_at IS NULL`,
  // Patients to whom NEWS2 does not apply: the mark is with the patient, here is who set it, when and why.
  `CREATE TABLE news2_exemptions (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), because TEXT NOT NULL,
    reason TEXT NOT NULL, set_at {int} NOT NULL, set_by {int} NOT NULL REFERENCES users (id), ended_at {int},
    ended_by {int})`,
  `CREATE INDEX news2_exemptions_by_patient ON news2_exemptions (patient_id, id)`,
  // What one user proposes for all alerts of a site, and another approves. `held` and `wanted` are JSON.
  `CREATE TABLE site_proposals (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), subject TEXT NOT NULL, rule TEXT, scale {int},
    held TEXT NOT NULL, wanted TEXT NOT NULL, based_on {int}, reason TEXT NOT NULL, proposed_at {int} NOT NULL,
    proposed_by {int} NOT NULL REFERENCES users (id), expires_at {int} NOT NULL, state TEXT NOT NULL, decided_at {int},
    decided_by {int} REFERENCES users (id), decision_reason TEXT NOT NULL DEFAULT '')`,
  `CREATE UNIQUE INDEX site_proposals_open
    ON site_proposals (site_id, subject, coalesce(rule, ''), coalesce(scale, 0)) WHERE state = 'proposed'`,
  `CREATE INDEX site_proposals_by_site ON site_proposals (site_id, subject, id)`,
  // What happened to alerts in narrow rows, which reports read by the thousand: the rows of `alerts` are JSON of
  // some kilobytes. `priority` is the most urgent that the alert had, `acknowledged_at` and `accepted_at` the first
  // time that was not taken back, `highest_step` the last step that was asked (null: none).
  `CREATE TABLE alert_history (
    site_id {int} NOT NULL, raised_at {int} NOT NULL, alert_id {int} NOT NULL, patient_id {int},
    parameter TEXT NOT NULL, rule TEXT NOT NULL, priority TEXT NOT NULL, closed_at {int},
    is_retrospective {int} NOT NULL, acknowledged_at {int}, acknowledgements {int} NOT NULL DEFAULT 0,
    accepted_at {int}, acceptances {int} NOT NULL DEFAULT 0, highest_step {int},
    PRIMARY KEY (site_id, raised_at, alert_id)) {clustered}`,
  `CREATE UNIQUE INDEX alert_history_by_alert ON alert_history (alert_id)`,
  `CREATE INDEX alert_history_by_patient ON alert_history (patient_id, raised_at, alert_id)`,
  `CREATE INDEX alert_history_by_patient_and_id ON alert_history (patient_id, alert_id)`,
  // Who did something to an alert.
  `CREATE TABLE alert_actors (
    user_id {int} NOT NULL, alert_id {int} NOT NULL, PRIMARY KEY (user_id, alert_id)) {clustered}`,
  // When a patient was here.
  `CREATE TABLE patient_stays (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), started_at {int} NOT NULL,
    ended_at {int})`,
  `CREATE UNIQUE INDEX patient_stays_open ON patient_stays (site_id, patient_id) WHERE ended_at IS NULL`,
  `CREATE INDEX patient_stays_by_end ON patient_stays (site_id, ended_at)`,
  // Notes. A signed text never changes: what is said later about it are rows of `note_entries`.
  `CREATE TABLE notes (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
    author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL, client_id TEXT NOT NULL,
    type TEXT NOT NULL, text TEXT NOT NULL, alert_ids TEXT NOT NULL, event_at {int} NOT NULL,
    written_at {int} NOT NULL, signed_at {int}, in_error {int} NOT NULL DEFAULT 0, moved_to {int}, moved_from {int},
    version {int} NOT NULL DEFAULT 1, changed_at {int} NOT NULL, changed_by {int} NOT NULL,
    UNIQUE (author_id, client_id))`,
  `CREATE INDEX notes_by_patient ON notes (patient_id, event_at, id)`,
  `CREATE TABLE note_entries (
    id {id}, note_id {int} NOT NULL REFERENCES notes (id), kind TEXT NOT NULL, text TEXT NOT NULL,
    reason TEXT NOT NULL, author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL,
    client_id TEXT NOT NULL, added_at {int} NOT NULL, UNIQUE (note_id, author_id, client_id))`,
  `CREATE TABLE note_reads (
    note_id {int} NOT NULL REFERENCES notes (id), user_id {int} NOT NULL, version {int} NOT NULL,
    read_at {int} NOT NULL, PRIMARY KEY (note_id, user_id)) {clustered}`,
  // Handoffs. Of a patient one is written at a time; what is to be done outlives the handoff that named it.
  `CREATE TABLE handoffs (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
    state TEXT NOT NULL, severity TEXT, summary TEXT NOT NULL, contingencies TEXT NOT NULL, receiver_id {int},
    receiver_role TEXT, carried_from {int}, reviewed_at {int}, facts TEXT, giver_id {int} REFERENCES users (id),
    giver_type TEXT, given_at {int}, received_by {int} REFERENCES users (id), received_at {int}, read_back TEXT,
    question TEXT, returned_by {int}, created_at {int} NOT NULL, created_by {int} NOT NULL REFERENCES users (id),
    changed_at {int} NOT NULL, changed_by {int} NOT NULL, version {int} NOT NULL DEFAULT 1, returned_at {int})`,
  `CREATE INDEX handoffs_by_patient ON handoffs (patient_id, id)`,
  `CREATE INDEX handoffs_by_state ON handoffs (state, site_id)`,
  `CREATE UNIQUE INDEX handoffs_written ON handoffs (patient_id) WHERE state = 'draft'`,
  `CREATE TABLE handoff_actions (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id),
    handoff_id {int} NOT NULL REFERENCES handoffs (id), text TEXT NOT NULL, owner_id {int}, owner_role TEXT,
    due_at {int}, done_at {int}, done_by {int})`,
  `CREATE INDEX handoff_actions_by_patient ON handoff_actions (patient_id, done_at)`,
  `CREATE INDEX handoff_actions_by_handoff ON handoff_actions (handoff_id)`,
  // Who follows whom, and what they saw there last: ids, which no step of the clock moves.
  `CREATE TABLE patient_follows (
    user_id {int} NOT NULL REFERENCES users (id), patient_id {int} NOT NULL REFERENCES patients (id),
    followed_at {int} NOT NULL, seen_alert_id {int} NOT NULL, seen_handoff_id {int} NOT NULL, seen_handoff_result TEXT,
    PRIMARY KEY (user_id, patient_id)) {clustered}`,
  // Issue reports. The list is read from its index alone, and a tick asks only for those that alarm.
  `CREATE TABLE issue_reports (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), reported_at {int} NOT NULL, status TEXT NOT NULL,
    kind TEXT NOT NULL, severity TEXT NOT NULL, unit_id {int} REFERENCES units (id),
    patient_id {int} REFERENCES patients (id), assignee_id {int} REFERENCES users (id),
    author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL, client_id TEXT NOT NULL,
    is_reporter_hidden {int} NOT NULL, harm_physical TEXT, harm_psychological TEXT, bed TEXT,
    device_id {int} REFERENCES devices (id), is_quarantined {int}, occurred_at {int}, discovered_at {int},
    external_reference TEXT, alarm_at {int}, alarm_ended_at {int}, title TEXT NOT NULL, what_happened TEXT NOT NULL,
    expected TEXT NOT NULL, immediate_action TEXT NOT NULL, alert_ids TEXT NOT NULL, device TEXT, context TEXT,
    version {int} NOT NULL DEFAULT 1, others_version {int} NOT NULL DEFAULT 0, seen_version {int} NOT NULL DEFAULT 1,
    changed_at {int} NOT NULL, changed_by {int} NOT NULL, UNIQUE (author_id, client_id))`,
  `CREATE INDEX issue_reports_by_site ON issue_reports (
    site_id, reported_at, id, status, kind, severity, unit_id, patient_id, assignee_id, author_id)`,
  `CREATE INDEX issue_reports_alarming ON issue_reports (site_id, unit_id, alarm_at)
    WHERE alarm_at IS NOT NULL AND alarm_ended_at IS NULL`,
  `CREATE INDEX issue_reports_unseen ON issue_reports (author_id) WHERE others_version > seen_version`,
  `CREATE TABLE issue_report_entries (
    id {id}, report_id {int} NOT NULL REFERENCES issue_reports (id), version {int} NOT NULL, "is" TEXT NOT NULL,
    from_value TEXT, to_value TEXT, text TEXT, author_id {int} NOT NULL REFERENCES users (id), client_id TEXT,
    added_at {int} NOT NULL, UNIQUE (report_id, author_id, client_id))`,
  `CREATE INDEX issue_report_entries_by_report ON issue_report_entries (report_id, id)`,
  // Whom a note mentions, by id: a draft's too, which they do not see.
  `CREATE TABLE note_mentions (
    note_id {int} NOT NULL REFERENCES notes (id), user_id {int} NOT NULL REFERENCES users (id),
    PRIMARY KEY (note_id, user_id)) {clustered}`,
  `CREATE INDEX note_mentions_by_user ON note_mentions (user_id, note_id)`,
  // Patient charts: what people write, which never changes, and where patients were.
  `CREATE TABLE chart_entries (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
    section TEXT NOT NULL, value TEXT NOT NULL, source TEXT, effective_at {int},
    author_id {int} NOT NULL REFERENCES users (id), client_id TEXT NOT NULL, recorded_at {int} NOT NULL,
    replaces {int} REFERENCES chart_entries (id), reason TEXT, UNIQUE (author_id, client_id))`,
  `CREATE INDEX chart_entries_by_patient ON chart_entries (patient_id, id)`,
  `CREATE TABLE chart_marks (
    entry_id {int} NOT NULL REFERENCES chart_entries (id), is_error {int} NOT NULL, patient_id {int} NOT NULL,
    reason TEXT NOT NULL, marked_by {int} NOT NULL REFERENCES users (id), marked_at {int} NOT NULL,
    PRIMARY KEY (entry_id, is_error)) {clustered}`,
  `CREATE INDEX chart_marks_by_patient ON chart_marks (patient_id)`,
  `CREATE TABLE patient_moves (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), kind TEXT NOT NULL,
    moved_at {int} NOT NULL, moved_by {int} REFERENCES users (id), from_unit_id {int}, from_bed TEXT, to_unit_id {int},
    to_bed TEXT, recorded_at {int})`,
  `CREATE INDEX patient_moves_by_patient ON patient_moves (patient_id, id)`,
  `CREATE INDEX patient_moves_by_time ON patient_moves (moved_at)`,
  // Check-in from home: links, and requests for a call.
  `CREATE TABLE check_in_links (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), "for" TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE, created_at {int} NOT NULL, created_by {int} NOT NULL REFERENCES users (id),
    expires_at {int} NOT NULL, revoked_at {int}, revoked_by {int}, wrong_tries {int} NOT NULL DEFAULT 0,
    locked_at {int}, opened_at {int}, last_opened_at {int}, opened_on TEXT, opened_by TEXT, client_id TEXT,
    misused_at {int})`,
  `CREATE INDEX check_in_links_by_patient ON check_in_links (patient_id, id)`,
  `CREATE TABLE check_in_calls (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id),
    link_id {int} NOT NULL REFERENCES check_in_links (id), client_id TEXT NOT NULL, requested_at {int} NOT NULL,
    joined {int} NOT NULL DEFAULT 0, UNIQUE (link_id, client_id))`,
  `CREATE INDEX check_in_calls_by_patient ON check_in_calls (patient_id, requested_at)`,
  // What a patient reported at one time. `answers` are pairs of symptom and answer, sorted by name.
  `CREATE TABLE symptom_reports (
    id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reported_at {int} NOT NULL,
    recorded_at {int} NOT NULL, recorded_by {int} REFERENCES users (id), answers TEXT NOT NULL, breathlessness {int},
    mmrc {int}, red_flags TEXT NOT NULL, since_yesterday TEXT, source TEXT NOT NULL DEFAULT 'staff',
    link_id {int} REFERENCES check_in_links (id), client_id TEXT, readings TEXT NOT NULL DEFAULT '[]',
    in_error_at {int}, in_error_by {int} REFERENCES users (id), in_error_reason TEXT, readings_at {int},
    UNIQUE (link_id, client_id))`,
  // A report that was entered in error leaves its moment free for the right one.
  `CREATE UNIQUE INDEX symptom_reports_once ON symptom_reports (patient_id, reported_at, recorded_by)
    WHERE in_error_at IS NULL`,
  `CREATE INDEX symptom_reports_by_patient ON symptom_reports (patient_id, reported_at, id)`,
  `CREATE INDEX symptom_reports_by_time ON symptom_reports (recorded_at, patient_id)`,
  `CREATE INDEX symptom_reports_in_error ON symptom_reports (in_error_at) WHERE in_error_at IS NOT NULL`,
  // Wrong years of birth with their times, because they count within a window.
  `CREATE TABLE check_in_tries (
    id {id}, link_id {int} NOT NULL REFERENCES check_in_links (id), tried_at {int} NOT NULL)`,
  `CREATE INDEX check_in_tries_by_link ON check_in_tries (link_id, tried_at)`,
  `CREATE TABLE hl7_answers (
    id {id}, sender_id {int} NOT NULL REFERENCES hl7_senders (id), digest TEXT NOT NULL, answered_at {int} NOT NULL,
    answer {bytes} NOT NULL)`,
  `CREATE INDEX hl7_answers_by_message ON hl7_answers (sender_id, digest, answered_at)`,
  `CREATE INDEX hl7_answers_by_time ON hl7_answers (answered_at)`,
  // Which of our beds a sender's bed is: proposed by one person, confirmed by another. None is ever changed: it ends,
  // and a new one is proposed.
  `CREATE TABLE bed_mappings (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
    sender_bed TEXT NOT NULL, unit_id {int} NOT NULL REFERENCES units (id), bed TEXT NOT NULL,
    proposed_at {int} NOT NULL, proposed_by {int} NOT NULL REFERENCES users (id), confirmed_at {int},
    confirmed_by {int} REFERENCES users (id), ended_at {int}, ended_by {int} REFERENCES users (id), undone_at {int},
    undone_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int})`,
  `CREATE UNIQUE INDEX bed_mappings_open ON bed_mappings (sender_id, sender_bed) WHERE ended_at IS NULL`,
  // The alarms of devices, as the devices report them.
  `CREATE TABLE device_alarms (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
    device_id {int} NOT NULL REFERENCES devices (id), alarm_key TEXT NOT NULL, code TEXT NOT NULL, text TEXT NOT NULL,
    priority TEXT, is_technical {int} NOT NULL, inactivation TEXT, is_event {int} NOT NULL, started_at {int} NOT NULL,
    last_seen_at {int} NOT NULL, ended_at {int}, is_end_unknown {int} NOT NULL DEFAULT 0)`,
  `CREATE INDEX device_alarms_by_key ON device_alarms (device_id, alarm_key, started_at)`,
  `CREATE INDEX device_alarms_by_end ON device_alarms (ended_at)`,
  `CREATE INDEX device_alarms_of_patient ON device_alarms (patient_id, ended_at)`,
  // Values that came by a bed alone are corrected where a move is entered late, or a mapping was wrong.
  `CREATE TABLE bed_corrections (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
    sender_bed TEXT NOT NULL, unit_id {int} REFERENCES units (id), bed TEXT, since {int} NOT NULL, until {int},
    made_at {int} NOT NULL, made_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int})`,
  `CREATE INDEX bed_corrections_open ON bed_corrections (id) WHERE done_at IS NULL`,
  // What the codes of senders mean that no built-in table has. Values of each mapping have sources of their own.
  `CREATE TABLE code_mappings (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
    code_id TEXT NOT NULL, code_text TEXT NOT NULL, code_system TEXT NOT NULL, kind TEXT NOT NULL,
    is_unitless {int} NOT NULL, proposed_at {int} NOT NULL, proposed_by {int} NOT NULL REFERENCES users (id),
    confirmed_at {int}, confirmed_by {int} REFERENCES users (id), ended_at {int}, ended_by {int} REFERENCES users (id),
    undone_at {int}, undone_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int}, earlier_read_at {int},
    earlier_result TEXT)`,
  `CREATE UNIQUE INDEX code_mappings_open ON code_mappings (sender_id, code_id, code_text, code_system)
    WHERE ended_at IS NULL`,
  // What came under a code before it was mapped is read again from the kept messages: whose values they are, and
  // between which days.
  `CREATE TABLE earlier_values (
    mapping_id {int} NOT NULL REFERENCES code_mappings (id), patient_id {int} NOT NULL REFERENCES patients (id),
    first_day {int} NOT NULL, last_day {int} NOT NULL, PRIMARY KEY (mapping_id, patient_id))`,
  // Releases of values that were held because the patient of their bed had just changed. What was held is found by
  // its rows of quarantine.
  `CREATE TABLE bed_releases (
    id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
    unit_id {int} NOT NULL REFERENCES units (id), bed TEXT NOT NULL, change TEXT NOT NULL, moved_at {int} NOT NULL,
    at {int} NOT NULL, released_at {int} NOT NULL, released_by {int} NOT NULL REFERENCES users (id),
    again {int} NOT NULL, taken_back_at {int}, taken_back_by {int} REFERENCES users (id), withdrawn_at {int},
    done_at {int}, first_day {int}, last_day {int}, read_at {int}, result TEXT)`,
  `CREATE INDEX bed_releases_of_patient ON bed_releases (patient_id, moved_at)`,
  `CREATE INDEX bed_releases_in_force ON bed_releases (moved_at) WHERE taken_back_at IS NULL`,
  `CREATE INDEX bed_releases_unread ON bed_releases (id) WHERE read_at IS NULL`,
  `CREATE INDEX bed_releases_wrong ON bed_releases (id) WHERE taken_back_at IS NOT NULL AND done_at IS NULL`,
];
