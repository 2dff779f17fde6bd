import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { toInstant } from '../../lib/time/schema';
import { createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { holdWriteLock } from '../../test/holdWriteLock';
import { sharedTestServer } from '../../test/sharedServer';
import { openSlowLink, type SlowLink } from '../../test/slowLink';
import { makeTestFolder } from '../../test/testFolder';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { createApp } from '../app';
import { createJobs, jobsOf } from '../jobs';
import { countOpening } from './fence';
import { holdOpening } from './fencedPostgres';
import { holdPostgresLock } from './lock';
import { makeDataDir } from './makeDataDir';
import { openStore, openStoreForCommand, type Store } from './open';
import { createWritableCheck } from './writableCheck';
import { createWriteGuard, FileLocked } from './writeGuard';

describe('fence', () => {
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
});

describe('frozen', () => {
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
});

describe('writeGuard', () => {
  const busy = (code: string): Error => Object.assign(new Error('database is locked'), { code });

  describe('createWriteGuard', () => {
    it('lets one write a second try a locked file and refuses all others without touching it', () => {
      let time = 0;
      let isLocked = true;
      let tried = 0;
      const guard = createWriteGuard(() => time);
      const write = (): string => {
        tried += 1;
        if (isLocked) {
          // SQLite waits before it gives up.
          time += 50;
          throw busy('SQLITE_BUSY');
        }
        return 'written';
      };
      const attempt = (): string => {
        try {
          return guard.write(write);
        } catch (error) {
          return error instanceof FileLocked ? error.code : 'another error';
        }
      };
      for (let call = 0; call < 500; call += 1) {
        expect(attempt()).toBe('SQLITE_BUSY');
        time += 10;
      }
      // 5 s and the time that the trials took.
      expect([Math.round(time / 1_000), tried]).toEqual([5, 6]);
      isLocked = false;
      expect(attempt()).toBe('SQLITE_BUSY');
      time += 1_000;
      expect([attempt(), attempt(), attempt()]).toEqual(['written', 'written', 'written']);
    });

    it.each(['SQLITE_CONSTRAINT', 'SQLITE_FULL', 'SQLITE_BUSY_SNAPSHOT'])(
      'passes %s on and refuses nothing',
      (code) => {
        const guard = createWriteGuard(() => 0);
        expect(() =>
          guard.write(() => {
            throw busy(code);
          }),
        ).toThrow('database is locked');
        expect(guard.write(() => 'written')).toBe('written');
      },
    );
  });

  describe('a server whose SQLite file another process has locked', () => {
    it('waits at its start until a command or a backup has written, and serves without waiting', async () => {
      const where = await createTestDatabase('sqlite', true);
      const { server } = await sharedTestServer('sqlite');
      const env = { ...server.env, dataDir: where.dataDir };
      const store = await openStore(env);
      const waits = (): unknown =>
        store.engine === 'sqlite' ? store.sqlite.pragma('busy_timeout', { simple: true }) : null;
      const release = await holdWriteLock(env.dataDir, 500);
      // Loading what is stored writes too: the minutes that the stop has cut in two.
      const { app } = await createApp({ env, store, log: pino({ level: 'silent' }) });
      await release();
      expect(waits()).toBe(5_000);
      await app.ready();
      expect(waits()).toBe(50);
      await app.close();
      await store.close();
      await where.remove();
    });

    it('answers reads, refuses writes at once, loses no sample, and says that it is not ready', async () => {
      // A server of its own: no one can store anything meanwhile.
      const test = await startTestServer('sqlite');
      const site = await test.addSite();
      await test.startRules(site);
      const device = await test.addDevice(site);
      const patientId = await test.addPatient(site);
      const nurse = await test.signIn(site, 'nurse');
      const sample = (at: number) => ({ patientId, kind: 'spo2', value: 97, takenAt: toInstant(at), quality: 'good' });
      const send = (at: number) => test.ingest(device.token, [sample(at)], { sentAt: toInstant(test.now()) });
      const isReady = async (): Promise<boolean> => (await test.app.inject('/readyz')).statusCode === 200;
      const clock = jobsOf(test.server, { tick: () => Promise.resolve() }).filter(
        ({ name }) => name === 'alerts by the clock',
      );
      const tick = async (): Promise<void> => {
        const jobs = createJobs(
          clock.map((job) => ({ ...job, atStart: true as const })),
          pino({ level: 'silent' }),
        );
        jobs.start();
        await jobs.stop();
      };
      // A view is audited before the first response, so it is one that the nurse has already.
      await nurse.call('GET', '/api/v2/patients');
      const first = test.now();
      expect((await send(first)).statusCode).toBe(200);
      await tick();

      const release = await holdWriteLock(test.server.env.dataDir);
      const took: Record<string, number> = {};
      const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
        const begun = performance.now();
        const result = await work();
        took[name] = Math.max(took[name] ?? 0, Math.round(performance.now() - begun));
        return result;
      };
      const refused: number[] = [];
      for (let second = 1; second <= 11; second += 1) {
        test.advance(1_000);
        refused.push((await timed('ingest', () => send(first + second * 1_000))).statusCode);
        const edit = { version: 1, familyName: 'Changed' };
        const edited = await timed('write', () => nurse.call('PATCH', `/api/v2/patients/${patientId}`, edit));
        refused.push(edited.statusCode);
        expect((await timed('healthz', () => test.app.inject('/healthz'))).statusCode).toBe(200);
        expect((await timed('read', () => nurse.call('GET', '/api/v2/patients'))).statusCode).toBe(200);
        await timed('tick', tick);
        await expect(isReady()).resolves.toBe(second <= 10);
      }
      expect(new Set(refused)).toEqual(new Set([503]));
      const { error } = (await send(first + 11_000)).json<{ error: { code: string } }>();
      expect(error.code).toBe('storage_unavailable');
      // With SQLite's usual patience each write took 5 s, and every read behind it as long.
      expect(Math.max(...Object.values(took))).toBeLessThan(2_500);

      await release();
      // The next trial is at most a second away.
      let status = 503;
      while (status === 503) {
        status = (await send(first + 1_000)).statusCode;
      }
      for (let second = 1; second <= 11; second += 1) {
        expect((await send(first + second * 1_000)).statusCode).toBe(200);
      }
      await tick();
      // As its job does each second.
      await test.server.storage.check();
      await expect(isReady()).resolves.toBe(true);
      const stored = await test.store.db.selectFrom('samples').select('taken_at').orderBy('taken_at').execute();
      expect(stored.map(({ taken_at }) => taken_at)).toEqual(
        Array.from({ length: 12 }, (_, second) => first + second * 1_000),
      );
      await test.stop();
    });
  });
});

