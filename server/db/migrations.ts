import { sql, type Kysely } from 'kysely';
import type { Engine } from './open';
import type { Database } from './schema';

interface Migration {
  version: number;
  /** One statement each. `{id}`, `{int}` and `{real}` stand for the engine's own types, `{clustered}` for SQLite's. */
  statements: string[];
  /** Statements that only one engine knows. */
  only?: Partial<Record<Engine, string[]>>;
}

/** Forward only. A migration that has been released is never edited: the next one mends it. */
const migrations: Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE sites (id {id}, name TEXT NOT NULL, time_zone TEXT NOT NULL, created_at {int} NOT NULL)`,
      `CREATE TABLE users (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), email TEXT NOT NULL UNIQUE, username TEXT NOT NULL UNIQUE,
        fname TEXT NOT NULL, lname TEXT NOT NULL, user_image TEXT, type TEXT NOT NULL, is_admin {int} NOT NULL,
        password_hash TEXT NOT NULL, disabled_at {int}, last_active_at {int}, created_at {int} NOT NULL)`,
      `CREATE TABLE sessions (
        token TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, user_id {int} NOT NULL REFERENCES users (id),
        created_at {int} NOT NULL, expires_at {int} NOT NULL, ended_at {int})`,
      `CREATE INDEX sessions_by_user ON sessions (user_id)`,
      `CREATE TABLE patients (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), mrn TEXT NOT NULL, given_name TEXT NOT NULL,
        family_name TEXT NOT NULL, date_of_birth TEXT NOT NULL, sex TEXT NOT NULL, unit TEXT, bed TEXT,
        profile TEXT NOT NULL, spo2_scale {int} NOT NULL, state TEXT NOT NULL, version {int} NOT NULL,
        created_at {int} NOT NULL, updated_at {int} NOT NULL, UNIQUE (site_id, mrn))`,
      `CREATE TABLE devices (
        id {id}, site_id {int} NOT NULL REFERENCES sites (id), name TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
        expected_every_ms {int}, created_at {int} NOT NULL, expires_at {int}, revoked_at {int})`,
      // The minute leads, so that a second of 500 patients touches a few pages instead of 500; the rest of the key makes
      // one patient's minute a single short range.
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
        offset_ms {int} NOT NULL, valid_value {real}, valid_taken_at {int}, valid_device_id {int}, valid_as_of {int},
        PRIMARY KEY (patient_id, kind)) {clustered}`,
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
        request_id TEXT, action TEXT NOT NULL, object_type TEXT, object_id {int}, outcome TEXT NOT NULL, details TEXT)`,
      `CREATE TABLE progress (name TEXT PRIMARY KEY, value {int} NOT NULL)`,
    ],
    only: {
      sqlite: [
        `CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
        `CREATE TRIGGER audit_keeps_words BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
        // REPLACE takes the place of a row without SQLite calling that a DELETE.
        `CREATE TRIGGER audit_keeps_places BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END`,
      ],
      postgres: [
        `CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$`,
        `CREATE TRIGGER audit_keeps_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
          FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()`,
      ],
    },
  },
  {
    version: 2,
    statements: [`ALTER TABLE sites ADD COLUMN is_demo {int} NOT NULL DEFAULT 0`],
  },
];

const types: Record<Engine, Record<string, string>> = {
  sqlite: { id: 'INTEGER PRIMARY KEY AUTOINCREMENT', int: 'INTEGER', real: 'REAL', clustered: 'WITHOUT ROWID' },
  postgres: { id: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY', int: 'BIGINT', real: 'DOUBLE PRECISION', clustered: '' },
};

function inWords(engine: Engine, statement: string): string {
  return statement.replace(/\{(\w+)\}/g, (_, name: string) => types[engine][name] ?? '');
}

/**
 * Brings the store to the newest shape, each migration in one transaction with its version row, and returns the version.
 * Throws when the store was made by a newer Wardlight: an old program must not write to it.
 */
export async function migrate(db: Kysely<Database>, engine: Engine): Promise<number> {
  await sql
    .raw(inWords(engine, `CREATE TABLE IF NOT EXISTS schema_versions (version {int} PRIMARY KEY, applied_at TEXT NOT NULL)`))
    .execute(db);
  const { rows } = await sql<{ version: number | null }>`SELECT max(version) AS version FROM schema_versions`.execute(db);
  const current = rows[0]?.version ?? 0;
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new Error(`The data are of schema version ${current}, this Wardlight knows ${newest}: start a newer Wardlight`);
  }
  for (const migration of migrations.filter(({ version }) => version > current)) {
    await db.transaction().execute(async (transaction) => {
      for (const statement of [...migration.statements, ...(migration.only?.[engine] ?? [])]) {
        await sql.raw(inWords(engine, statement)).execute(transaction);
      }
      await sql`INSERT INTO schema_versions (version, applied_at) VALUES (${migration.version}, CURRENT_TIMESTAMP)`.execute(transaction);
    });
  }
  return newest;
}
