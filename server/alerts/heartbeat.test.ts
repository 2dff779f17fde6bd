import type { AlertsPage } from '../../lib/alerts/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';
import { jobsOf } from '../jobs';
import type { Server } from '../server';
import { createHeartbeat, type Beat } from './heartbeat';
import { heartbeatPatients } from './heartbeatPatient';

let test: TestServer;

/** A beat and the 30 s after it, at whose end the clock is evaluated. */
async function round(beat: () => Promise<Beat>, evaluate = test.server.alerts.evaluateClock): Promise<Beat> {
  const result = await beat();
  test.advance(30_000);
  await evaluate();
  return result;
}

describe.each(apiEngines)('the heartbeat on %s', (engine) => {
  // A server of its own: its alarm path is watched, and its heartbeats are counted.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    // Whatever beat before is long silent.
    test.advance(600_000);
    await test.server.alerts.evaluateClock();
  });
  afterAll(() => test.stop());

  it('goes through ingest, rule and event, and through a silence that the clock notices, every 30 s', async () => {
    const beat = createHeartbeat(test.server);
    const beats: boolean[] = [];
    for (let count = 0; count < 8; count += 1) {
      const { tookMs, isComplete } = await round(beat);
      expect(tookMs).toBeGreaterThan(0);
      beats.push(isComplete);
    }
    // Each of the two streams has to be silent once before.
    expect(beats).toEqual([false, false, true, true, true, true, true, true]);
  });

  it('is missed if the clock is not evaluated, and heard again after it is', async () => {
    const beat = createHeartbeat(test.server);
    const asleep = (): Promise<void> => Promise.resolve();
    await round(beat);
    await round(beat);
    await expect(round(beat)).resolves.toMatchObject({ isComplete: true });
    await expect(round(beat, asleep)).resolves.toMatchObject({ isComplete: true });
    await expect(round(beat, asleep)).rejects.toThrow('The silence of the heartbeat was not noticed');
    test.advance(30_000);
    await expect(round(beat, asleep)).rejects.toThrow('The silence of the heartbeat was not noticed');
    test.advance(30_000);
    await test.server.alerts.evaluateClock();
    const after: (boolean | 'missed')[] = [];
    for (let count = 0; count < 4; count += 1) {
      after.push(
        await round(beat).then(
          ({ isComplete }) => isComplete,
          () => 'missed' as const,
        ),
      );
    }
    expect(after.slice(-2)).toEqual([true, true]);
  });

  it('is heard after a start that follows the beat before it at once', async () => {
    const backups = { tick: () => Promise.resolve() };
    const job = jobsOf(test.server, backups).find(({ name }) => name === 'heartbeat');
    await createHeartbeat(test.server)();
    test.advance(job?.firstAfterMs ?? 0);
    await test.server.alerts.evaluateClock();
    await expect(createHeartbeat(test.server)()).resolves.toMatchObject({ isComplete: false });
  }, 20_000);

  it('is missed if the store takes nothing', async () => {
    const { recorder } = test.server;
    const beat = createHeartbeat({
      ...test.server,
      recorder: { ...recorder, record: () => Promise.reject(new Error('disk full')) },
    });
    await expect(beat()).rejects.toThrow('disk full');
  });

  it('is missed if no event comes', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const beat = createHeartbeat({
      ...test.server,
      alerts: { ...test.server.alerts, onChange: () => () => undefined },
    });
    const heard = beat().then(
      () => 'heard',
      (error: unknown) => String(error),
    );
    await jest.advanceTimersByTimeAsync(10_000);
    jest.useRealTimers();
    await expect(heard).resolves.toBe('Error: The heartbeat was not heard');
  });

  it('counts only complete beats, and only they keep the alarm path from being reported', async () => {
    const { server } = test;
    const backups = { tick: () => Promise.resolve() };
    const job = (of: Server) => jobsOf(of, backups).find(({ name }) => name === 'heartbeat');
    const own = job(server);
    const { signal } = new AbortController();
    server.alertPath.started();
    const ages: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      await own?.run(signal);
      ages.push(test.now() - server.alertPath.read().lastHeartbeatAt);
      test.advance(30_000);
      await server.alerts.evaluateClock();
      server.alertPath.ticked();
      expect(server.alertPath.stoppedSince()).toBeNull();
    }
    expect(ages).toEqual([0, 30_000, 0, 0, 0]);
    const metrics = (await test.app.inject('/metrics')).body;
    expect(metrics).toContain('\nwardlight_heartbeats_total 3\n');
    expect(metrics).toContain('\nwardlight_heartbeat_age_seconds 30\n');
  });
});

