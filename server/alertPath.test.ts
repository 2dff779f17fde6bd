import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import pino from 'pino';
import { startTestServer, type Caller, type TestServer } from '../test/testServer';
import { alertPathHeaderValue } from '../lib/alerts/alertPathSchema';
import { alertsStoppedSince } from '../lib/alerts/alertPath';
import { createAlertPathWatch } from './alertPath';
import { createJobs, jobsOf, type Job } from './jobs';

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
