import { sql, type Kysely } from 'kysely';
import type { Engine } from './engine';
import type { Database } from './schema';

interface Migration {
  version: number;
  /**
   * One statement each. `{id}`, `{int}`, `{real}` and `{bytes}` are replaced by the engine's own types, `{clustered}`
   * by SQLite's WITHOUT ROWID.
   */
  statements: string[];
  /** Statements that only one engine knows. */
  only?: Partial<Record<Engine, string[]>>;
}

/**
 * Returns SQL that replaces keys and values of the JSON in a column. Each part includes its quotes: text that a user
 * wrote cannot match, because quotes in it are escaped.
 */
function replaced(column: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, column);
}

function withNewKeys(column: string, names: Record<string, string>): string {
  return replaced(column, Object.fromEntries(Object.entries(names).map(([from, to]) => [`"${from}":`, `"${to}":`])));
}

/** Returns the statements that run `update` on the log of alerts, which is otherwise append-only. */
function onAlertEvents(update: string): Record<Engine, string[]> {
  return {
    sqlite: [
      `DROP TRIGGER alert_events_keep_words`,
      update,
      `CREATE TRIGGER alert_events_keep_words BEFORE UPDATE ON alert_events
        BEGIN SELECT RAISE(ABORT, 'the log of an alert is append-only'); END`,
    ],
    postgres: [
      `ALTER TABLE alert_events DISABLE TRIGGER alert_events_keep_words`,
      update,
      `ALTER TABLE alert_events ENABLE TRIGGER alert_events_keep_words`,
    ],
  };
}