describe.each(apiEngines)('the heartbeat of a new server on %s', (engine) => {
  // A server for each: the clock is set, or all that heartbeats have left is counted.
  beforeEach(async () => {
    test = await startTestServer(engine);
  });
  afterEach(() => test.stop());

  it.each([-3_600_000, -90_000, 7_200_000])(
    'is complete again within 90 s after the wall clock was set by %i ms',
    async (step) => {
      const beat = createHeartbeat(test.server);
      for (let count = 0; count < 40; count += 1) {
        await round(beat);
      }
      test.setWallClock(step);
      await test.server.clockWatch.check();
      const after: (boolean | 'missed')[] = [];
      for (let count = 0; count < 10; count += 1) {
        after.push(
          await round(beat).then(
            ({ isComplete }) => isComplete,
            () => 'missed' as const,
          ),
        );
      }
      expect(after.slice(0, 3)).toContain(true);
      expect(after.slice(3)).toEqual(Array.from({ length: 7 }, () => true));
    },
  );

  it('is in no list, count, export or metric, and leaves nothing that grows', async () => {
    const site = await test.addSite();
    const beat = createHeartbeat(test.server);
    const rows = async (): Promise<Record<string, number>> => {
      const found: Record<string, number> = {};
      for (const table of ['samples', 'minutes', 'rule_states', 'latest_values', 'alerts', 'alert_events'] as const) {
        const { count } = await test.store.db
          .selectFrom(table)
          .select((select) => select.fn.countAll().as('count'))
          .where('site_id', '=', 0)
          .executeTakeFirstOrThrow();
        found[table] = Number(count);
      }
      return found;
    };
    const play = async (count: number): Promise<void> => {
      for (let beats = 0; beats < count; beats += 1) {
        await round(beat);
        await test.server.rollups.catchUp(test.server.recorder.inFlight);
      }
    };
    // Longer than alerts of the heartbeat are kept, and half as long again.
    await play(130);
    const before = await rows();
    await play(60);
    const after = await rows();
    for (const [table, count] of Object.entries(after)) {
      expect([table, count]).toEqual([table, expect.any(Number)]);
      expect(count).toBeLessThanOrEqual((before[table] ?? 0) + 4);
    }
    expect(after.samples).toBeLessThan(200);
    expect(after.minutes).toBeLessThan(20);

    const nurse = await test.signIn(site, 'nurse');
    const ids = heartbeatPatients.map(({ id }) => id);
    await expect(test.store.db.selectFrom('patients').select('id').where('id', 'in', ids).execute()).resolves.toEqual(
      [],
    );
    expect([...test.server.liveState.patients.keys()].filter((id) => ids.includes(id))).toEqual([]);
    for (const state of ['open', 'closed']) {
      const page = (await nurse.call('GET', `/api/v2/alerts?state=${state}&pageSize=500`)).json<AlertsPage>();
      expect([page.items, page.total]).toEqual([[], 0]);
    }
    expect((await nurse.call('GET', '/api/v2/patients')).json<{ total: number }>().total).toBe(0);
    expect((await test.app.inject('/metrics')).body).toContain('\nwardlight_patients 0\n');
  });
});