describe('writableCheck', () => {
  describe.each(engines)('whether the store takes writes, on %s', (engine) => {
    let where: TestDatabase;
    let store: Store;
    let free: number;
    let at: number;
    let check: () => Promise<void>;

    beforeEach(async () => {
      where = await createTestDatabase(engine, true);
      store = await openStore(where);
      [free, at] = [10_000_000, 0];
      const checkLock = () => Promise.resolve();
      check = createWritableCheck({ db: store.db, checkLock, freeBytes: () => free, elapsed: () => at });
    });
    afterEach(async () => {
      await store.close();
      await where.remove();
    });

    const written = async (): Promise<number> =>
      (await store.db.selectFrom('progress').select('value').where('name', '=', 'written').executeTakeFirst())?.value ??
      0;

    it('is refused while the disk is full, although small writes fit, and shown once there is room', async () => {
      free = 999_999;
      await expect(check()).rejects.toThrow('The disk with the data is full');
      free = 1_000_000;
      await expect(check()).resolves.toBeUndefined();
    });

    it('is shown by what a reserve gives while the disk is full, as long as there is one', async () => {
      const reserve = [2_000_000];
      const checkWithReserve = createWritableCheck({
        db: store.db,
        checkLock: () => Promise.resolve(),
        freeBytes: () => free,
        giveUpReserve: () => {
          const room = reserve.pop();
          free += room ?? 0;
          return room !== undefined;
        },
        elapsed: () => at,
      });
      free = 0;
      await expect(checkWithReserve()).resolves.toBeUndefined();
      free = 0;
      await expect(checkWithReserve()).rejects.toThrow('The disk with the data is full');
    });

    it('is shown by a write that is committed, once in five seconds', async () => {
      for (at of [0, 1_000, 4_999, 5_000]) {
        await check();
      }
      await expect(written()).resolves.toBe(2);
    });

    it('is refused as long as a write fails, and tried each time', async () => {
      await check();
      await sql`ALTER TABLE progress RENAME TO gone`.execute(store.db);
      at = 5_000;
      await expect(check()).rejects.toThrow();
      at = 6_000;
      await expect(check()).rejects.toThrow();
      await sql`ALTER TABLE gone RENAME TO progress`.execute(store.db);
      await check();
      await expect(written()).resolves.toBe(2);
    });
  });

  describe('a SQLite file that may not grow', () => {
    it('refuses a write with the fault of the full store, and takes others once it may', async () => {
      const where = await createTestDatabase('sqlite', true);
      const store = await openStore(where);
      const sqlite = store.engine === 'sqlite' ? store.sqlite : null;
      const pages = Number(sqlite?.pragma('page_count', { simple: true }));
      const fill = (): Promise<unknown> =>
        store.db.transaction().execute((transaction) =>
          transaction
            .insertInto('sites')
            .values({ name: 'x'.repeat(100_000), time_zone: 'UTC', created_at: 0 })
            .execute(),
        );
      sqlite?.pragma(`max_page_count = ${pages}`);
      await expect(fill()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
      sqlite?.pragma('max_page_count = 1000000');
      await expect(fill()).resolves.toBeDefined();
      await store.close();
      await where.remove();
    });
  });
});

describe('the folder of the data', () => {
  const folder = makeTestFolder('data-dir');

  it.each([
    ['takes no folders', '/proc/wardlight'],
    ['takes none on the way to it', '/proc/wardlight/data'],
    ['is a file', path.join(folder, 'file')],
    ['is below a file', path.join(folder, 'file', 'data')],
  ])('is refused by its name where the place %s', (_, dataDir) => {
    writeFileSync(path.join(folder, 'file'), '');
    expect(() => {
      makeDataDir(dataDir);
    }).toThrow(`DATA_DIR names ${dataDir}, which is no folder that can be written to`);
  });

  it('is made for its owner alone, with those above it, and once', () => {
    const dataDir = path.join(folder, 'a', 'b');
    makeDataDir(dataDir);
    makeDataDir(dataDir);
    expect(existsSync(dataDir)).toBe(true);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });
});
