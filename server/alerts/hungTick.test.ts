import pg from 'pg';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines, createTestDatabase, type Engine, type TestDatabase } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { jobsOf } from '../jobs';
import { PeopleAndSites } from './peopleAndSites';

const second = 1_000;
let test: TestServer;
let site: number;
let patient: number;
let device: { id: number; token: string };
let nurse: Caller;
let where: TestDatabase;

async function start(engine: Engine): Promise<void> {
  where = await createTestDatabase(engine, true);
  const variables: Record<string, string> = {};
  if (where.databaseUrl !== null) {
    const url = new URL(where.databaseUrl);
    // The time of the tests passes at once, also for a query that has just begun.
    url.searchParams.set('query_timeout', String(24 * 3_600 * second));
    variables.DATABASE_URL = url.toString();
  }
  // A server of its own: its store hangs.
  test = await startTestServer(engine, variables);
  await test.app.ready();
  site = await test.addSite();
  await test.startRules(site);
  device = await test.addDevice(site);
  patient = await test.addPatient(site);
  nurse = await test.signIn(site, 'nurse');
  // Only what gives up: the driver and the server itself go on by their own clocks.
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  });
}
async function stop(): Promise<void> {
  jest.useRealTimers();
  await test.stop();
  await where.remove();
}

const send = (value: number) => {
  const takenAt = toInstant(test.now());
  return test.ingest(device.token, [{ patientId: patient, kind: 'spo2', value, takenAt, quality: 'good' }], {
    sentAt: takenAt,
  });
};
/** Runs the tick's job once, and resolves with whether it succeeded. */
const tick = (): Promise<boolean> => {
  const job = jobsOf(test.server, { tick: () => Promise.resolve() }).find(({ name }) => name === 'alerts by the clock');
  return (
    job?.run(new AbortController().signal).then(
      () => true,
      () => false,
    ) ?? Promise.resolve(false)
  );
};
const pass = async (ms: number): Promise<void> => {
  test.advance(ms);
  await jest.advanceTimersByTimeAsync(ms);
};
/** Locks the table of alerts while `work` runs. The end of its connection ends the lock, also if `work` fails. */
const lockAlerts = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: String(test.server.env.databaseUrl) });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE');
    await work(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
};
const isReady = async (): Promise<boolean> => (await test.app.inject('/readyz')).statusCode === 200;
const open = async (): Promise<AlertItem[]> =>
  (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
const logOf = async (id: number): Promise<string[]> =>
  (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);

describe.each(apiEngines)('an evaluation by the clock that hangs, on %s', (engine) => {
  beforeEach(() => start(engine));
  afterEach(stop);

  it('is given up after 10 s: the page says so meanwhile, and the next one that can run heals it', async () => {
    await send(97);
    expect([await tick(), await isReady()]).toEqual([true, true]);
    // Something in the store's queue never ends.
    const stuck = test.store.writeQueue(() => new Promise(() => undefined)).catch(() => 'given up');
    const hung = tick();
    const lost = send(97);
    await pass(11 * second);
    await expect(hung).resolves.toBe(false);
    await expect(isReady()).resolves.toBe(false);
    const next = tick();
    await pass(9 * second);
    await expect(stuck).resolves.toBe('given up');
    await expect(next).resolves.toBe(true);
    expect((await lost).statusCode).toBe(200);
    // As its job does each second.
    await test.server.storage.check();
    await expect(isReady()).resolves.toBe(true);
  });

  it('holds back no other one if it hangs before it comes to the queue', async () => {
    const read = jest
      .spyOn(PeopleAndSites.prototype, 'readPeopleAgain')
      .mockReturnValueOnce(new Promise(() => undefined));
    const hung = tick();
    await pass(10 * second);
    await expect(hung).resolves.toBe(false);
    await expect(tick()).resolves.toBe(true);
    read.mockRestore();
  });
});

describe('an evaluation by the clock that ends late, on postgres alone', () => {
  beforeEach(() => start('postgres'));
  afterEach(stop);

  it('changes nothing any more: the alert is raised once, by the one that came after it', async () => {
    await send(97);
    // Silence is due, and the store does not answer.
    await lockAlerts(async (client) => {
      test.advance(70 * second);
      const hung = tick();
      const isWaiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'alerts'::regclass`;
      while ((await client.query(isWaiting)).rows.length === 0) {
        // Asked until the tick has come to the lock.
      }
      await pass(20 * second);
      await expect(hung).resolves.toBe(false);
      expect(test.server.alerts.listOpen(site)).toEqual([]);
    });
    // Until the transaction that was given up has ended, a row of it may be locked.
    while (!(await tick())) {
      await pass(second);
    }
    const items = await open();
    expect(items.map(({ parameter }) => parameter)).toEqual(['reporting']);
    expect((await logOf(items[0]?.id ?? 0)).filter((is) => is === 'raised')).toEqual(['raised']);
    const rows = await test.store.db.selectFrom('alerts').select('id').where('patient_id', '=', patient).execute();
    expect(rows).toHaveLength(1);
    expect(test.server.alerts.listOpen(site).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });
});

describe('a lock that nothing ends, on postgres alone', () => {
  beforeEach(async () => {
    await start('postgres');
    jest.useRealTimers();
  });
  afterEach(stop);

  it('takes no connection for ever: all that wait for it are refused, and the pool answers meanwhile', async () => {
    const { db } = test.store;
    await lockAlerts(async () => {
      const waiting = Array.from({ length: 8 }, () =>
        db
          .selectFrom('alerts')
          .select('id')
          .execute()
          .catch((error: unknown) => error),
      );
      await expect(Promise.all(waiting)).resolves.toEqual(
        waiting.map(() => expect.objectContaining({ code: '57014' }) as unknown),
      );
      await expect(test.store.checkWritable()).resolves.toBeUndefined();
      const list = await nurse.call('GET', '/api/v2/patients');
      expect(list.statusCode).toBe(200);
    });
    await expect(db.selectFrom('alerts').select('id').execute()).resolves.toEqual([]);
  });
});
