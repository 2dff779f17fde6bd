import { rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { toInstant } from '../../lib/time/schema';
import { createTestDatabase, engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { countOpening } from './fence';
import { holdOpening } from './fencedPostgres';
import { openStore, openStoreForCommand } from './open';

describe.each(engines)('a server whose database another process has opened since, on %s', (engine) => {
  // A server of its own, which cannot write any more.
  let test: TestServer;
  let patientId: number;
  let token: string;
  let lead: Caller;

  beforeAll(async () => {
    test = await startTestServer(engine);
    const site = await test.addSite();
    patientId = await test.addPatient(site);
    ({ token } = await test.addDevice(site));
    lead = await test.signIn(site, 'ward_lead', true);
    await send();
    const other = await openStoreForCommand(test.server.env);
    await sql.raw(countOpening).execute(other);
    await other.destroy();
  });
  afterAll(() => test.stop());

  const send = () => test.ingest(token, [{ patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) }]);

  it('acknowledges no sample and stores none, and says that the database is lost', async () => {
    test.advance(1_000);
    const answer = await send();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await expect(test.store.db.selectFrom('samples').selectAll().execute()).resolves.toHaveLength(1);
    await expect(test.store.lockLost).rejects.toThrow('Another Wardlight has opened this database');
  });

  it('confirms no act of a user and records none', async () => {
    const before = await test.store.db.selectFrom('audit').select('id').execute();
    expect((await lead.call('POST', '/api/v2/units', { name: 'Harbour' })).statusCode).toBe(503);
    await expect(test.store.db.selectFrom('units').selectAll().execute()).resolves.toEqual([]);
    await expect(test.store.db.selectFrom('audit').select('id').execute()).resolves.toEqual(before);
  });

  it('notices it within seconds, also if no one sends anything', async () => {
    await expect(test.store.checkWritable()).rejects.toThrow('Another Wardlight has opened this database');
  });
});

it.each(engines)('a server does not mind a command that writes beside it, on %s', async (engine) => {
  const test = await sharedTestServer(engine);
  const site = await test.addSite();
  const patientId = await test.addPatient(site);
  const { token } = await test.addDevice(site);
  const command = await openStoreForCommand(test.server.env);
  await command.insertInto('sites').values({ name: 'by command', time_zone: 'UTC', created_at: 0 }).execute();
  await command.destroy();
  const sample = { patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) };
  expect((await test.ingest(token, [sample])).statusCode).toBe(200);
});

it('a second process that found no lock file ends the first one’s writing', async () => {
  const where = await createTestDatabase('sqlite');
  const first = await openStore(where);
  rmSync(path.join(where.dataDir, 'wardlight.lock'));
  const second = await openStore(where);
  const write = (store: typeof first) =>
    store.db
      .transaction()
      .execute((transaction) =>
        transaction.insertInto('sites').values({ name: 'a ward', time_zone: 'UTC', created_at: 0 }).execute(),
      );
  await expect(write(first)).rejects.toThrow('Another Wardlight has opened this database');
  await expect(first.lockLost).rejects.toThrow();
  await write(second);
  await first.close();
  await second.close();
  await where.remove();
});

it('on postgres the next process waits for a transaction that may still commit', async () => {
  const where = await createTestDatabase('postgres', true);
  const [before, next] = [1, 2].map(() => new pg.Client({ connectionString: String(where.databaseUrl) }));
  if (before === undefined || next === undefined) {
    throw new Error('There are two clients');
  }
  await Promise.all([before.connect(), next.connect()]);
  const { rows } = await next.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await before.query('BEGIN');
  await before.query(holdOpening);
  let isCounted = false;
  const counted = next.query(countOpening).then(() => {
    isCounted = true;
  });
  const isWaiting = async (): Promise<boolean> =>
    (await before.query('SELECT 1 FROM pg_locks WHERE pid = $1 AND NOT granted', [rows[0]?.pid])).rowCount === 1;
  while (!(await isWaiting())) {
    // It comes to wait in a moment.
  }
  expect(isCounted).toBe(false);
  await before.query('COMMIT');
  await counted;
  await Promise.all([before.end(), next.end()]);
  await where.remove();
});
