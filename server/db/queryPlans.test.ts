import pg from 'pg';
import { sql } from 'kysely';
import { toInstant } from '../../lib/time/schema';
import { engines } from '../../test/database';
import { startOfTest, startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { historyRows } from '../alerts/history';
import { createHeartbeat } from '../alerts/heartbeat';
import { closedAlarms } from '../deviceAlarms/alarmRows';
import { heldQuery } from '../hl7/heldValues';
import { postgresStatements } from '../ingest/postgresWriter';
import { sqliteStatements } from '../ingest/sqliteWriter';
import { applyRetention } from '../vitals/retention';
import { recentMinutesOf, sampledMinutesQuery, samplesOfMinutes, samplesQuery } from '../vitals/samples';
import { loadSqlite } from './loadSqlite';

interface Statement {
  text: string;
  values: readonly unknown[];
}

/**
 * The first column of the keys of the tables that grow: a condition that leaves it out makes the engine walk the whole
 * key.
 */
const firstOfKey: Readonly<Record<string, string>> = { samples: 'minute', minutes: 'patient_id' };

/**
 * What is read whole on purpose: at start, once an hour, a list whose head is taken off (`k` is a list in the query
 * itself).
 */
const readWhole = new Set([
  'devices',
  'device_assignments',
  'hl7_senders',
  'bed_mappings',
  'code_mappings',
  'assignments',
  'patients',
  'latest_values',
  'sessions',
  'users',
  'user_units',
  'sites',
  'units',
  'alert_limits',
  'proposals',
  'standbys',
  'comfort_cares',
  'minutes_to_redo',
  'retrospective_queue',
  'schema_versions',
  'k',
]);

const minute = Math.floor(startOfTest / 60_000);

describe.each(engines)('the query plans on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patientId: number;
  const heard = new Map<string, Statement>();

  const hear = (text: string, values: readonly unknown[]): void => {
    if (/^\s*(select|insert|update|delete|with)\b/i.test(text) && !/pg_|sqlite_/.test(text)) {
      heard.set(text, { text, values });
    }
  };

  /** Remembers every statement that reaches the engine while `work` runs, and returns them. */
  async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
    heard.clear();
    if (engine === 'sqlite') {
      const { prototype } = loadSqlite();
      const prepare = prototype.prepare;
      jest.spyOn(prototype, 'prepare').mockImplementation(function remember(this: typeof prototype, text: string) {
        hear(text, []);
        return prepare.call(this, text);
      });
    } else {
      const { prototype } = pg.Client;
      const query: (...given: unknown[]) => unknown = prototype.query;
      jest.spyOn(prototype, 'query').mockImplementation(function remember(this: pg.Client, ...given: unknown[]) {
        hear(String(given[0]), Array.isArray(given[1]) ? given[1] : []);
        return query.apply(this, given);
      });
    }
    await work();
    jest.restoreAllMocks();
    return [...heard.values()];
  }

  async function planOf({ text, values }: Statement, settings = ''): Promise<string> {
    if (test.store.engine === 'sqlite') {
      const nothing = Array.from({ length: text.split('?').length - 1 }, () => null);
      const rows = test.store.sqlite.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...nothing);
      return rows.map(({ detail }) => detail).join('\n');
    }
    const client = await test.store.pool.connect();
    await client.query(`BEGIN; ${settings}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`, [...values]);
    await client.query('ROLLBACK');
    client.release();
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  const compile = (query: {
    compile: (db: typeof test.store.db) => { sql: string; parameters: readonly unknown[] };
  }): Statement => {
    const { sql: text, parameters } = query.compile(test.store.db);
    return { text, values: parameters };
  };

  beforeAll(async () => {
    // A server of its own: the plans depend on how many rows its tables have.
    test = await startTestServer(engine);
    const site = await test.addSite();
    await test.startRules(site);
    nurse = await test.signIn(site, 'nurse');
    device = await test.addDevice(site);
    for (let bed = 0; bed < 50; bed += 1) {
      patientId = await test.addPatient(site);
    }
    await fill(site);
  });
  afterAll(() => test.stop());

  /** Enough rows that a planner who looks at sizes has a choice: 2 h of every patient, 2 kinds, every 10 s. */
  async function fill(site: number): Promise<void> {
    const { db } = test.store;
    const numbers = (name: string, until: number) =>
      engine === 'sqlite'
        ? sql`(WITH RECURSIVE n (x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < ${sql.lit(until)})
            SELECT x FROM n) AS ${sql.ref(name)}`
        : sql`generate_series(0, ${sql.lit(until)}) AS ${sql.ref(name)} (x)`;
    await sql`INSERT INTO samples
        (minute, patient_id, kind, taken_at, device_id, site_id, value, quality, received_at, offset_ms)
      SELECT ${minute} - m.x, p.id, k.x + 1, (${minute} - m.x) * CAST(60000 AS BIGINT) + s.x * 10000,
        ${device.id}, ${site}, 97, 0, 0, 0
      FROM patients p
        CROSS JOIN ${numbers('m', 119)} CROSS JOIN ${numbers('k', 1)} CROSS JOIN ${numbers('s', 5)}`.execute(db);
    await sql`INSERT INTO minutes (patient_id, kind, minute, site_id, min, max, last, count, questionable, invalid)
      SELECT p.id, k.x + 1, ${minute} - m.x, ${site}, 97, 97, 97, 6, 0, 0
      FROM patients p CROSS JOIN ${numbers('m', 1_440)} CROSS JOIN ${numbers('k', 1)}`.execute(db);
    await sql`INSERT INTO devices (site_id, name, token_hash, created_at)
      SELECT ${site}, 'filler', 'filler ' || d.x, 0 FROM ${numbers('d', 5_000)}`.execute(db);
    await sql`INSERT INTO device_alarms (site_id, patient_id, device_id, alarm_key, code, text, is_technical, is_event,
        started_at, last_seen_at, ended_at)
      SELECT ${site}, p.id, ${device.id}, 'a', 'a', 'a', 0, 0, a.at, a.at, a.at
      FROM patients p CROSS JOIN (
        SELECT CAST(${startOfTest} AS BIGINT) - n.x * 600000 AS at FROM ${numbers('n', 299)}) AS a`.execute(db);
    await sql`ANALYZE`.execute(db);
    if (engine === 'postgres') {
      // Retention empties the table in these tests. A look at it by the engine itself would have every plan made for an
      // empty one.
      await sql`ALTER TABLE samples SET (autovacuum_enabled = false)`.execute(db);
    }
  }

  /** Everything that runs while patients are watched, each way through the code at least once. */
  async function watch(): Promise<void> {
    const wire = (second: number, value: number): object => ({
      patientId,
      kind: 'spo2',
      value,
      takenAt: toInstant(startOfTest + second * 1_000),
    });
    for (const samples of [[wire(0, 97), wire(-7_200, 96), {}], [wire(0, 97)], [wire(0, 0)]]) {
      await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    }
    test.advance(130_000);
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    const vitals = (hours: number) =>
      `/api/v2/patients/${patientId}/vitals?points=2000&from=${toInstant(test.now() - hours * 3_600_000)}`;
    const sparks = `/api/v2/patients/sparks?ids=${patientId}`;
    await test.ingest(device.token, [wire(10, 70), wire(11, 70)], { sentAt: toInstant(test.now()) });
    test.advance(15_000);
    await test.server.alerts.evaluateRetrospective();
    await createHeartbeat(test.server)();
    const closed = ['', `&patientId=${patientId}`].map((of) => `/api/v2/alerts?state=closed${of}`);
    const history = ['', `?patientId=${patientId}`, `?person=${nurse.userId}`].map(
      (of) => `/api/v2/alerts/history${of}`,
    );
    const reports = [...closed, ...history, '/api/v2/alerts/budget?days=14'];
    await takeAlarms();
    for (const url of [
      '/api/v2/patients',
      `/api/v2/patients/${patientId}`,
      `/api/v2/patients/${patientId}/device-alarms`,
      `/api/v2/patients/${patientId}/held-values`,
      sparks,
      vitals(1),
      vitals(24),
      ...reports,
    ]) {
      expect((await nurse.call('GET', url)).statusCode).toBe(200);
    }
    await applyRetention(test.store, {
      // Some of the minutes: each is deleted by the same statements.
      rolledUpTo: minute - 118,
      now: test.now() + 20 * 86_400_000,
      rawDays: 15,
      log: test.server.log,
      signal: new AbortController().signal,
    });
  }

  /** What devices say of their alarms: a text that goes on and ends, an event that ends, and what comes late. */
  async function takeAlarms(): Promise<void> {
    const heard = {
      ...{ deviceId: device.id, siteId: nurse.siteId, patientId, isShared: false, inactivation: null },
      ...{ code: 'a', text: 'a', priority: null, isTechnical: false, isEvent: false, isEnded: false },
    };
    for (const [key, isEvent, isEnded, second] of [
      ['text', false, false, 0],
      ['event', true, false, 0],
      ['text', false, false, 90],
      ['event', true, true, 90],
      ['late', false, false, 10],
      [null, false, false, 100],
    ] as const) {
      const at = startOfTest + second * 1_000;
      const alarms = key === null ? [] : [{ ...heard, key, isEvent, isEnded, at, startedAt: at }];
      await test.server.takeAlarms([{ ...heard, receivedAt: test.now(), alarms, fullAt: key === null ? at : null }]);
    }
  }

  it('never read a whole table that grows', async () => {
    const statements = await statementsOf(async () => {
      await watch();
      await test.restart();
    });
    expect(statements.length).toBeGreaterThan(25);
    const scans: string[] = [];
    for (const statement of statements) {
      const plan = await planOf(statement, 'SET LOCAL enable_seqscan = off');
      scans.push(...scannedTables(plan, statement.text).map((table) => `${table}: ${statement.text}`));
    }
    expect(scans).toEqual([]);
  });

  it.each([
    'SELECT value FROM samples WHERE value = 1',
    'SELECT max(s.value) FROM samples AS s WHERE s.kind = 1',
    'DELETE FROM minutes WHERE minute < 5',
  ])('would notice %s', async (text) => {
    const plan = await planOf({ text, values: [] }, 'SET LOCAL enable_seqscan = off');
    expect(scannedTables(plan, text)).toHaveLength(1);
  });

  it('finds the closed alarms of devices by patient and end', async () => {
    const query = closedAlarms(test.store.db, patientId, startOfTest - 86_400_000).compile();
    await expect(planOf({ text: query.sql, values: query.parameters })).resolves.toMatch(
      engine === 'sqlite'
        ? /SEARCH device_alarms USING INDEX device_alarms_of_patient \(patient_id=\? AND ended_at>\?\)/
        : /device_alarms_of_patient.*\n.*Index Cond: \(\(patient_id = .*\) AND \(ended_at >= /,
    );
  });

  it('finds the values that were held for a bed by their sender and time', async () => {
    const query = heldQuery(test.store, device.id, 'ICU^^7', startOfTest).compile();
    const statement = { text: query.sql, values: query.parameters };
    await expect(planOf(statement, 'SET LOCAL enable_seqscan = off')).resolves.toMatch(
      engine === 'sqlite'
        ? /SEARCH quarantine USING INDEX quarantine_\w+ \(device_id=\? AND received_at>\? AND received_at<\?\)/
        : /Index Cond: \(\(device_id = .*\) AND \(received_at >= .*\) AND \(received_at <= /,
    );
  });

  it.each([1, 60, 1_440])('finds a window of %d minutes by minute, patient and kind', async (length) => {
    const minutes = Array.from({ length }, (_, before) => minute - before);
    const plan = await planOf(compile(samplesQuery(engine, patientId, 1, minutes)));
    expect(plan).toMatch(
      engine === 'sqlite'
        ? /SEARCH s USING PRIMARY KEY \(minute=\? AND patient_id=\? AND kind=\?\)/
        : /Index Cond: \(\(minute = ANY .* AND \(patient_id = .* AND \(kind = /,
    );
  });

  it.each([1, 500])('finds which of %d minutes have a sample by minute, patient and kind', async (length) => {
    const minutes = Array.from({ length }, (_, before) => minute - before);
    const plan = await planOf(compile(sampledMinutesQuery(engine, patientId, 1, minutes)));
    expect(plan).toMatch(
      engine === 'sqlite'
        ? /SEARCH s (EXISTS )?USING PRIMARY KEY \(minute=\? AND patient_id=\? AND kind=\?\)/
        : /Index Cond: \(\(minute = .*\) AND \(patient_id = .*\) AND \(kind = /,
    );
  });

  it('finds patient-minutes that are redone by minute, patient and kind', async () => {
    const keys = Array.from({ length: 50 }, (_, before) => ({
      minute: minute - before,
      patient_id: patientId,
      kind: 1,
    }));
    const plan = await planOf(compile(samplesOfMinutes(keys)));
    expect(plan).toMatch(
      engine === 'sqlite'
        ? /SEARCH s USING PRIMARY KEY \(minute=\? AND patient_id=\? AND kind=\?\)/
        : /Index Cond: \(\(minute = .*\) AND \(patient_id = .*\) AND \(kind = /,
    );
  });

  it('finds the last hour of many patients by patient, kind and minute', async () => {
    const series = Array.from({ length: 50 }, (_, before) => ({ patient_id: patientId - before, kind: 1 }));
    const plan = await planOf(compile(recentMinutesOf(series, minute - 60, minute)));
    expect(plan).toMatch(
      engine === 'sqlite'
        ? /SEARCH minutes USING PRIMARY KEY \(patient_id=\? AND kind=\? AND minute>\? AND minute<\?\)/
        : /Index Cond: \(\(patient_id = .*\) AND \(kind = .*\) AND \(minute >= .*\) AND \(minute < /,
    );
  });

  it('finds rolled-up minutes and latest values by their keys', async () => {
    const { db } = test.store;
    const minutes = db
      .selectFrom('minutes')
      .select(['min', 'max', 'last', 'count', 'invalid'])
      .where('patient_id', '=', patientId)
      .where('kind', '=', 1)
      .where('minute', '>=', minute - 60)
      .where('minute', '<', minute)
      .orderBy('minute')
      .compile();
    const latest = db
      .selectFrom('latest_values')
      .selectAll()
      .where('patient_id', '=', patientId)
      .where('kind', '=', 1)
      .compile();
    const [window, newest] = [
      await planOf({ text: minutes.sql, values: minutes.parameters }),
      await planOf({ text: latest.sql, values: latest.parameters }, 'SET LOCAL enable_seqscan = off'),
    ];
    const plans =
      engine === 'sqlite'
        ? /SEARCH \w+ USING PRIMARY KEY \(patient_id=\? AND kind=\?/
        : /Index Cond: \(\(patient_id = .* AND \(kind = /;
    expect(window).toMatch(plans);
    expect(newest).toMatch(plans);
  });

  it('finds the history of a site and of a patient by its time, newest first and without sorting', async () => {
    const span = { from: test.now() - 14 * 86_400_000, to: test.now() };
    const behind = { raisedAt: test.now() - 60_000, alertId: 7 };
    const plans = await Promise.all(
      [{ ...span }, { ...span, patientId }].map((filter) =>
        planOf(compile(historyRows(test.store.db, 1, filter, behind, 500)), 'SET LOCAL enable_seqscan = off'),
      ),
    );
    plans.forEach((plan, index) => {
      const place = ['site_id', 'patient_id'][index] ?? '';
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
      expect(plan).toMatch(
        engine === 'sqlite'
          ? new RegExp(`SEARCH alert_history USING .*\\(${place}=\\? AND .*raised_at>`)
          : new RegExp(`Index Cond: \\(\\(${place} = .*raised_at >= `),
      );
    });
  });

  it('finds a sample that is sent again by its whole key', async () => {
    const key = [minute, patientId, 1, startOfTest, device.id];
    const statements =
      engine === 'sqlite'
        ? [sqliteStatements.find, sqliteStatements.correct].map((text) => ({ text, values: [] }))
        : [
            { text: postgresStatements.find, values: key.map((part) => [part]) },
            { text: postgresStatements.correct, values: [97, 0, 0, 0, ...key] },
          ];
    const wholeKey = ['minute', 'patient_id', 'kind', 'taken_at', 'device_id'].map((column) => `${column}=\\?`);
    const plans = await Promise.all(statements.map((statement) => planOf(statement)));
    for (const plan of plans) {
      expect(plan).toMatch(
        engine === 'sqlite'
          ? new RegExp(`SEARCH samples USING PRIMARY KEY \\(${wholeKey.join(' AND ')}\\)`)
          : /Index Cond: \(\(minute = .*patient_id = .*kind = .*taken_at = .*device_id = /,
      );
    }
  });

  it('finds a device by the hash of its token', async () => {
    const query = test.store.db.selectFrom('devices').selectAll().where('token_hash', '=', 'x').compile();
    await expect(planOf({ text: query.sql, values: query.parameters })).resolves.toMatch(
      engine === 'sqlite' ? /SEARCH devices USING INDEX \w+ \(token_hash=\?\)/ : /Index Cond: \(token_hash = /,
    );
  });

  /** The tables of a plan that are read from end to end and grow with time. */
  function scannedTables(plan: string, text: string): string[] {
    const lines = plan.split('\n');
    const tables = lines.flatMap((line, at) => {
      const [, name] =
        (engine === 'sqlite'
          ? /^(?:SCAN|SEARCH) (\w+)/
          : /(?:Seq|Index|Index Only|Bitmap Index) Scan.* on (\w+?)(?:_pkey)?\b/
        ).exec(line) ?? [];
      if (name === undefined || /VIRTUAL TABLE|CONSTANT ROW|VALUES CLAUSE/.test(line)) {
        return [];
      }
      const table =
        new RegExp(`\\b(?:from|join|update|into)\\s+"?(\\w+)"?\\s+(?:as\\s+)?"?${name}"?\\b`, 'i').exec(text)?.[1] ??
        name;
      const condition = engine === 'sqlite' ? line : (lines[at + 1]?.split('Index Cond: ')[1] ?? '');
      return new RegExp(`(?:^|\\s)\\(+(?!ANY)${firstOfKey[table] ?? ''}`).test(condition) ? [] : [table];
    });
    return tables.filter((table) => !readWhole.has(table));
  }
});
