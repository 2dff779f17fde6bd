import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import pino from 'pino';
import { alertsStoppedSince } from '../lib/alerts/alertPath';
import { alertPathHeaderValue } from '../lib/alerts/alertPathSchema';
import { engines } from '../test/database';
import { refuseWrites } from '../test/refuseWrites';
import { type Caller, startTestServer, type TestServer } from '../test/testServer';
import { createAlertPathWatch } from './alertPath';
import { createJobs, type Job, jobsOf } from './jobs';
import { createLoopWatch, createStallLog } from './loopWatch';
import { createStorageWatch } from './storageWatch';

describe('loopWatch', () => {
  describe('the watch over the thread', () => {
    it.each([
      ['in time', 50, null],
      ['200 ms late', 250, null],
      ['more than that late', 251, 201],
      ['late by seconds', 12_650, 12_600],
    ])('that looks %s says how long it was busy: %#', (_, ms, expected) => {
      let now = 1_000;
      const look = createLoopWatch(() => now);
      now += ms;
      expect(look()).toBe(expected);
      // It was one stall.
      now += 60;
      expect(look()).toBeNull();
    });
  });

  describe('the log of stalls', () => {
    it('has the first at once, and then all others in a line a minute', () => {
      let now = 0;
      const toLog = createStallLog(() => now);
      const said: unknown[] = [];
      for (; now <= 180_000; now += 50) {
        // Stalls for a while, then none.
        said.push(toLog(now <= 100_000 && now % 1_000 === 0 ? 201 + now / 1_000 : null));
      }
      expect(said.filter((line) => line !== null)).toEqual([
        { stalls: 1, longestMs: 201 },
        { stalls: 60, longestMs: 261 },
        { stalls: 40, longestMs: 301 },
      ]);
    });
  });
});

describe('storageWatch', () => {
  describe('createStorageWatch', () => {
    it('says since when nothing could be stored, after 10 s, and heals with the next check', async () => {
      let time = 1_000_000;
      let isFull = true;
      const clock = (): number => time;
      const checkWritable = () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve());
      const watch = createStorageWatch({ checkWritable }, clock, clock);
      time += 60_000;
      watch.started();
      isFull = false;
      await watch.check();
      isFull = true;
      for (let second = 0; second <= 10; second += 1) {
        await expect(watch.check()).rejects.toThrow('full');
        expect(watch.notStoredSince()).toBeNull();
        time += 1_000;
      }
      expect(watch.notStoredSince()).toBe(1_060_000);
      isFull = false;
      await watch.check();
      expect(watch.notStoredSince()).toBeNull();
    });

    it('says so at once after a start, if the first check fails, and not before that', async () => {
      let time = 1_000_000;
      let isFull = true;
      const clock = (): number => time;
      const checkWritable = () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve());
      const watch = createStorageWatch({ checkWritable }, clock, clock);
      time += 2_000;
      watch.started();
      expect(watch.notStoredSince()).toBeNull();
      time += 1;
      await expect(watch.check()).rejects.toThrow('full');
      expect(watch.notStoredSince()).toBe(1_002_000);
      isFull = false;
      await watch.check();
      expect(watch.notStoredSince()).toBeNull();
      isFull = true;
      await expect(watch.check()).rejects.toThrow('full');
      expect(watch.notStoredSince()).toBeNull();
    });

    it('counts a check from its beginning: one that hangs has stored nothing yet', async () => {
      let time = 0;
      const clock = (): number => time;
      const end: (() => void)[] = [];
      const watch = createStorageWatch(
        { checkWritable: () => new Promise((resolve) => end.push(resolve)) },
        clock,
        clock,
      );
      const first = watch.check();
      time = 30_000;
      expect(watch.notStoredSince()).toBe(0);
      end.forEach((resolve) => {
        resolve();
      });
      await first;
      expect(watch.notStoredSince()).toBe(0);
    });

    it.each([-3_600_000, 7_200_000])('is not deceived by a step of the wall clock by %i ms', (step) => {
      let [wall, time] = [Date.UTC(2026, 4, 1), 5_000];
      const watch = createStorageWatch(
        { checkWritable: () => Promise.reject(new Error('full')) },
        () => wall,
        () => time,
      );
      time += 9_000;
      wall += 9_000 + step;
      expect(watch.notStoredSince()).toBeNull();
      time += 1_001;
      wall += 1_001;
      expect(watch.notStoredSince()).toBe(wall - 10_001);
    });
  });

  describe.each(engines)('a store that takes no writes, on %s', (engine) => {
    it('is in every response after 10 s, and at /readyz', async () => {
      // A server of its own: its store takes no writes, which every response says.
      const test = await startTestServer(engine);
      const nurse = await test.signIn(await test.addSite(), 'nurse');
      const { storage } = test.server;
      const headers = async (): Promise<unknown[]> => [
        (await nurse.call('GET', '/api/user/getCurrentUser')).headers['x-not-stored-since'],
        (await nurse.call('GET', '/api/v2/patients?page=x')).headers['x-not-stored-since'],
        (await test.app.inject('/nowhere')).headers['x-not-stored-since'],
        (await test.app.inject('/healthz')).headers['x-not-stored-since'],
      ];
      // The first request: before it SQLite waits for others for longer.
      await expect(headers()).resolves.toEqual([undefined, undefined, undefined, undefined]);
      const since = test.now();
      await storage.check();
      const heal = await refuseWrites(test);
      for (let second = 0; second < 11; second += 1) {
        test.advance(1_000);
        await expect(storage.check()).rejects.toThrow();
      }
      await expect(headers()).resolves.toEqual([since, since, since, since].map(String));
      const ready = await test.app.inject('/readyz');
      expect([ready.statusCode, ready.json<{ error: { code: string } }>().error.code]).toEqual([
        503,
        'storage_unavailable',
      ]);
      await heal();
      // One write a second tries a file that was locked.
      while ((await headers())[0] !== undefined) {
        await storage.check().catch(() => undefined);
      }
      await expect(headers()).resolves.toEqual([undefined, undefined, undefined, undefined]);
      await test.stop();
    });
  });
});

