import pino from 'pino';
import { toInstant } from '../../lib/time/schema';
import { createTestDatabase } from '../../test/database';
import { holdWriteLock } from '../../test/holdWriteLock';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer } from '../../test/testServer';
import { createApp } from '../app';
import { createJobs, jobsOf } from '../jobs';
import { openStore } from './open';
import { createWriteGuard, FileLocked } from './writeGuard';

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

  it.each(['SQLITE_CONSTRAINT', 'SQLITE_FULL', 'SQLITE_BUSY_SNAPSHOT'])('passes %s on and refuses nothing', (code) => {
    const guard = createWriteGuard(() => 0);
    expect(() =>
      guard.write(() => {
        throw busy(code);
      }),
    ).toThrow('database is locked');
    expect(guard.write(() => 'written')).toBe('written');
  });
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
