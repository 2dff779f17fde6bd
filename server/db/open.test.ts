import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { readProposedUnits } from '../devices/gateway';
import { migrate, schemaStatements } from './migrate';
import { openStore, openStoreForCommand, unhurried, type Store } from './open';
import type { Database } from './schema';

const anotherRuns =
  /^Another Wardlight already runs on .*\. One process serves one database: stop the other one first\.$/;

const versions = async ({ db }: Store): Promise<number[]> => {
  const { rows } = await sql<{ version: number }>`SELECT version FROM schema_versions ORDER BY version`.execute(db);
  return rows.map((row) => row.version);
};

const addSite = async ({ db }: Store, name: string): Promise<void> => {
  await db.insertInto('sites').values({ name, time_zone: 'UTC', created_at: 0 }).execute();
};

const siteNames = async ({ db }: Store): Promise<string[]> =>
  (await db.selectFrom('sites').select('name').orderBy('id').execute()).map((row) => row.name);

/** The names of all tables and their columns. */
const shapeOf = async ({ db }: Store): Promise<string[]> =>
  (await db.introspection.getTables())
    .flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`))
    .sort();

let where: TestDatabase;
afterEach(() => where.remove());

describe.each(engines)('openStore on %s', (engine) => {
  beforeEach(async () => {
    where = await createTestDatabase(engine);
  });

  it('refuses a database that another process serves, says so, and takes it once that one has closed', async () => {
    const first = await openStore(where);
    await expect(openStore(where)).rejects.toThrow(anotherRuns);
    await addSite(first, 'unharmed');
    await first.close();
    const second = await openStore(where);
    await expect(siteNames(second)).resolves.toEqual(['unharmed']);
    await second.close();
  });

  it('refuses data of a newer or former schema, changes nothing, and leaves the lock to another program', async () => {
    const store = await openStore(where);
    const known = await versions(store);
    const newest = known.at(-1) ?? 0;
    await sql`INSERT INTO schema_versions (version, applied_at) VALUES (${newest + 1}, CURRENT_TIMESTAMP)`.execute(
      store.db,
    );
    await store.close();
    const message =
      `The data are of schema version ${newest + 1}, ` + `this Wardlight knows ${newest}: start a newer Wardlight`;
    await expect(openStore(where)).rejects.toThrow(message);
    await expect(openStore(where)).rejects.toThrow(message);
    const command = await openStoreForCommand(where);
    await sql`DELETE FROM schema_versions`.execute(command);
    await sql`INSERT INTO schema_versions (version, applied_at) VALUES (37, 'then')`.execute(command);
    await expect(openStore(where)).rejects.toThrow(
      'The data are of schema version 37, this Wardlight takes 38 and newer: ' +
        'start an older Wardlight first (docs/operations.md)',
    );
    const { rows } = await sql`SELECT version, applied_at FROM schema_versions`.execute(command);
    expect(rows).toEqual([{ version: 37, applied_at: 'then' }]);
    await sql`UPDATE schema_versions SET version = ${newest}`.execute(command);
    await command.destroy();
    const again = await openStore(where);
    await again.close();
  });

  it('numbers its migrations without a gap, and runs each once', async () => {
    const store = await openStore(where);
    const known = await versions(store);
    const before = [known, await shapeOf(store)];
    expect(known).toEqual(known.map((_, index) => 38 + index));
    await expect(migrate(store.db, engine)).resolves.toBe(known.at(-1));
    await store.close();
    const again = await openStore(where);
    expect([await versions(again), await shapeOf(again)]).toEqual(before);
    await again.close();
  });

  describe('of version 39', () => {
    let old: Kysely<Database>;
    /** Adds rows as that version has them. */
    const add = (statement: string) => sql.raw(statement).execute(old);
    beforeEach(async () => {
      await (await openStore(where)).close();
      old = await openStoreForCommand(where);
      const tables = engine === 'sqlite' ? await old.introspection.getTables() : [];
      const emptied = engine === 'sqlite' ? [] : ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public'];
      emptied.push(...tables.map(({ name }) => `DROP TABLE ${name}`));
      for (const statement of [...emptied, ...schemaStatements(engine, 39)]) {
        await add(statement);
      }
      await add(`INSERT INTO schema_versions (version, applied_at) VALUES (39, 'then')`);
      await add(`INSERT INTO sites (id, name, time_zone, created_at) VALUES (1, 'North', 'UTC', 0)`);
      for (const id of [1, 2]) {
        await add(`INSERT INTO users
            (id, site_id, email, username, fname, lname, type, is_admin, password_hash, created_at)
          VALUES (${id}, 1, 'a${id}', 'a${id}', 'A', 'B', 'physician', 0, '', 0)`);
      }
    });
    afterEach(() => old.destroy());

    it('keeps what was proposed and approved for the alerts of a site, by its id', async () => {
      await add(`INSERT INTO site_proposals (id, site_id, subject, rule, scale, held, wanted, based_on, reason,
          proposed_at, proposed_by, expires_at, state, decided_at, decided_by)
        VALUES (3, 1, 'limits', 'spo2.low', 2, '{}', '{"values":{"low":88}}', 7, 'why', 1, 1, 9, 'proposed', NULL,
            NULL),
          (5, 1, 'limits', 'hr.low', NULL, '{}', '{"values":{"low":42}}', NULL, 'why', 1, 1, 9, 'rejected', 2, 2),
          (8, 1, 'escalation', NULL, NULL, '{}', '{"steps":{}}', NULL, 'why', 1, 1, 9, 'approved', 2, 2)`);
      await old.destroy();
      const store = await openStore(where);
      const rows = await store.db.selectFrom('proposals').selectAll().orderBy('id').execute();
      const open = {
        site_id: 1,
        object_id: 1,
        held: '{}',
        reason: 'why',
        proposed_at: 1,
        proposed_by: 1,
        expires_at: 9,
      };
      const row = { ...open, based_on: null, decided_at: 2, decided_by: 2, decision_reason: '' };
      expect(rows.map(({ wanted, ...one }) => ({ ...one, wanted: JSON.parse(wanted) as unknown }))).toEqual([
        {
          ...{ ...row, id: 3, kind: 'limits', about: 'spo2.low 2', based_on: 7, state: 'proposed' },
          ...{ decided_at: null, decided_by: null, wanted: { rule: 'spo2.low', scale: 2, values: { low: 88 } } },
        },
        {
          ...{ ...row, id: 5, kind: 'limits', about: 'hr.low', state: 'rejected' },
          wanted: { rule: 'hr.low', scale: null, values: { low: 42 } },
        },
        { ...row, id: 8, kind: 'escalation', about: 'escalation', state: 'approved', wanted: { steps: {} } },
      ]);
      // The next one takes no id of before.
      const next = { ...open, kind: 'escalation', about: 'escalation', wanted: '{}', based_on: 8 } as const;
      const { id } = await store.db
        .insertInto('proposals')
        .values({ ...next, state: 'proposed', decided_at: null, decided_by: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(id).toBe(9);
      await store.close();
    });

    it('keeps what is to be withdrawn of beds, the releases, and the days of what was read again', async () => {
      await add(`INSERT INTO units (id, site_id, name, created_at) VALUES (1, 1, 'North', 0)`);
      await add(`INSERT INTO patients (id, site_id, mrn, given_name, family_name, date_of_birth, sex, profile,
          spo2_scale, state, version, created_at, updated_at)
        VALUES (1, 1, 'M7', 'A', 'B', '1950-03-07', 'female', 'adult', 1, 'active', 1, 0, 0)`);
      await add(`INSERT INTO hl7_senders (id, site_id, name, address, application, facility, accepted_at)
        VALUES (1, 1, 'a', '10.0.0.1', '', '', 0)`);
      await add(`INSERT INTO bed_mappings (id, site_id, sender_id, sender_bed, unit_id, bed, proposed_at, proposed_by)
        VALUES (1, 1, 1, 'x', 1, '7', 0, 1)`);
      await add(`INSERT INTO code_mappings (id, site_id, sender_id, code_id, code_text, code_system, kind, is_unitless,
          proposed_at, proposed_by)
        VALUES (1, 1, 1, 'SAT', '', '', 'spo2', 0, 0, 1)`);
      await add(`INSERT INTO devices (id, site_id, name, token_hash, created_at, sender_id, source_key,
          code_mapping_id, bed_mapping_id)
        VALUES (3, 1, 'a', 'a', 0, 1, 'earlier x', 1, NULL), (4, 1, 'b', 'b', 0, 1, 'earlier 1 bed x', NULL, 1),
          (5, 1, 'c', 'c', 0, 1, 'x', 1, NULL)`);
      await add('INSERT INTO earlier_values (mapping_id, patient_id, first_day, last_day) VALUES (1, 1, 10, 12)');
      await add(`INSERT INTO bed_releases (site_id, patient_id, unit_id, bed, change, moved_at, at, released_at,
          released_by, again, taken_back_at, taken_back_by, first_day, last_day, done_at)
        VALUES (1, 1, 1, '7', 'begin', 5, 5, 6, 1, 0, 9, 2, 20, 20, NULL),
          (1, 1, 1, '7', 'begin', 5, 5, 6, 1, 1, 9, 2, NULL, NULL, 10),
          (1, 1, 1, '7', 'begin', 5, 5, 6, 1, 2, NULL, NULL, NULL, NULL, NULL),
          (1, 1, 1, '7', 'end', 8, 8, 9, 1, 0, NULL, NULL, NULL, NULL, NULL),
          (1, 1, 1, '7', 'begin', 9, 10, 11, 1, 0, NULL, NULL, NULL, NULL, NULL)`);
      await add(`INSERT INTO patient_moves (id, site_id, patient_id, kind, moved_at, to_unit_id, to_bed)
        VALUES (1, 1, 1, 'admitted', 5, 1, '7'), (2, 1, 1, 'moved', 8, 1, '8'), (3, 1, 1, 'moved', 9, 1, '7')`);
      await add(`INSERT INTO bed_corrections (site_id, sender_id, sender_bed, unit_id, bed, since, made_at, made_by,
          done_at)
        VALUES (1, 1, 'x', 1, '7', 3, 4, 1, NULL), (1, 1, 'y', 1, '7', 2, 4, 1, NULL),
          (1, 1, 'x', 1, '7', 1, 2, 1, 3)`);
      await old.destroy();
      const store = await openStore(where);
      const days = store.db.selectFrom('earlier_days').selectAll().orderBy('device_id').orderBy('day');
      await expect(days.execute()).resolves.toEqual([
        ...[10, 11, 12].map((day) => ({ device_id: 3, patient_id: 1, day })),
        { device_id: 4, patient_id: 1, day: 20 },
      ]);
      const left = store.db.selectFrom('bed_replays').select(['bed', 'since', 'made_at', 'made_by', 'done_at']);
      await expect(left.orderBy('since').execute()).resolves.toEqual([
        { bed: '7', since: 2, made_at: 4, made_by: 1, done_at: null },
        { bed: '7', since: 5, made_at: 9, made_by: 2, done_at: null },
      ]);
      // A release that was of less than the time since its move, or of the end of a stay, is none any more.
      const moves = store.db.selectFrom('patient_moves').select(['id', 'released_at', 'released_by', 'held_read_at']);
      await expect(moves.orderBy('id').execute()).resolves.toEqual([
        { id: 1, released_at: 6, released_by: 1, held_read_at: null },
        ...[2, 3].map((id) => ({ id, released_at: null, released_by: null, held_read_at: null })),
      ]);
      await store.close();
    });

    it('keeps the units that are proposed for a gateway, and the accounts that wait for a second person', async () => {
      await add(`INSERT INTO devices (id, site_id, name, token_hash, created_at, gateway_units, gateway_proposal)
        VALUES (3, 1, 'a', 'a', 7, '[4]', '{"units":[4,5],"by":2}'), (4, 1, 'b', 'b', 7, '[4]', NULL),
          (5, 1, 'c', 'c', 7, NULL, '{"units":[4],"by":null}'), (6, 1, 'd', 'd', 7, NULL, 'damaged')`);
      await add('UPDATE users SET unconfirmed_since = 8, opened_by = 1 WHERE id = 2');
      await add('UPDATE users SET unconfirmed_since = 9 WHERE id = 1');
      await old.destroy();
      const store = await openStore(where);
      const all = store.db.selectFrom('proposals').selectAll().orderBy('object_id', 'desc');
      const rows = await all.orderBy('kind').execute();
      expect(
        rows.map(({ kind, object_id, state, proposed_at, proposed_by }) => ({
          ...{ kind, object_id, state, proposed_at, proposed_by },
        })),
      ).toEqual([
        { kind: 'gateway', object_id: 3, state: 'proposed', proposed_at: 7, proposed_by: 2 },
        { kind: 'account', object_id: 2, state: 'proposed', proposed_at: 8, proposed_by: 1 },
        { kind: 'account', object_id: 1, state: 'proposed', proposed_at: 9, proposed_by: 1 },
      ]);
      await expect(readProposedUnits(store.db, 1)).resolves.toEqual(new Map([[3, [4, 5]]]));
      const devices = await store.db.selectFrom('devices').select(['id', 'gateway_units']).orderBy('id').execute();
      expect(devices.map(({ gateway_units }) => gateway_units)).toEqual(['[4]', '[4]', null, null]);
      await store.close();
    });
  });

  it('keeps the audit and the log of an alert append-only in the store itself', async () => {
    const store = await openStore(where);
    await sql`INSERT INTO audit (at, actor, action, outcome, hash)
      VALUES (0, 'system', 'add_device', 'done', 'h')`.execute(store.db);
    for (const change of ['DELETE FROM audit', "UPDATE audit SET outcome = 'refused'"]) {
      await expect(sql.raw(change).execute(store.db)).rejects.toThrow('the audit is append-only');
    }
    await sql`INSERT INTO alerts (id, site_id, patient_id, parameter, rule, priority, condition, started_at, raised_at,
        is_retrospective, facts, evidence)
      VALUES (1, 1, 1, 'spo2', 'spo2.low', 'high', 'active', 1, 1, 0, '', '')`.execute(store.db);
    await sql`INSERT INTO alert_events (site_id, alert_id, at, event) VALUES (1, 1, 1, '')`.execute(store.db);
    for (const change of ['DELETE FROM alert_events', "UPDATE alert_events SET event = '{}'"]) {
      await expect(sql.raw(change).execute(store.db)).rejects.toThrow('the log of an alert is append-only');
    }
    await store.close();
  });

  it('lets a command write beside the running server', async () => {
    const store = await openStore(where);
    const command = await openStoreForCommand(where);
    await command.insertInto('sites').values({ name: 'by command', time_zone: 'UTC', created_at: 0 }).execute();
    await command.destroy();
    await expect(siteNames(store)).resolves.toEqual(['by command']);
    await store.close();
  });
});

describe('openStore on sqlite alone', () => {
  beforeEach(async () => {
    where = await createTestDatabase('sqlite');
  });

  it('makes its files readable for their owner only, even in a folder that others may read', async () => {
    chmodSync(where.dataDir, 0o755);
    const store = await openStore(where);
    await addSite(store, 'a ward');
    const names = readdirSync(where.dataDir).filter((name) => name.startsWith('wardlight.db'));
    expect(names).toContain('wardlight.db-wal');
    expect(names.map((name) => [name, statSync(path.join(where.dataDir, name)).mode & 0o077])).toEqual(
      names.map((name) => [name, 0]),
    );
    await store.close();
  });

  it('refuses a file that is no database, names it and the way back, and lets go of the folder', async () => {
    const file = path.join(where.dataDir, 'wardlight.db');
    writeFileSync(file, 'these are not vitals '.repeat(1_000));
    for (const way of ['not a database', `${file} is damaged`, `npm run restore -- ${where.dataDir}/backups`]) {
      await expect(openStore(where)).rejects.toThrow(way);
    }
  });

  it.each([0, 1, 99])('refuses a folder whose database has become a file of %i bytes', async (bytes) => {
    await (await openStore(where)).close();
    truncateSync(path.join(where.dataDir, 'wardlight.db'), bytes);
    await expect(openStore(where)).rejects.toThrow('wardlight.db is empty');
    await expect(openStoreForCommand(where)).rejects.toThrow('wardlight.db is empty');
  });

  it('refuses a folder whose database is gone, and begins with an empty one only if someone says so', async () => {
    await (await openStore(where)).close();
    rmSync(path.join(where.dataDir, 'wardlight.db'));
    await expect(openStore(where)).rejects.toThrow('wardlight.db is gone');
    await expect(openStoreForCommand(where)).rejects.toThrow('wardlight.db is gone');
    rmSync(path.join(where.dataDir, 'wardlight.opened'));
    await (await openStore(where)).close();
  });

  describe('after its process was killed', () => {
    const journal = () => path.join(where.dataDir, 'wardlight.db-wal');
    beforeEach(async () => {
      const open = "require('./server/db/open').openStore({ dataDir: process.argv[1], databaseUrl: null })";
      const killed = spawn(
        process.execPath,
        ['-r', 'esbuild-register', '-e', `${open}.then(() => process.kill(process.pid, 'SIGKILL'))`, where.dataDir],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      await once(killed, 'exit');
    });

    it('is opened with its journal, and refused without it', async () => {
      renameSync(journal(), `${journal()}.gone`);
      await expect(openStore(where)).rejects.toThrow('its journal wardlight.db-wal is gone');
      await expect(openStoreForCommand(where)).rejects.toThrow('its journal wardlight.db-wal is gone');
      renameSync(`${journal()}.gone`, journal());
      await (await openStore(where)).close();
      await (await openStore(where)).close();
    });

    it('is opened after a command that took its journal in', async () => {
      const command = await openStoreForCommand(where);
      await sql`UPDATE sites SET created_at = 1`.execute(command);
      await command.destroy();
      expect(readdirSync(where.dataDir)).not.toContain('wardlight.db-wal');
      await (await openStore(where)).close();
    });
  });

  it('measures what a flush of the disk takes, and leaves no file of that', async () => {
    const store = await openStore(where);
    expect(store.flushMs).toBeGreaterThan(0);
    expect(readdirSync(where.dataDir)).not.toContain('wardlight.flush');
    await store.close();
  });

  it('lets no command make a database', async () => {
    await expect(openStoreForCommand(where)).rejects.toThrow();
  });

  it('flushes every commit to the disk, after writes and after it is opened again', async () => {
    for (const name of ['first', 'second']) {
      const store = await openStore(where);
      const settings = () =>
        store.engine === 'sqlite'
          ? ['synchronous', 'journal_mode'].map((one) => store.sqlite.pragma(one, { simple: true }))
          : [];
      expect(settings()).toEqual([2, 'wal']);
      await addSite(store, name);
      await store.db.transaction().execute((transaction) => sql`UPDATE sites SET created_at = 1`.execute(transaction));
      expect(settings()).toEqual([2, 'wal']);
      await store.close();
    }
  });

  it('flushes every commit of a command', async () => {
    await (await openStore(where)).close();
    const command = await openStoreForCommand(where);
    await sql`UPDATE sites SET created_at = 1`.execute(command);
    const { rows } = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(command);
    expect(rows).toEqual([{ synchronous: 2 }]);
    await command.destroy();
  });

  it('refuses a folder that another process holds, and takes it once that one has died, however it died', async () => {
    await (await openStore(where)).close();
    const module = `better-sqlite3${Number(process.versions.node.split('.')[0]) >= 22 ? '-node22' : ''}`;
    const hold = [
      `new (require('${module}'))(process.argv[1]).exec('BEGIN EXCLUSIVE')`,
      "console.log('held')",
      'setInterval(() => {}, 1e9)',
    ].join('; ');
    const other = spawn(process.execPath, ['-e', hold, path.join(where.dataDir, 'wardlight.lock')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    await expect(openStore(where)).rejects.toThrow(anotherRuns);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await (await openStore(where)).close();
  });
});

describe('openStore on postgres alone', () => {
  let client: pg.Client;
  beforeEach(async () => {
    where = await createTestDatabase('postgres');
    client = new pg.Client({ connectionString: String(where.databaseUrl) });
    await client.connect();
  });
  afterEach(() => client.end());

  const lockHolder = async (): Promise<number | undefined> => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows[0]?.pid;
  };

  it('refuses a server that acknowledges commits before they are on disk, and lets go of the database', async () => {
    const name = new URL(String(where.databaseUrl)).pathname.slice(1);
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await expect(openStore(where)).rejects.toThrow('acknowledged vitals could be lost');
    await client.query(`ALTER DATABASE ${name} RESET synchronous_commit`);
    await (await openStore(where)).close();
  });

  it('cancels queries that hang, and the pool answers again', async () => {
    await (await openStore(where)).close();
    const address = new URL(String(where.databaseUrl));
    // What the address says wins: the time of the server itself is too long to wait for. Tables are there by now,
    // because to create them can take longer on a busy machine.
    address.searchParams.set('statement_timeout', '1000');
    const store = await openStore({ ...where, databaseUrl: address.toString() });
    try {
      const hanging = Array.from({ length: 8 }, () =>
        sql`SELECT pg_sleep(3600)`.execute(store.db).catch((error: unknown) => error),
      );
      await expect(Promise.all(hanging)).resolves.toEqual(
        hanging.map(() => expect.objectContaining({ code: '57014' }) as unknown),
      );
      await expect(siteNames(store)).resolves.toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('limits what the server asks, more so once it serves, and nothing that a command asks', async () => {
    const timesOf = async (db: Store['db']): Promise<unknown> =>
      (
        await sql`SELECT current_setting('statement_timeout') AS statement,
          current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle`.execute(db)
      ).rows[0];
    const store = await openStore(where);
    const beside = await openStoreForCommand(where);
    try {
      await expect(timesOf(store.db)).resolves.toEqual({ statement: '1min', lock: '15s', idle: '0' });
      store.beginServing();
      await expect(timesOf(store.db)).resolves.toEqual({ statement: '5s', lock: '0', idle: '20s' });
      await expect(timesOf(unhurried(store).db)).resolves.toEqual({ statement: '1min', lock: '15s', idle: '0' });
      expect(store.engine === 'postgres' ? store.pool.options.query_timeout : null).toBe(6_000);
      await expect(timesOf(beside)).resolves.toEqual({ statement: '0', lock: '0', idle: '0' });
    } finally {
      await beside.destroy();
      await store.close();
    }
  });

  it('takes the lock again after its connection broke', async () => {
    const store = await openStore(where);
    const broken = await lockHolder();
    await client.query('SELECT pg_terminate_backend($1)', [broken]);
    let holder: number | undefined;
    do {
      holder = await lockHolder();
    } while (holder === undefined || holder === broken);
    await expect(openStore(where)).rejects.toThrow(anotherRuns);
    await store.close();
  });

  it('says that the database is lost when another process took the lock meanwhile', async () => {
    const store = await openStore(where);
    const { rows } = await client.query<{ objid: number }>(
      `SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND pid = $1`,
      [await lockHolder()],
    );
    // In one statement, so that it has the lock before another process can try.
    const take = client.query('SELECT pg_terminate_backend($1), pg_advisory_lock($2)', [
      await lockHolder(),
      rows[0]?.objid,
    ]);
    await expect(store.lockLost).rejects.toThrow(anotherRuns);
    await take;
    await store.close();
  });
});