describe('alertPath', () => {
  describe('createAlertPathWatch', () => {
    it('counts the start as the first tick and beat, and a missed one from there', () => {
      let time = 1_000_000;
      const watch = createAlertPathWatch(
        () => time,
        () => time,
      );
      time += 60_000;
      watch.started();
      const started = time;
      expect(watch.read()).toEqual({ lastTickAt: started, lastHeartbeatAt: started });
      time += 10_000;
      expect(watch.stoppedSince()).toBeNull();
      time += 1;
      expect(watch.stoppedSince()).toBe(started);
      watch.ticked();
      expect(watch.stoppedSince()).toBeNull();
      for (let second = 0; second < 80; second += 1) {
        time += 1_000;
        watch.ticked();
      }
      expect(watch.stoppedSince()).toBe(started);
      watch.beat();
      expect(watch.stoppedSince()).toBeNull();
    });

    it.each([-3_600_000, 7_200_000])('is not deceived by a step of the wall clock by %i ms', (step) => {
      let [wall, time] = [Date.UTC(2026, 4, 1), 5_000];
      const watch = createAlertPathWatch(
        () => wall,
        () => time,
      );
      time += 4_000;
      wall += 4_000 + step;
      expect(watch.stoppedSince()).toBeNull();
      expect(watch.read().lastTickAt).toBe(wall - 4_000);
      time += 6_001;
      wall += 6_001;
      expect(watch.stoppedSince()).toBe(wall - 10_001);
    });
  });

  describe('a clock evaluation that stops', () => {
    let test: TestServer;
    let nurse: Caller;
    const log = pino({ level: 'silent' });
    const backups = { tick: () => Promise.resolve() };

    beforeAll(async () => {
      // A server of its own: its alert path stops, which every response says.
      test = await startTestServer('sqlite');
      nurse = await test.signIn(await test.addSite(), 'nurse');
    });
    afterAll(() => test.stop());
    beforeEach(() => {
      test.server.alertPath.started();
    });

    /** The server's own jobs, with another evaluation: the store takes writes meanwhile. */
    const clockJobs = (evaluateClock: () => Promise<void>): Job[] =>
      jobsOf({ ...test.server, alerts: { ...test.server.alerts, evaluateClock } }, backups).filter(({ name }) =>
        ['storage', 'alerts by the clock'].includes(name),
      );
    /** Runs the jobs for some seconds of the test's clock. */
    async function run(evaluateClock: () => Promise<void>, seconds: number): Promise<void> {
      jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
      const jobs = createJobs(clockJobs(evaluateClock), log);
      jobs.start();
      for (let second = 0; second < seconds; second += 1) {
        test.advance(1_000);
        await jest.advanceTimersByTimeAsync(1_000);
      }
      jest.useRealTimers();
    }
    /** What a response says: since when alerts do not run. */
    const saidBy = (headers: Record<string, unknown>): number | null =>
      alertsStoppedSince(alertPathHeaderValue.parse(headers['x-alert-path']), Number(headers['x-server-time']));

    it.each<[string, () => Promise<void>]>([
      ['hangs', () => new Promise(() => undefined)],
      ['throws', () => Promise.reject(new Error('a kind that no one knows'))],
    ])('is in every response after 10 s, at /readyz and in the metrics, if it %s', async (_, evaluateClock) => {
      await run(() => Promise.resolve(), 3);
      const before = await nurse.call('GET', '/api/user/getCurrentUser');
      expect(saidBy(before.headers)).toBeNull();
      expect((await test.app.inject('/readyz')).statusCode).toBe(200);
      const lastTick = test.now();
      await run(evaluateClock, 11);

      const responses = {
        user: await nurse.call('GET', '/api/user/getCurrentUser'),
        unknownPage: await test.app.inject('/nowhere'),
        unauthorized: await test.app.inject('/api/v2/patients'),
        invalid: await nurse.call('GET', '/api/v2/patients?page=x'),
      };
      for (const { headers } of Object.values(responses)) {
        expect(saidBy(headers)).toBe(lastTick);
      }
      expect(responses.unauthorized.statusCode).toBe(401);
      const ready = await test.app.inject('/readyz');
      expect([ready.statusCode, ready.json<{ error: { code: string } }>().error.code]).toEqual([
        503,
        'alerts_not_running',
      ]);
      expect((await test.app.inject('/healthz')).statusCode).toBe(200);
      expect((await test.app.inject('/metrics')).body).toContain('\nwardlight_alert_tick_age_seconds 11\n');

      await run(() => Promise.resolve(), 1);
      expect(saidBy((await test.app.inject('/nowhere')).headers)).toBeNull();
      expect((await test.app.inject('/readyz')).statusCode).toBe(200);
    });

    it('is in the responses of a locked session and in those that say that nothing has changed', async () => {
      const first = (await nurse.call('GET', '/api/v2/patients')).json<{ version: string }>();
      test.advance(11_000);
      const unchanged = await nurse.call('GET', `/api/v2/patients?after=${encodeURIComponent(first.version)}`);
      expect(unchanged.json()).toEqual({ unchanged: true, version: first.version });
      expect(saidBy(unchanged.headers)).toBe(test.now() - 11_000);
      await nurse.call('POST', '/api/v2/auth/lock');
      const locked = await nurse.call('GET', '/api/v2/patients');
      expect([locked.statusCode, saidBy(locked.headers)]).toEqual([423, test.now() - 11_000]);
      const checked = await nurse.call('GET', '/api/v2/alert-path');
      expect([checked.statusCode, saidBy(checked.headers)]).toEqual([204, test.now() - 11_000]);
    });

    it('is in the first event of a stream', async () => {
      const other = await test.signIn(nurse.siteId, 'nurse');
      const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
      test.advance(11_000);
      const cookie = Object.entries(other.cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ');
      const request = get(`${address}/api/v2/events`, { headers: { cookie } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) {
        text += String(chunk);
        if (text.includes('event: alertPath') && text.endsWith('\n\n')) {
          break;
        }
      }
      expect(text).toContain(`"serverTime":${test.now()},"lastTickAt":${test.now() - 11_000}`);
    });
  });
});
