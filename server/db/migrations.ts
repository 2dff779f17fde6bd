import type { Engine } from './engine';
import { firstSchema } from './firstSchema';

/** A step from one version of the schema to the next. */
export interface Migration {
  version: number;
  /**
   * One statement each. `{id}`, `{int}`, `{real}` and `{bytes}` are replaced by the engine's own types, `{clustered}`
   * by SQLite's WITHOUT ROWID, `{json}` by what has `->>`.
   */
  statements: string[];
  /** Statements that only one engine knows. */
  only?: Partial<Record<Engine, string[]>>;
}

/**
 * Forward only. A released migration is never edited: the next one corrects it. The schema of the first release is of
 * version 38; stores of development before it, of 1 to 37, are refused.
 */
export const migrations: readonly [Migration, ...Migration[]] = [
  {
    version: 38,
    statements: firstSchema,
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
        `CREATE TRIGGER chart_entries_keep_rows BEFORE DELETE ON chart_entries
          BEGIN SELECT RAISE(ABORT, 'a chart is append-only'); END`,
        `CREATE TRIGGER chart_entries_keep_words
          BEFORE UPDATE OF patient_id, section, value, source, author_id, client_id, replaces, reason ON chart_entries
          BEGIN SELECT RAISE(ABORT, 'a chart is append-only'); END`,
        `CREATE TRIGGER chart_marks_keep_rows BEFORE DELETE ON chart_marks
          BEGIN SELECT RAISE(ABORT, 'a chart is append-only'); END`,
        `CREATE TRIGGER chart_marks_keep_words
          BEFORE UPDATE OF entry_id, is_error, patient_id, reason, marked_by ON chart_marks
          BEGIN SELECT RAISE(ABORT, 'a chart is append-only'); END`,
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
        `CREATE FUNCTION charts_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'a chart is append-only'; END $$`,
        `CREATE TRIGGER chart_entries_keep_rows BEFORE DELETE OR TRUNCATE ON chart_entries
          FOR EACH STATEMENT EXECUTE FUNCTION charts_are_append_only()`,
        `CREATE TRIGGER chart_entries_keep_words
          BEFORE UPDATE OF patient_id, section, value, source, author_id, client_id, replaces, reason ON chart_entries
          FOR EACH STATEMENT EXECUTE FUNCTION charts_are_append_only()`,
        `CREATE TRIGGER chart_marks_keep_rows BEFORE DELETE OR TRUNCATE ON chart_marks
          FOR EACH STATEMENT EXECUTE FUNCTION charts_are_append_only()`,
        `CREATE TRIGGER chart_marks_keep_words
          BEFORE UPDATE OF entry_id, is_error, patient_id, reason, marked_by ON chart_marks
          FOR EACH STATEMENT EXECUTE FUNCTION charts_are_append_only()`,
      ],
    },
  },
  {
    // What people withdraw: a set that was typed in for the wrong patient, or what a device sent that was on one.
    version: 39,
    statements: [
      `CREATE TABLE withdrawals (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
        source {int} NOT NULL, taken_at {int}, since {int} NOT NULL, until {int} NOT NULL,
        made_at {int} NOT NULL, made_by {int} NOT NULL REFERENCES users (id), reason TEXT NOT NULL,
        withdrawn_at {int}, done_at {int})`,
      `CREATE INDEX withdrawals_left ON withdrawals (id) WHERE done_at IS NULL`,
      `ALTER TABLE device_assignments ADD COLUMN wrong_at {int}`,
      `ALTER TABLE sites ADD COLUMN rapid_response_number TEXT`,
    ],
  },
  {
    // One table for what one person proposes and another approves: `about` says what of `object_id`. `held` and
    // `wanted` are JSON. The ids stay: escalation times are based on them.
    version: 40,
    statements: [
      `CREATE TABLE proposals (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), kind TEXT NOT NULL, object_id {int} NOT NULL,
        about TEXT NOT NULL, held TEXT NOT NULL, wanted TEXT NOT NULL, based_on {int}, reason TEXT NOT NULL,
        proposed_at {int} NOT NULL, proposed_by {int} NOT NULL REFERENCES users (id), expires_at {int},
        state TEXT NOT NULL, decided_at {int}, decided_by {int} REFERENCES users (id),
        decision_reason TEXT NOT NULL DEFAULT '')`,
      `INSERT INTO proposals
        SELECT id, site_id, subject, site_id,
          CASE WHEN rule IS NULL THEN subject WHEN scale IS NULL THEN rule ELSE rule || ' ' || scale END, held,
          CASE WHEN rule IS NULL THEN wanted ELSE '{"rule":"' || rule || '","scale":'
            || coalesce(CAST(scale AS TEXT), 'null') || ',' || substr(wanted, 2) END,
          based_on, reason, proposed_at, proposed_by, expires_at, state, decided_at, decided_by, decision_reason
        FROM site_proposals`,
      `DROP TABLE site_proposals`,
      `CREATE UNIQUE INDEX proposals_open ON proposals (site_id, kind, object_id, about) WHERE state = 'proposed'`,
      `CREATE INDEX proposals_by_site ON proposals (site_id, kind, id)`,
    ],
    only: {
      postgres: [
        `SELECT setval(pg_get_serial_sequence('proposals', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL)
          FROM proposals`,
      ],
    },
  },
  {
    // Units of gateways and accounts are proposals too. When the units were proposed is not known.
    version: 41,
    statements: [
      `INSERT INTO proposals (site_id, kind, object_id, about, held, wanted, reason, proposed_at, proposed_by, state)
        SELECT site_id, 'gateway', id, 'units', 'null', gateway_proposal, '', created_at,
          CAST(CAST(gateway_proposal AS {json}) ->> 'by' AS {int}), 'proposed'
        FROM devices
        WHERE gateway_proposal LIKE '{"units":[%],"by":%}' AND gateway_proposal NOT LIKE '%"by":null}'`,
      `ALTER TABLE devices DROP COLUMN gateway_proposal`,
      `INSERT INTO proposals (site_id, kind, object_id, about, held, wanted, reason, proposed_at, proposed_by, state)
        SELECT site_id, 'account', id, '', 'null', 'null', '', unconfirmed_since, coalesce(opened_by, id), 'proposed'
        FROM users WHERE unconfirmed_since IS NOT NULL`,
      `ALTER TABLE users DROP COLUMN opened_by`,
    ],
  },
  {
    // Samples are stored in the minute of their time by our clock.
    version: 42,
    statements: [`ALTER TABLE latest_values ADD COLUMN minute {int}`],
  },
  {
    // What was read again from kept messages is noted by its source: a day or a source too many is looked at in vain.
    // One table says that the values of a bed are looked at again, whatever it is for.
    version: 43,
    statements: [
      `CREATE TABLE earlier_days (
        device_id {int} NOT NULL REFERENCES devices (id), patient_id {int} NOT NULL REFERENCES patients (id),
        day {int} NOT NULL, PRIMARY KEY (device_id, patient_id, day)) {clustered}`,
      `INSERT INTO earlier_days
        WITH RECURSIVE days (device_id, patient_id, day, last_day) AS (
          SELECT device_id, patient_id, first_day, last_day FROM (
            SELECT d.id AS device_id, e.patient_id, e.first_day, e.last_day
            FROM earlier_values e JOIN devices d ON d.code_mapping_id = e.mapping_id
            WHERE d.source_key LIKE 'earlier %'
            UNION ALL
            SELECT d.id AS device_id, r.patient_id, r.first_day, r.last_day
            FROM bed_releases r JOIN bed_mappings m ON m.site_id = r.site_id AND m.unit_id = r.unit_id
              JOIN devices d ON d.bed_mapping_id = m.id
            WHERE d.source_key LIKE 'earlier %' AND r.last_day IS NOT NULL) AS known
          UNION
          SELECT device_id, patient_id, day + 1, last_day FROM days WHERE day < last_day)
        SELECT DISTINCT device_id, patient_id, day FROM days`,
      `DROP TABLE earlier_values`,
      `ALTER TABLE code_mappings ADD COLUMN earlier_progress TEXT`,
      `CREATE TABLE bed_replays (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), unit_id {int} NOT NULL REFERENCES units (id),
        bed TEXT NOT NULL, since {int} NOT NULL, made_at {int} NOT NULL, made_by {int} REFERENCES users (id),
        withdrawn_at {int}, done_at {int})`,
      `CREATE INDEX bed_replays_open ON bed_replays (id) WHERE done_at IS NULL`,
      `INSERT INTO bed_replays (site_id, unit_id, bed, since, made_at, made_by)
        SELECT site_id, unit_id, bed, min(since), made_at, made_by FROM bed_corrections
        WHERE done_at IS NULL AND unit_id IS NOT NULL AND bed IS NOT NULL
        GROUP BY site_id, unit_id, bed, made_at, made_by`,
      `INSERT INTO bed_replays (site_id, unit_id, bed, since, made_at, made_by)
        SELECT site_id, unit_id, bed, moved_at, taken_back_at, taken_back_by FROM bed_releases
        WHERE taken_back_at IS NOT NULL AND done_at IS NULL`,
      `DROP TABLE bed_corrections`,
      `DROP INDEX bed_releases_wrong`,
      ...['first_day', 'last_day', 'withdrawn_at', 'done_at'].map(
        (column) => `ALTER TABLE bed_releases DROP COLUMN ${column}`,
      ),
    ],
  },
  {
    // Settings of HL7 senders that two people answer. Those of before keep theirs, as version 1, since now.
    version: 44,
    statements: [
      `ALTER TABLE hl7_senders ADD COLUMN settings TEXT`,
      `ALTER TABLE hl7_senders ADD COLUMN settings_version {int} NOT NULL DEFAULT 1`,
      `ALTER TABLE hl7_senders ADD COLUMN settings_at {int}`,
    ],
    only: {
      sqlite: [`UPDATE hl7_senders SET settings_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000`],
      postgres: [`UPDATE hl7_senders SET settings_at = CAST(extract(epoch FROM now()) AS BIGINT) * 1000`],
    },
  },
  {
    // That what was quarantined is read again by the settings of its sender.
    version: 45,
    statements: [`ALTER TABLE hl7_senders ADD COLUMN settings_replay TEXT`],
  },
  {
    // The move itself says that its values are released. A release of less than that, or of the end of a stay, counts
    // no more; what came by it stays until a late move has the bed judged again.
    version: 46,
    statements: [
      ...['released_at {int}', 'released_by {int} REFERENCES users (id)', 'held_read_at {int}'].map(
        (column) => `ALTER TABLE patient_moves ADD COLUMN ${column}`,
      ),
      `UPDATE patient_moves AS m SET (released_at, released_by, held_read_at) = (
        SELECT max(r.released_at), max(r.released_by), max(r.read_at) FROM bed_releases AS r WHERE r.change = 'begin'
          AND r.patient_id = m.patient_id AND r.moved_at = m.moved_at AND r.at = m.moved_at AND taken_back_at IS NULL)`,
      `CREATE INDEX patient_moves_unread ON patient_moves (id) WHERE released_at IS NOT NULL AND held_read_at IS NULL`,
      `DROP TABLE bed_releases`,
    ],
  },
];