/** Forward only. A released migration is never edited: the next one corrects it. */
const migrations: Migration[] = [
  {
    version: 1,
    statements: [
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
    ],
    only: {
      sqlite: [
        `CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
        `CREATE TRIGGER audit_keeps_words BEFORE UPDATE ON audit
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
        // REPLACE removes a row without firing SQLite's DELETE trigger.
        `CREATE TRIGGER audit_keeps_places BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
        `CREATE TRIGGER alert_events_keep_rows BEFORE DELETE ON alert_events WHEN OLD.site_id <> 0
          BEGIN SELECT RAISE(ABORT, 'the log of an alert is append-only'); END`,
        `CREATE TRIGGER alert_events_keep_words BEFORE UPDATE ON alert_events
          BEGIN SELECT RAISE(ABORT, 'the log of an alert is append-only'); END`,
        `CREATE TRIGGER alert_events_keep_places BEFORE INSERT ON alert_events
          WHEN EXISTS (SELECT 1 FROM alert_events WHERE id = NEW.id)
          BEGIN SELECT RAISE(ABORT, 'the log of an alert is append-only'); END`,
      ],
      postgres: [
        `CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$`,
        `CREATE TRIGGER audit_keeps_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
          FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()`,
        `CREATE FUNCTION alert_events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'the log of an alert is append-only'; END $$`,
        `CREATE TRIGGER alert_events_keep_rows BEFORE DELETE ON alert_events
          FOR EACH ROW WHEN (OLD.site_id <> 0) EXECUTE FUNCTION alert_events_are_append_only()`,
        `CREATE TRIGGER alert_events_keep_words BEFORE UPDATE OR TRUNCATE ON alert_events
          FOR EACH STATEMENT EXECUTE FUNCTION alert_events_are_append_only()`,
      ],
    },
  },
  {
    // Renames priority and escalation step of an alert to the API's names.
    version: 2,
    statements: [
      `ALTER TABLE alerts RENAME COLUMN level TO priority`,
      `UPDATE alerts SET facts = ${withNewKeys('facts', {
        level: 'priority',
        conditionLevel: 'conditionPriority',
        hops: 'escalationStep',
        askedAt: 'escalationStartedAt',
      })}`,
      `UPDATE watches SET memory = ${withNewKeys('memory', { level: 'priority' })}`,
    ],
    only: onAlertEvents(`UPDATE alert_events SET event = ${withNewKeys('event', { level: 'priority', hop: 'step' })}`),
  },
  {
    // Renames rule states, alert changes and retrospective work to the terms of docs/words.md.
    version: 3,
    statements: [
      `ALTER TABLE watches RENAME TO rule_states`,
      `ALTER TABLE rule_states RENAME COLUMN memory TO state`,
      `ALTER TABLE pasts_to_judge RENAME TO retrospective_queue`,
      `UPDATE rule_states SET state = ${replaced('state', {
        '"tracks":': '"streams":',
        '"begunAt":': '"resetAt":',
        '"combo":': '"news2Aggregate":',
        '"rule":"combo"': '"rule":"news2.aggregate"',
        '"phase":"told"': '"phase":"raised"',
      })}`,
      `UPDATE alerts SET rule = 'news2.aggregate' WHERE rule = 'combo'`,
      `UPDATE alerts SET facts = ${replaced('facts', {
        '"toldAt":': '"ruleRaisedAt":',
        '"rule":"combo"': '"rule":"news2.aggregate"',
      })}`,
    ],
    only: onAlertEvents(
      `UPDATE alert_events SET event = ${replaced('event', {
        '"is":"worsened"': '"is":"upgraded"',
        '"is":"eased"': '"is":"downgraded"',
        '"rule":"combo"': '"rule":"news2.aggregate"',
      })}`,
    ),
  },
  {
    // Patients refer to a unit by its id, no longer by its name. A unit that is retired keeps its row, because
    // discharged patients still refer to it.
    version: 4,
    statements: [
      `ALTER TABLE units ADD COLUMN retired_at {int}`,
      `ALTER TABLE units ADD COLUMN version {int} NOT NULL DEFAULT 1`,
      `DROP INDEX units_by_name`,
      `CREATE UNIQUE INDEX units_by_name ON units (site_id, lower(name)) WHERE retired_at IS NULL`,
      // A name that has no unit: the unit is in use if an active patient is in it, else it was deleted.
      `INSERT INTO units (site_id, name, created_at, retired_at)
        SELECT p.site_id, min(p.unit), min(p.created_at),
          CASE WHEN sum(CASE WHEN p.state = 'active' THEN 1 ELSE 0 END) > 0 THEN NULL ELSE max(p.updated_at) END
        FROM patients p
        WHERE p.unit IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM units u WHERE u.site_id = p.site_id AND lower(u.name) = lower(p.unit))
        GROUP BY p.site_id, lower(p.unit)`,
      `ALTER TABLE patients ADD COLUMN unit_id {int} REFERENCES units (id)`,
      `UPDATE patients SET unit_id =
        (SELECT u.id FROM units u WHERE u.site_id = patients.site_id AND lower(u.name) = lower(patients.unit))`,
      `CREATE INDEX patients_by_unit ON patients (unit_id)`,
      `ALTER TABLE patients DROP COLUMN unit`,
    ],
  },
  {
    // A standby that goes on from another one, and patients to whom NEWS2 does not apply: the mark is with the patient,
    // the table says who set it, when and why.
    version: 5,
    statements: [
      `ALTER TABLE standbys ADD COLUMN is_renewal {int} NOT NULL DEFAULT 0`,
      `ALTER TABLE patients ADD COLUMN news2_exempt_for TEXT`,
      `CREATE TABLE news2_exemptions (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), because TEXT NOT NULL,
        reason TEXT NOT NULL, set_at {int} NOT NULL, set_by {int} NOT NULL REFERENCES users (id), ended_at {int},
        ended_by {int})`,
      `CREATE INDEX news2_exemptions_by_patient ON news2_exemptions (patient_id, id)`,
      `CREATE INDEX standbys_by_patient ON standbys (patient_id, id)`,
    ],
  },
  {
    // The escalation becomes one structure with its own clock, and asked steps name their roles. What an open alert has
    // asked since it was raised last is taken from its log. A row that is no JSON stays as it is: a start shows it.
    version: 6,
    statements: [],
    only: {
      sqlite: [
        ...onAlertEvents(
          `UPDATE alert_events SET event = json_set(event, '$.to.roles', json('[]'))
            WHERE CASE WHEN json_valid(event) THEN json_extract(event, '$.is') = 'asked' ELSE FALSE END`,
        ).sqlite,
        `UPDATE alerts SET facts = json_set(facts, '$.responsibility.unitId',
            (SELECT unit_id FROM patients WHERE patients.id = alerts.patient_id))
          WHERE CASE WHEN json_valid(facts) THEN json_extract(facts, '$.responsibility.is') = 'accepted'
            ELSE FALSE END`,
        `UPDATE alerts SET facts = json_set(
            json_remove(facts, '$.escalationStartedAt', '$.escalationStep'),
            '$.lastRaisedAt', json_extract(facts, '$.escalationStartedAt'),
            '$.downgradedAt', NULL,
            '$.unconfirmedUntil', NULL,
            '$.escalation', json_object(
              'startedAt', raised_at, 'priority', priority, 'step', json_extract(facts, '$.escalationStep'),
              'runsSince', NULL, 'leftMs', json('{"high":null,"medium":null,"low":null}'), 'raises', json('[]'),
              'ownerAskedAt', NULL, 'answerBy', NULL,
              'asked', json(CASE WHEN closed_at IS NULL THEN (
                SELECT json_group_array(json(line)) FROM (
                  SELECT json_object('priority', priority, 'step', json_extract(event, '$.step'), 'at', at,
                    'to', json_extract(event, '$.to')) AS line
                  FROM alert_events
                  WHERE alert_id = alerts.id
                    AND CASE WHEN json_valid(event) THEN json_extract(event, '$.is') = 'asked' ELSE FALSE END
                    AND at >= json_extract(facts, '$.escalationStartedAt')
                  ORDER BY alert_events.id)) ELSE '[]' END)))
          WHERE json_valid(facts)`,
      ],
      postgres: [
        `CREATE FUNCTION pg_temp.is_object(words TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS
          $$ BEGIN RETURN jsonb_typeof(words::jsonb) = 'object'; EXCEPTION WHEN others THEN RETURN FALSE; END $$`,
        ...onAlertEvents(
          `UPDATE alert_events SET event = jsonb_set(event::jsonb, '{to,roles}', '[]')::text
            WHERE CASE WHEN pg_temp.is_object(event) THEN event::jsonb ->> 'is' = 'asked' ELSE FALSE END`,
        ).postgres,
        `UPDATE alerts SET facts = jsonb_set(facts::jsonb, '{responsibility,unitId}', coalesce(
            (SELECT to_jsonb(unit_id) FROM patients WHERE patients.id = alerts.patient_id), 'null'))::text
          WHERE CASE WHEN pg_temp.is_object(facts) THEN facts::jsonb #>> '{responsibility,is}' = 'accepted'
            ELSE FALSE END`,
        `UPDATE alerts SET facts = (facts::jsonb - 'escalationStartedAt' - 'escalationStep' || jsonb_build_object(
            'lastRaisedAt', facts::jsonb -> 'escalationStartedAt',
            'downgradedAt', NULL,
            'unconfirmedUntil', NULL,
            'escalation', jsonb_build_object(
              'startedAt', raised_at, 'priority', priority, 'step', facts::jsonb -> 'escalationStep',
              'runsSince', NULL, 'leftMs', '{"high":null,"medium":null,"low":null}'::jsonb, 'raises', '[]'::jsonb,
              'ownerAskedAt', NULL, 'answerBy', NULL,
              'asked', CASE WHEN closed_at IS NULL THEN coalesce((
                SELECT jsonb_agg(jsonb_build_object('priority', priority, 'step', event::jsonb -> 'step', 'at', at,
                    'to', event::jsonb -> 'to') ORDER BY alert_events.id)
                  FROM alert_events
                  WHERE alert_id = alerts.id
                    AND CASE WHEN pg_temp.is_object(event) THEN event::jsonb ->> 'is' = 'asked' ELSE FALSE END
                    AND at >= (facts::jsonb ->> 'escalationStartedAt')::numeric), '[]') ELSE '[]' END)))::text
          WHERE pg_temp.is_object(facts)`,
        `DROP FUNCTION pg_temp.is_object(TEXT)`,
      ],
    },
  },
  {
    // An alert that cannot be read keeps its row, and leaves its place to a new one.
    version: 7,
    statements: [
      `ALTER TABLE alerts ADD COLUMN unreadable_at {int}`,
      `DROP INDEX alerts_one_open`,
      `CREATE UNIQUE INDEX alerts_one_open ON alerts (coalesce(patient_id, -1), coalesce(device_id, -1), parameter)
        WHERE closed_at IS NULL AND unreadable_at IS NULL`,
    ],
  },
  {
    // The offset of a device's clock survives a restart.
    version: 8,
    statements: [`ALTER TABLE devices ADD COLUMN clock_offset_ms {int}`],
  },
  {
    // What one user proposes for all alerts of a site, and another approves. `held` and `wanted` are JSON.
    version: 9,
    statements: [
      `CREATE TABLE site_proposals (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), subject TEXT NOT NULL, rule TEXT, scale {int},
        held TEXT NOT NULL, wanted TEXT NOT NULL, based_on {int}, reason TEXT NOT NULL, proposed_at {int} NOT NULL,
        proposed_by {int} NOT NULL REFERENCES users (id), expires_at {int} NOT NULL, state TEXT NOT NULL,
        decided_at {int}, decided_by {int} REFERENCES users (id), decision_reason TEXT NOT NULL DEFAULT '')`,
      `CREATE UNIQUE INDEX site_proposals_open
        ON site_proposals (site_id, subject, coalesce(rule, ''), coalesce(scale, 0)) WHERE state = 'proposed'`,
      `CREATE INDEX site_proposals_by_site ON site_proposals (site_id, subject, id)`,
      `ALTER TABLE alert_limits ADD COLUMN approved_by {int} REFERENCES users (id)`,
    ],
  },
  {
    // One active patient a bed. Patients who share one already stay there and are marked, so that the server starts:
    // their next move unmarks them.
    version: 10,
    statements: [
      `ALTER TABLE sites ADD COLUMN date_order TEXT NOT NULL DEFAULT 'day_first'`,
      `ALTER TABLE patients ADD COLUMN shares_bed {int} NOT NULL DEFAULT 0`,
      `UPDATE patients SET shares_bed = 1
        WHERE state = 'active' AND unit_id IS NOT NULL AND bed IS NOT NULL AND EXISTS (
          SELECT 1 FROM patients AS earlier
          WHERE earlier.state = 'active' AND earlier.unit_id = patients.unit_id AND earlier.id < patients.id
            AND lower(earlier.bed) = lower(patients.bed))`,
      `CREATE UNIQUE INDEX patients_one_a_bed ON patients (unit_id, lower(bed))
        WHERE state = 'active' AND shares_bed = 0`,
    ],
  },
];

const types: Record<Engine, Record<string, string>> = {
  sqlite: {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    int: 'INTEGER',
    real: 'REAL',
    bytes: 'BLOB',
    clustered: 'WITHOUT ROWID',
  },
  postgres: {
    id: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    int: 'BIGINT',
    real: 'DOUBLE PRECISION',
    bytes: 'BYTEA',
    clustered: '',
  },
};

function inWords(engine: Engine, statement: string): string {
  return statement.replace(/\{(\w+)\}/g, (_, name: string) => types[engine][name] ?? '');
}

/** The schema version of this release. */
export const newestSchemaVersion = migrations.at(-1)?.version ?? 0;

const versionsTable = `CREATE TABLE IF NOT EXISTS schema_versions (
  version {int} PRIMARY KEY, applied_at TEXT NOT NULL)`;

function statementsOf(migration: Migration, engine: Engine): string[] {
  return [...migration.statements, ...(migration.only?.[engine] ?? [])].map((statement) => inWords(engine, statement));
}

/** Returns the statements that create the tables of a schema version, for a restore: its data hold the version rows. */
export function schemaStatements(engine: Engine, version: number): string[] {
  const until = migrations.filter((migration) => migration.version <= version);
  return [inWords(engine, versionsTable), ...until.flatMap((migration) => statementsOf(migration, engine))];
}

/**
 * Migrates the store to the newest schema and returns its version. Each migration and its version row are one
 * transaction. Throws if a newer Wardlight made the store: an old program must not write to it.
 */
export async function migrate(db: Kysely<Database>, engine: Engine): Promise<number> {
  await sql.raw(inWords(engine, versionsTable)).execute(db);
  const { rows } = await sql<{ version: number | null }>`SELECT max(version) AS version FROM schema_versions`.execute(
    db,
  );
  const current = rows[0]?.version ?? 0;
  if (current > newestSchemaVersion) {
    throw new Error(
      `The data are of schema version ${current}, this Wardlight knows ${newestSchemaVersion}: start a newer Wardlight`,
    );
  }
  for (const migration of migrations.filter(({ version }) => version > current)) {
    await db.transaction().execute(async (transaction) => {
      for (const statement of statementsOf(migration, engine)) {
        await sql.raw(statement).execute(transaction);
      }
      await sql`INSERT INTO schema_versions (version, applied_at)
        VALUES (${migration.version}, CURRENT_TIMESTAMP)`.execute(transaction);
    });
  }
  return newestSchemaVersion;
}
