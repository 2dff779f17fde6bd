import { sql } from 'kysely';
import { toInstant } from '../../lib/time/schema';
import { createTestDatabase, type TestDatabase } from '../../test/database';
import { openSlowLink, type SlowLink } from '../../test/slowLink';
import { startTestServer, type TestServer } from '../../test/testServer';
import { holdPostgresLock } from './lock';

describe('a PostgreSQL that is frozen', () => {
  let where: TestDatabase;
  let link: SlowLink;
  let test: TestServer;

  beforeEach(async () => {
    where = await createTestDatabase('postgres', true);
    link = await openSlowLink(String(where.databaseUrl));
  });
  afterEach(async () => {
    link.thaw();
    await test.stop();
    await link.close();
    await where.remove();
  });

  /** A server whose queries wait for so many milliseconds: its own limit is too long to wait for. */
  async function start(queryTimeout: string | null): Promise<void> {
    const url = new URL(link.url);
    if (queryTimeout !== null) {
      url.searchParams.set('query_timeout', queryTimeout);
    }
    test = await startTestServer('postgres', { DATABASE_URL: url.toString() });
    await test.app.ready();
  }

  it('is not ready after a second, and ready at once when it goes on', async () => {
    await start(null);
    expect((await test.app.inject('/readyz')).statusCode).toBe(200);
    link.freeze();
    // Given up after 6 s, as every query.
    let isGivenUp = false;
    const query = sql`SELECT 1`.execute(test.store.db).finally(() => {
      isGivenUp = true;
    });
    const frozen = await test.app.inject('/readyz');
    expect([frozen.statusCode, frozen.headers['retry-after'], isGivenUp]).toEqual([503, '2', false]);
    link.thaw();
    await query;
    expect((await test.app.inject('/readyz')).statusCode).toBe(200);
  });

  it('refuses devices and charts with 503 for as long as it lasts, and then loses nothing', async () => {
    await start('300');
    const site = await test.addSite();
    const nurse = await test.signIn(site, 'nurse');
    const patientId = await test.addPatient(site);
    const { token } = await test.addDevice(site);
    const samples = [{ patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) }];
    const calls = () =>
      Promise.all([test.ingest(token, samples), nurse.call('GET', `/api/v2/patients/${patientId}/vitals?kind=spo2`)]);
    // As many connections as the calls use, because to open one takes longer.
    await Promise.all(Array.from({ length: 8 }, () => sql`SELECT pg_sleep(0.05)`.execute(test.store.db)));
    link.freeze();
    for (const answer of await calls()) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    }
    link.thaw();
    const [stored, chart] = await calls();
    expect([stored.statusCode, chart.statusCode]).toEqual([200, 200]);
    const { accepted, duplicates } = stored.json<{ accepted: number; duplicates: number }>();
    expect(accepted + duplicates).toBe(1);
    await expect(test.store.db.selectFrom('samples').selectAll().execute()).resolves.toHaveLength(1);
  });

  it('keeps no one waiting behind a query that gets no response: its connection is thrown away', async () => {
    await start('300');
    const { db } = test.store;
    await expect(
      db.transaction().execute((transaction) => sql`SELECT pg_sleep(60)`.execute(transaction)),
    ).rejects.toThrow('is not queryable');
    // Neither the rollback nor the next eight queries met that connection.
    await Promise.all(Array.from({ length: 8 }, () => sql`SELECT 1`.execute(db)));
  });
});

it('a connection that breaks while it takes the lock fails the start and nothing else', async () => {
  const where = await createTestDatabase('postgres');
  const link = await openSlowLink(String(where.databaseUrl), 'pg_try_advisory_lock');
  await expect(holdPostgresLock(link.url)).rejects.toThrow(/Connection terminated|ECONNRESET/);
  await link.close();
  await where.remove();
});
