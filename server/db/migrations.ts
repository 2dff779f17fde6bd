import type { Engine } from './engine';
import { firstSchema } from './firstSchema';

/** A step from one version of the schema to the next. */
export interface Migration {
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

/** Returns SQL: whether the log of a row of `alerts` has a line with all of these parts (see `replaced`). */
function hasLine(...parts: string[]): string {
  const conditions = parts.map((part) => `${closeSet('event')} LIKE '%${part}%'`).join(' AND ');
  return `EXISTS (SELECT 1 FROM alert_events WHERE alert_id = alerts.id AND ${conditions})`;
}

/** PostgreSQL wrote some lines with a space after each colon, and with the step as their last part (version 6). */
const closeSet = (column: string): string => `replace(${column}, '": ', '":')`;
const hasStep = (step: number): string =>
  [',', '}'].map((after) => hasLine(`"is":"asked"`, `"step":${step}${after}`)).join(' OR ');

/**
 * Returns two columns of SQL: when a row of `alerts` was first acknowledged or accepted by an action that was not taken
 * back, and how many of these there are. An action is taken back by the next line of its kind.
 */
function firstThatStood(act: string, withdrawal: string): string {
  const is = (table: string, name: string): string => `${closeSet(`${table}.event`)} LIKE '%"is":"${name}"%'`;
  const stood = `FROM alert_events AS act WHERE act.alert_id = alerts.id AND ${is('act', act)} AND NOT EXISTS (
    SELECT 1 FROM alert_events AS back WHERE back.alert_id = alerts.id AND back.id > act.id
      AND ${is('back', withdrawal)} AND NOT EXISTS (
        SELECT 1 FROM alert_events AS later WHERE later.alert_id = alerts.id AND later.id > act.id
          AND later.id < back.id AND ${is('later', act)}))`;
  return `(SELECT min(act.at) ${stood}), (SELECT count(*) ${stood})`;
}

/** Returns SQL that marks the devices that are gateways to be confirmed; `now`: SQL of epoch milliseconds. */
function gatewaysUntil(now: string): string {
  return `UPDATE devices SET gateway_until = ${now} + 1209600000
    WHERE sender_id IS NULL AND revoked_at IS NULL AND EXISTS (
      SELECT 1 FROM latest_values v WHERE v.device_id = devices.id
        AND v.received_at > (SELECT max(received_at) FROM latest_values) - 2592000000
        AND v.patient_id <> coalesce((SELECT a.patient_id FROM device_assignments a
          WHERE a.device_id = devices.id AND a.ended_at IS NULL), 0))`;
}

/** Forward only. A released migration is never edited: the next one corrects it. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
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
  {
    // What happened to alerts in narrow rows, which reports read by the thousand: the rows of `alerts` are JSON of
    // some kilobytes. `priority` is the most urgent that the alert had, `acknowledged_at` and `accepted_at` the first
    // time that was not taken back, `highest_step` the last step that was asked (null: none).
    version: 11,
    statements: [
      `CREATE TABLE alert_history (
        site_id {int} NOT NULL, raised_at {int} NOT NULL, alert_id {int} NOT NULL, patient_id {int},
        parameter TEXT NOT NULL, rule TEXT NOT NULL, priority TEXT NOT NULL, closed_at {int},
        is_retrospective {int} NOT NULL, acknowledged_at {int}, acknowledgements {int} NOT NULL DEFAULT 0,
        accepted_at {int}, acceptances {int} NOT NULL DEFAULT 0, highest_step {int},
        PRIMARY KEY (site_id, raised_at, alert_id)) {clustered}`,
      `CREATE UNIQUE INDEX alert_history_by_alert ON alert_history (alert_id)`,
      `CREATE INDEX alert_history_by_patient ON alert_history (patient_id, raised_at, alert_id)`,
      // Who did something to an alert.
      `CREATE TABLE alert_actors (
        user_id {int} NOT NULL, alert_id {int} NOT NULL, PRIMARY KEY (user_id, alert_id)) {clustered}`,
      `INSERT INTO alert_history (site_id, raised_at, alert_id, patient_id, parameter, rule, priority, closed_at,
          is_retrospective, acknowledged_at, acknowledgements, accepted_at, acceptances, highest_step)
        SELECT site_id, coalesce((SELECT min(at) FROM alert_events WHERE alert_id = alerts.id), raised_at), id,
          patient_id, parameter, rule,
          CASE WHEN priority = 'high' OR ${hasLine(`"priority":"high"`)} OR ${hasLine(`"to":"high"`)} THEN 'high'
            WHEN priority = 'medium' OR ${hasLine(`"priority":"medium"`)} OR ${hasLine(`"to":"medium"`)} THEN 'medium'
            ELSE 'low' END,
          closed_at, is_retrospective, ${firstThatStood('acknowledged', 'acknowledgement_withdrawn')},
          ${firstThatStood('accepted', 'acceptance_withdrawn')},
          CASE ${[3, 2, 1, 0].map((step) => `WHEN ${hasStep(step)} THEN ${step}`).join(' ')} ELSE NULL END
        FROM alerts WHERE site_id <> 0`,
      // When a patient was here. Of a patient who left before this release the last change is taken for the discharge.
      `CREATE TABLE patient_stays (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), started_at {int} NOT NULL,
        ended_at {int})`,
      `CREATE UNIQUE INDEX patient_stays_open ON patient_stays (site_id, patient_id) WHERE ended_at IS NULL`,
      `CREATE INDEX patient_stays_by_end ON patient_stays (site_id, ended_at)`,
      `INSERT INTO patient_stays (site_id, patient_id, started_at, ended_at)
        SELECT site_id, id, created_at, CASE WHEN state = 'active' THEN NULL ELSE updated_at END
        FROM patients ORDER BY id`,
    ],
    only: {
      sqlite: [
        `INSERT INTO alert_actors (user_id, alert_id)
          SELECT DISTINCT json_extract(event, '$.by'), alert_id FROM alert_events
          WHERE site_id <> 0
            AND CASE WHEN json_valid(event) THEN json_extract(event, '$.by') IS NOT NULL ELSE FALSE END`,
      ],
      postgres: [
        `INSERT INTO alert_actors (user_id, alert_id)
          SELECT DISTINCT substring(event FROM '"by": ?([0-9]+)')::bigint, alert_id FROM alert_events
          WHERE site_id <> 0 AND event ~ '"by": ?[0-9]+'`,
      ],
    },
  },
  {
    // Notes. A signed text never changes: what is said later about it are rows of `note_entries`.
    version: 12,
    statements: [
      `CREATE TABLE notes (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
        author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL, client_id TEXT NOT NULL,
        type TEXT NOT NULL, text TEXT NOT NULL, alert_ids TEXT NOT NULL, event_at {int} NOT NULL,
        written_at {int} NOT NULL, signed_at {int}, in_error {int} NOT NULL DEFAULT 0, moved_to {int},
        moved_from {int}, version {int} NOT NULL DEFAULT 1, changed_at {int} NOT NULL, changed_by {int} NOT NULL,
        UNIQUE (author_id, client_id))`,
      `CREATE INDEX notes_by_patient ON notes (patient_id, event_at, id)`,
      `CREATE TABLE note_entries (
        id {id}, note_id {int} NOT NULL REFERENCES notes (id), kind TEXT NOT NULL, text TEXT NOT NULL,
        reason TEXT NOT NULL, author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL,
        client_id TEXT NOT NULL, added_at {int} NOT NULL, UNIQUE (note_id, author_id, client_id))`,
      `CREATE TABLE note_reads (
        note_id {int} NOT NULL REFERENCES notes (id), user_id {int} NOT NULL, version {int} NOT NULL,
        read_at {int} NOT NULL, PRIMARY KEY (note_id, user_id)) {clustered}`,
    ],
  },
  {
    // Handoffs. Of a patient one is written at a time; what is to be done outlives the handoff that named it.
    version: 13,
    statements: [
      `CREATE TABLE handoffs (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
        state TEXT NOT NULL, severity TEXT, summary TEXT NOT NULL, contingencies TEXT NOT NULL, receiver_id {int},
        receiver_role TEXT, carried_from {int}, reviewed_at {int}, facts TEXT, giver_id {int} REFERENCES users (id),
        giver_type TEXT, given_at {int}, received_by {int} REFERENCES users (id), received_at {int}, read_back TEXT,
        question TEXT, returned_by {int}, created_at {int} NOT NULL, created_by {int} NOT NULL REFERENCES users (id),
        changed_at {int} NOT NULL, changed_by {int} NOT NULL, version {int} NOT NULL DEFAULT 1)`,
      `CREATE INDEX handoffs_by_patient ON handoffs (patient_id, id)`,
      `CREATE INDEX handoffs_by_state ON handoffs (state, site_id)`,
      `CREATE UNIQUE INDEX handoffs_written ON handoffs (patient_id) WHERE state = 'draft'`,
      `CREATE TABLE handoff_actions (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id),
        handoff_id {int} NOT NULL REFERENCES handoffs (id), text TEXT NOT NULL, owner_id {int}, owner_role TEXT,
        due_at {int}, done_at {int}, done_by {int})`,
      `CREATE INDEX handoff_actions_by_patient ON handoff_actions (patient_id, done_at)`,
      `CREATE INDEX handoff_actions_by_handoff ON handoff_actions (handoff_id)`,
    ],
  },
  {
    // Who follows whom, and what they saw there last: ids, which no step of the clock moves.
    version: 14,
    statements: [
      `CREATE TABLE patient_follows (
        user_id {int} NOT NULL REFERENCES users (id), patient_id {int} NOT NULL REFERENCES patients (id),
        followed_at {int} NOT NULL, seen_alert_id {int} NOT NULL, seen_handoff_id {int} NOT NULL,
        seen_handoff_result TEXT, PRIMARY KEY (user_id, patient_id)) {clustered}`,
      `CREATE INDEX alert_history_by_patient_and_id ON alert_history (patient_id, alert_id)`,
      `ALTER TABLE handoffs ADD COLUMN returned_at {int}`,
    ],
  },
  {
    // Issue reports. The list is read from its index alone, and a tick asks only for those that alarm.
    version: 15,
    statements: [
      `CREATE TABLE issue_reports (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), reported_at {int} NOT NULL, status TEXT NOT NULL,
        kind TEXT NOT NULL, severity TEXT NOT NULL, unit_id {int} REFERENCES units (id),
        patient_id {int} REFERENCES patients (id), assignee_id {int} REFERENCES users (id),
        author_id {int} NOT NULL REFERENCES users (id), author_type TEXT NOT NULL, client_id TEXT NOT NULL,
        is_reporter_hidden {int} NOT NULL, harm_physical TEXT, harm_psychological TEXT, bed TEXT,
        device_id {int} REFERENCES devices (id), is_quarantined {int}, occurred_at {int}, discovered_at {int},
        external_reference TEXT, alarm_at {int}, alarm_ended_at {int}, title TEXT NOT NULL,
        what_happened TEXT NOT NULL, expected TEXT NOT NULL, immediate_action TEXT NOT NULL, alert_ids TEXT NOT NULL,
        device TEXT, context TEXT, version {int} NOT NULL DEFAULT 1, others_version {int} NOT NULL DEFAULT 0,
        seen_version {int} NOT NULL DEFAULT 1, changed_at {int} NOT NULL, changed_by {int} NOT NULL,
        UNIQUE (author_id, client_id))`,
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
    ],
  },
  {
    // Whom a note mentions, by id: a draft's too, which they do not see.
    version: 16,
    statements: [
      `CREATE TABLE note_mentions (
        note_id {int} NOT NULL REFERENCES notes (id), user_id {int} NOT NULL REFERENCES users (id),
        PRIMARY KEY (note_id, user_id)) {clustered}`,
      `CREATE INDEX note_mentions_by_user ON note_mentions (user_id, note_id)`,
    ],
  },
  {
    // Patient charts: what people write, which never changes, and where patients were. Of a stay before this release
    // the place is known if it is the last one.
    version: 17,
    statements: [
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
        moved_at {int} NOT NULL, moved_by {int} REFERENCES users (id), from_unit_id {int}, from_bed TEXT,
        to_unit_id {int}, to_bed TEXT)`,
      `CREATE INDEX patient_moves_by_patient ON patient_moves (patient_id, id)`,
      `INSERT INTO patient_moves (site_id, patient_id, kind, moved_at, from_unit_id, from_bed, to_unit_id, to_bed)
        SELECT stay.site_id, stay.patient_id, 'admitted' AS kind, stay.started_at AS moved_at, NULL, NULL,
          CASE WHEN stay.ended_at IS NULL THEN patients.unit_id END, CASE WHEN stay.ended_at IS NULL THEN bed END
        FROM patient_stays stay JOIN patients ON patients.id = stay.patient_id
        UNION ALL
        SELECT stay.site_id, stay.patient_id, 'discharged', stay.ended_at,
          CASE WHEN stay.id = last_id THEN patients.unit_id END, CASE WHEN stay.id = last_id THEN bed END, NULL, NULL
        FROM patient_stays stay JOIN patients ON patients.id = stay.patient_id
          JOIN (SELECT patient_id, max(id) AS last_id FROM patient_stays GROUP BY patient_id) newest
            ON newest.patient_id = stay.patient_id
        WHERE stay.ended_at IS NOT NULL
        ORDER BY moved_at, kind`,
    ],
    only: {
      sqlite: [
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
    // Check-in from home: links, requests for a call, and reports without a user who wrote them down. A report that was
    // entered in error leaves its moment free for the right one.
    version: 18,
    statements: [
      `CREATE TABLE check_in_links (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), "for" TEXT NOT NULL,
        secret_hash TEXT NOT NULL UNIQUE, created_at {int} NOT NULL, created_by {int} NOT NULL REFERENCES users (id),
        expires_at {int} NOT NULL, revoked_at {int}, revoked_by {int}, wrong_tries {int} NOT NULL DEFAULT 0,
        locked_at {int}, opened_at {int}, last_opened_at {int}, opened_on TEXT)`,
      `CREATE INDEX check_in_links_by_patient ON check_in_links (patient_id, id)`,
      `CREATE TABLE check_in_calls (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id),
        link_id {int} NOT NULL REFERENCES check_in_links (id), client_id TEXT NOT NULL, requested_at {int} NOT NULL,
        UNIQUE (link_id, client_id))`,
      `CREATE INDEX check_in_calls_by_patient ON check_in_calls (patient_id, requested_at)`,
      `ALTER TABLE sites ADD COLUMN check_in_times TEXT NOT NULL DEFAULT '08:00,14:00,20:00'`,
      `ALTER TABLE sites ADD COLUMN out_of_hours_text TEXT`,
      `ALTER TABLE symptom_reports RENAME TO former_symptom_reports`,
      `DROP INDEX symptom_reports_by_time`,
      `CREATE TABLE symptom_reports (
        id {id}, site_id {int} NOT NULL, patient_id {int} NOT NULL REFERENCES patients (id), reported_at {int} NOT NULL,
        recorded_at {int} NOT NULL, recorded_by {int} REFERENCES users (id), answers TEXT NOT NULL,
        breathlessness {int}, mmrc {int}, red_flags TEXT NOT NULL, since_yesterday TEXT,
        source TEXT NOT NULL DEFAULT 'staff', link_id {int} REFERENCES check_in_links (id), client_id TEXT,
        readings TEXT NOT NULL DEFAULT '[]', in_error_at {int}, in_error_by {int} REFERENCES users (id),
        in_error_reason TEXT, UNIQUE (link_id, client_id))`,
      `INSERT INTO symptom_reports (id, site_id, patient_id, reported_at, recorded_at, recorded_by, answers,
        breathlessness, mmrc, red_flags, since_yesterday)
        SELECT id, site_id, patient_id, reported_at, recorded_at, recorded_by, answers, breathlessness, mmrc,
          red_flags, since_yesterday FROM former_symptom_reports ORDER BY id`,
      `DROP TABLE former_symptom_reports`,
      `CREATE UNIQUE INDEX symptom_reports_once ON symptom_reports (patient_id, reported_at, recorded_by)
        WHERE in_error_at IS NULL`,
      `CREATE INDEX symptom_reports_by_patient ON symptom_reports (patient_id, reported_at, id)`,
      `CREATE INDEX symptom_reports_by_time ON symptom_reports (recorded_at, patient_id)`,
    ],
    only: {
      postgres: [
        `SELECT setval(pg_get_serial_sequence('symptom_reports', 'id'), coalesce(max(id), 0) + 1, false)
          FROM symptom_reports`,
      ],
    },
  },
  {
    // The samples of a check-in are found by the time under which they are stored; a step of the clock moves the
    // report.
    version: 19,
    statements: [
      `ALTER TABLE symptom_reports ADD COLUMN readings_at {int}`,
      `UPDATE symptom_reports SET readings_at = reported_at WHERE readings <> '[]'`,
      `CREATE INDEX symptom_reports_in_error ON symptom_reports (in_error_at) WHERE in_error_at IS NOT NULL`,
    ],
  },
  {
    // Wrong years of birth with their times, because they count within a window; earlier ones have none and count no
    // more. Of calls: those that joined the open alert of an earlier one. Of links: which browser opened it last.
    version: 20,
    statements: [
      `CREATE TABLE check_in_tries (
        id {id}, link_id {int} NOT NULL REFERENCES check_in_links (id), tried_at {int} NOT NULL)`,
      `CREATE INDEX check_in_tries_by_link ON check_in_tries (link_id, tried_at)`,
      `ALTER TABLE check_in_calls ADD COLUMN joined {int} NOT NULL DEFAULT 0`,
      `ALTER TABLE check_in_links ADD COLUMN opened_by TEXT`,
    ],
  },
  {
    // Of an error report: the site of the user whose page sent it; none of the server's own and of a stranger's.
    version: 21,
    statements: [`ALTER TABLE error_events ADD COLUMN site_id {int}`],
  },
  {
    // The page's own id of a new link: an attempt after a lost response makes no second one.
    version: 22,
    statements: [`ALTER TABLE check_in_links ADD COLUMN client_id TEXT`],
  },
  {
    // Accounts that were opened by an administrator alone wait for somebody else's confirmation. Links that were made
    // before were all shown to who made them.
    version: 23,
    statements: [
      `ALTER TABLE users ADD COLUMN unconfirmed_since {int}`,
      `ALTER TABLE users ADD COLUMN opened_by {int} REFERENCES users (id)`,
      `ALTER TABLE users ADD COLUMN link_made_by {int} REFERENCES users (id)`,
      `ALTER TABLE users ADD COLUMN link_notice {int} NOT NULL DEFAULT 0`,
      `ALTER TABLE account_tokens ADD COLUMN is_shown {int} NOT NULL DEFAULT 0`,
      `UPDATE account_tokens SET is_shown = 1 WHERE created_by IS NOT NULL`,
    ],
  },
  {
    // Who added a site on the page, and the page's own id of it: an attempt after a lost response adds no second one.
    // No reference to users, who refer to sites: a restore fills parents first.
    version: 24,
    statements: [`ALTER TABLE sites ADD COLUMN added_by {int}`, `ALTER TABLE sites ADD COLUMN client_id TEXT`],
  },
  {
    // HL7 gateways whose messages are taken, and the answers that a repeated message gets again. A source of a sender
    // is a device without a token. A sender that was revoked keeps its sources and may be accepted again as another.
    version: 25,
    statements: [
      `CREATE TABLE hl7_senders (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, address TEXT NOT NULL,
        application TEXT NOT NULL, facility TEXT NOT NULL, accepted_at {int} NOT NULL,
        accepted_by {int} REFERENCES users (id), revoked_at {int})`,
      `CREATE UNIQUE INDEX hl7_senders_in_use ON hl7_senders (address, application, facility)
        WHERE revoked_at IS NULL`,
      `CREATE TABLE hl7_answers (
        id {id}, sender_id {int} NOT NULL REFERENCES hl7_senders (id), digest TEXT NOT NULL,
        answered_at {int} NOT NULL, answer {bytes} NOT NULL)`,
      `CREATE INDEX hl7_answers_by_message ON hl7_answers (sender_id, digest, answered_at)`,
      `CREATE INDEX hl7_answers_by_time ON hl7_answers (answered_at)`,
      `ALTER TABLE devices ADD COLUMN sender_id {int} REFERENCES hl7_senders (id)`,
      `ALTER TABLE devices ADD COLUMN source_key TEXT`,
      `CREATE UNIQUE INDEX devices_sources ON devices (sender_id, source_key) WHERE sender_id IS NOT NULL`,
    ],
  },
  {
    // Which of our beds a sender's bed is: proposed by one person, confirmed by another. None is ever changed: it ends,
    // and a new one is proposed.
    version: 26,
    statements: [
      `CREATE TABLE bed_mappings (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
        sender_bed TEXT NOT NULL, unit_id {int} NOT NULL REFERENCES units (id), bed TEXT NOT NULL,
        proposed_at {int} NOT NULL, proposed_by {int} NOT NULL REFERENCES users (id),
        confirmed_at {int}, confirmed_by {int} REFERENCES users (id),
        ended_at {int}, ended_by {int} REFERENCES users (id))`,
      `CREATE UNIQUE INDEX bed_mappings_open ON bed_mappings (sender_id, sender_bed) WHERE ended_at IS NULL`,
      `CREATE INDEX patient_moves_by_time ON patient_moves (moved_at)`,
    ],
  },
  {
    // The alarms of devices, as the devices report them.
    version: 27,
    statements: [
      `CREATE TABLE device_alarms (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
        device_id {int} NOT NULL REFERENCES devices (id), alarm_key TEXT NOT NULL, code TEXT NOT NULL,
        text TEXT NOT NULL, priority TEXT, is_technical {int} NOT NULL, inactivation TEXT, is_event {int} NOT NULL,
        started_at {int} NOT NULL, last_seen_at {int} NOT NULL, ended_at {int})`,
      `CREATE INDEX device_alarms_by_key ON device_alarms (device_id, alarm_key, started_at)`,
      `CREATE INDEX device_alarms_of_patient ON device_alarms (patient_id, started_at)`,
      `CREATE INDEX device_alarms_by_end ON device_alarms (ended_at)`,
    ],
  },
  {
    // Senders on trial, and the invented patients whom alone they reach. Neither mark ever changes.
    version: 28,
    statements: [
      `ALTER TABLE patients ADD COLUMN is_trial {int} NOT NULL DEFAULT 0`,
      `ALTER TABLE hl7_senders ADD COLUMN is_trial {int} NOT NULL DEFAULT 0`,
    ],
  },
  {
    // What a device says no more of an alarm that it never ended: the alarm is closed, and not said to have ended.
    version: 29,
    statements: [
      `ALTER TABLE device_alarms ADD COLUMN is_end_unknown {int} NOT NULL DEFAULT 0`,
      `DROP INDEX device_alarms_of_patient`,
      `CREATE INDEX device_alarms_of_patient ON device_alarms (patient_id, ended_at)`,
    ],
  },
  {
    // Values that came by a bed alone are corrected where a move is entered late, or a mapping was wrong. When a move
    // was entered is apart from when it was; NULL: at once. Sources of before have no bed: what came by them stays.
    version: 30,
    statements: [
      `ALTER TABLE patient_moves ADD COLUMN recorded_at {int}`,
      `ALTER TABLE devices ADD COLUMN sender_bed TEXT`,
      `CREATE TABLE bed_corrections (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
        sender_bed TEXT NOT NULL, unit_id {int} REFERENCES units (id), bed TEXT, since {int} NOT NULL, until {int},
        made_at {int} NOT NULL, made_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int})`,
      `CREATE INDEX bed_corrections_open ON bed_corrections (id) WHERE done_at IS NULL`,
    ],
  },
  {
    // What the codes of senders mean that no built-in table has. Values of each mapping have sources of their own.
    version: 31,
    statements: [
      `CREATE TABLE code_mappings (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), sender_id {int} NOT NULL REFERENCES hl7_senders (id),
        code_id TEXT NOT NULL, code_text TEXT NOT NULL, code_system TEXT NOT NULL,
        kind TEXT NOT NULL, is_unitless {int} NOT NULL,
        proposed_at {int} NOT NULL, proposed_by {int} NOT NULL REFERENCES users (id),
        confirmed_at {int}, confirmed_by {int} REFERENCES users (id),
        ended_at {int}, ended_by {int} REFERENCES users (id),
        undone_at {int}, undone_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int})`,
      `CREATE UNIQUE INDEX code_mappings_open ON code_mappings (sender_id, code_id, code_text, code_system)
        WHERE ended_at IS NULL`,
      `ALTER TABLE devices ADD COLUMN code_mapping_id {int}`,
    ],
  },
  {
    // Values that came by each mapping of a bed have sources of their own as well. Of a bed that was mapped more than
    // once before, it is not known which of them a source is: what came by it stays.
    version: 32,
    statements: [
      `ALTER TABLE devices ADD COLUMN bed_mapping_id {int}`,
      `UPDATE devices SET bed_mapping_id = (SELECT min(m.id) FROM bed_mappings m
        WHERE m.sender_id = devices.sender_id AND m.sender_bed = devices.sender_bed AND m.confirmed_at IS NOT NULL
        HAVING count(*) = 1)
        WHERE sender_bed IS NOT NULL`,
      ...['undone_at {int}', 'undone_by {int} REFERENCES users (id)', 'withdrawn_at {int}', 'done_at {int}'].map(
        (column) => `ALTER TABLE bed_mappings ADD COLUMN ${column}`,
      ),
    ],
  },
  {
    // What an administrator has said of a sender.
    version: 33,
    statements: [
      `ALTER TABLE hl7_senders ADD COLUMN zero_is_no_signal {int} NOT NULL DEFAULT 0`,
      `ALTER TABLE hl7_senders ADD COLUMN quarantine_is_accepted {int} NOT NULL DEFAULT 0`,
    ],
  },
  {
    // A sender may be known by the name in its certificate instead of address, MSH-3 and MSH-4, which are '' then.
    version: 34,
    statements: [
      `ALTER TABLE hl7_senders ADD COLUMN certificate TEXT`,
      `DROP INDEX hl7_senders_in_use`,
      `CREATE UNIQUE INDEX hl7_senders_in_use ON hl7_senders (address, application, facility)
        WHERE revoked_at IS NULL AND certificate IS NULL`,
      `CREATE UNIQUE INDEX hl7_senders_by_certificate ON hl7_senders (certificate) WHERE revoked_at IS NULL`,
    ],
  },
  {
    // Whose numbers (PID-3.4) are MRNs of the site, one a line; '': those of any authority.
    version: 35,
    statements: [`ALTER TABLE sites ADD COLUMN mrn_authorities TEXT NOT NULL DEFAULT ''`],
  },
  {
    // What came under a code before it was mapped is read again from the kept messages. `earlier_values`: whose values
    // they are, and between which days. Of mappings of before nothing is.
    version: 36,
    statements: [
      `ALTER TABLE code_mappings ADD COLUMN earlier_read_at {int}`,
      `ALTER TABLE code_mappings ADD COLUMN earlier_result TEXT`,
      `UPDATE code_mappings SET earlier_read_at = confirmed_at WHERE confirmed_at IS NOT NULL`,
      `CREATE TABLE earlier_values (
        mapping_id {int} NOT NULL REFERENCES code_mappings (id),
        patient_id {int} NOT NULL REFERENCES patients (id),
        first_day {int} NOT NULL, last_day {int} NOT NULL, PRIMARY KEY (mapping_id, patient_id))`,
    ],
  },
  {
    // Releases of values that were held because the patient of their bed had just changed. What was held is found by
    // its rows of quarantine.
    version: 37,
    statements: [
      `CREATE TABLE bed_releases (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), patient_id {int} NOT NULL REFERENCES patients (id),
        unit_id {int} NOT NULL REFERENCES units (id), bed TEXT NOT NULL, change TEXT NOT NULL,
        moved_at {int} NOT NULL, at {int} NOT NULL,
        released_at {int} NOT NULL, released_by {int} NOT NULL REFERENCES users (id), again {int} NOT NULL,
        taken_back_at {int}, taken_back_by {int} REFERENCES users (id), withdrawn_at {int}, done_at {int},
        first_day {int}, last_day {int}, read_at {int}, result TEXT)`,
      `CREATE INDEX bed_releases_of_patient ON bed_releases (patient_id, moved_at)`,
      `CREATE INDEX bed_releases_in_force ON bed_releases (moved_at) WHERE taken_back_at IS NULL`,
      `CREATE INDEX bed_releases_unread ON bed_releases (id) WHERE read_at IS NULL`,
      `CREATE INDEX bed_releases_wrong ON bed_releases (id) WHERE taken_back_at IS NOT NULL AND done_at IS NULL`,
      `CREATE INDEX quarantine_held ON quarantine (device_id, received_at) WHERE code = 'bed_changing'`,
    ],
  },
  {
    // A token writes for the patient of its device, unless the device is a gateway. Those that sent for others in the
    // last 30 days of values are gateways to be confirmed within 14 days, so that no ward falls silent. And when
    // a link last sent more red check-ins than a patient does.
    version: 38,
    statements: [
      ...['gateway_units TEXT', 'gateway_proposal TEXT', 'gateway_until {int}'].map(
        (column) => `ALTER TABLE devices ADD COLUMN ${column}`,
      ),
      `ALTER TABLE check_in_links ADD COLUMN misused_at {int}`,
    ],
    only: {
      sqlite: [gatewaysUntil('unixepoch() * 1000')],
      postgres: [gatewaysUntil('CAST(extract(epoch FROM now()) AS BIGINT) * 1000')],
    },
  },
];
