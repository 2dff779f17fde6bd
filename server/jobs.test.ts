import pino from 'pino';
import { toInstant } from '../lib/time/schema';
import { startTestServer, type TestServer } from '../test/testServer';
import { createJobs, jobsOf, type Job } from './jobs';

const everySecond = { everyMs: 1_000, failed: 'it failed' };

describe('the jobs of the server', () => {
  const lines: unknown[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });

  beforeEach(() => {
    lines.length = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('run at their intervals, and at start only if they say so', async () => {
    const often = jest.fn().mockResolvedValue(undefined);
    const seldom = jest.fn().mockResolvedValue(undefined);
    const jobs = createJobs(
      [
        { ...everySecond, name: 'often', run: often },
        { ...everySecond, name: 'seldom', everyMs: 3_000, atStart: true, run: seldom },
      ],
      log,
    );
    jobs.start();
    expect([often, seldom].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([often, seldom].map(({ mock }) => mock.calls.length)).toEqual([3, 2]);
    await jobs.stop();
  });

  it('run first when they say so, and at their interval from then on', async () => {
    const run = jest.fn().mockResolvedValue(undefined);
    const jobs = createJobs([{ ...everySecond, name: 'later', everyMs: 3_000, firstAfterMs: 1_000, run }], log);
    jobs.start();
    const runs: number[] = [];
    for (let second = 1; second <= 7; second += 1) {
      await jest.advanceTimersByTimeAsync(999);
      runs.push(run.mock.calls.length);
      await jest.advanceTimersByTimeAsync(1);
      runs.push(run.mock.calls.length);
    }
    expect(runs).toEqual([0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]);
    await jobs.stop();
  });

  it('do not run if the server stops before their first time', async () => {
    const run = jest.fn().mockResolvedValue(undefined);
    const jobs = createJobs([{ ...everySecond, name: 'later', firstAfterMs: 1_000, run }], log);
    jobs.start();
    await jobs.stop();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(run).not.toHaveBeenCalled();
  });

  it('log what fails, without its text, and go on: that job and the others', async () => {
    const failing = jest.fn().mockRejectedValue(new TypeError('heart rate of Ada: 12'));
    const other = jest.fn().mockResolvedValue(undefined);
    const jobs = createJobs(
      [
        { ...everySecond, name: 'failing', run: failing },
        { ...everySecond, name: 'other', run: other },
      ],
      log,
    );
    jobs.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect([failing, other].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
    expect(lines).toMatchObject([{ level: 50, job: 'failing', code: 'TypeError', failures: 1, msg: 'it failed' }]);
    expect(JSON.stringify(lines)).not.toContain('Ada');
    await jobs.stop();
  });

  it('log a failure that goes on once a minute, and its end; a rare job each time', async () => {
    const often = jest.fn().mockRejectedValue(new TypeError());
    const hourly = jest.fn().mockRejectedValue(new RangeError());
    const jobs = createJobs(
      [
        { ...everySecond, name: 'often', run: often },
        { ...everySecond, name: 'hourly', everyMs: 3_600_000, run: hourly },
      ],
      log,
    );
    jobs.start();
    await jest.advanceTimersByTimeAsync(150_000);
    expect(lines).toMatchObject([{ failures: 1 }, { failures: 61 }, { failures: 121 }]);
    often.mockResolvedValue(undefined);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(lines.slice(3)).toMatchObject([{ level: 30, job: 'often', failures: 150, msg: 'the job works again' }]);
    await jest.advanceTimersByTimeAsync(7_200_000);
    expect(lines.slice(4)).toMatchObject([
      { job: 'hourly', failures: 1 },
      { job: 'hourly', failures: 2 },
    ]);
    await jobs.stop();
  });

  it('do not run twice at the same time', async () => {
    let end = (): void => undefined;
    const slow = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const jobs = createJobs([{ ...everySecond, name: 'slow', run: slow }], log);
    jobs.start();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(slow).toHaveBeenCalledTimes(1);
    end();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(slow).toHaveBeenCalledTimes(2);
    end();
    await jobs.stop();
  });

  it('are aborted by the stop, which waits for the running one and starts no other', async () => {
    let signal: AbortSignal | undefined;
    let end = (): void => undefined;
    const slow = jest.fn((given: AbortSignal) => {
      signal = given;
      return new Promise<void>((resolve) => (end = resolve));
    });
    const jobs = createJobs([{ ...everySecond, name: 'slow', run: slow }], log);
    jobs.start();
    await jest.advanceTimersByTimeAsync(1_000);
    let stopped = false;
    const stopping = jobs.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(5_000);
    expect([signal?.aborted, stopped]).toEqual([true, false]);
    end();
    await stopping;
    jobs.start();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(slow).toHaveBeenCalledTimes(1);
  });
});

describe('each job', () => {
  let test: TestServer;
  const backups = { tick: jest.fn().mockResolvedValue(undefined) };
  const named = (name: string): Job | undefined => jobsOf(test.server, backups).find((job) => job.name === name);

  beforeAll(async () => {
    // A server of its own: each job runs on a new store, and its clock is set.
    test = await startTestServer('sqlite');
  });
  afterAll(() => test.stop());

  it.each([
    ['clock', 1_000],
    ['storage', 1_000],
    ['rollups', 1_000],
    ['idle sessions', 1_000],
    ['searches', 10_000],
    ['alerts by the clock', 1_000],
    ['late samples', 5_000],
    ['earlier values', 10_000],
    ['disk', 10_000],
    ['heartbeat', 30_000],
    ['backup', 1_800_000],
    ['retention', 3_600_000],
    ['raw messages', 3_600_000],
    ['audit head', 3_600_000],
  ])('%s runs on a new store, every %i ms', async (name, everyMs) => {
    const job = named(name);
    expect(job?.everyMs).toBe(everyMs);
    await expect(job?.run(new AbortController().signal).then(() => 'done')).resolves.toBe('done');
  });

  it('is in the list above', () => {
    expect(jobsOf(test.server, backups)).toHaveLength(15);
  });

  describe('retention', () => {
    const hour = 3_600_000;
    const deletes = async (): Promise<boolean> => (await test.server.clockWatch.deletionTime()) !== null;
    const checkClock = () => named('clock')?.run(new AbortController().signal);
    let token: string;
    let patientId: number;
    /** A server hears its own heartbeat at least. */
    const hear = async (): Promise<void> => {
      const takenAt = toInstant(test.now());
      const answer = await test.ingest(token, [{ patientId, kind: 'spo2', value: 97, takenAt }], { sentAt: takenAt });
      expect(answer.json()).toMatchObject({ accepted: 1, rejected: [] });
    };
    beforeAll(async () => {
      const site = await test.addSite();
      ({ token } = await test.addDevice(site));
      patientId = await test.addPatient(site);
    });

    it('deletes nothing for a day after the clock was set, by however much it may be wrong', async () => {
      await expect(deletes()).resolves.toBe(true);
      test.setWallClock(400 * 24 * hour);
      await checkClock();
      await expect(deletes()).resolves.toBe(false);
      test.advance(25 * hour);
      await expect(deletes()).resolves.toBe(true);
    });

    it('goes on after small steps of the clock, until they are an hour altogether', async () => {
      for (const minutes of [20, 20, -10]) {
        test.setWallClock(minutes * 60_000);
        await checkClock();
        await expect(deletes()).resolves.toBe(true);
      }
      test.setWallClock(30 * 60_000);
      await checkClock();
      await expect(deletes()).resolves.toBe(false);
      test.advance(25 * hour);
      await expect(deletes()).resolves.toBe(true);
    });

    it.each([
      ['forward', 400 * 24 * hour],
      ['back', -40 * 24 * hour],
    ])('remembers over a restart that the clock was set %s', async (_, ms) => {
      test.setWallClock(ms);
      await checkClock();
      test.advance(hour);
      await hear();
      await test.restart();
      await expect(deletes()).resolves.toBe(false);
      test.advance(22 * hour);
      await hear();
      await test.restart();
      await expect(deletes()).resolves.toBe(false);
      // No one looked at the clock while the server was down, so its day begins again.
      test.advance(25 * hour);
      await expect(deletes()).resolves.toBe(true);
    });

    it.each([30, 500])(
      'deletes nothing by a clock that is %i days ahead since a start, until it was left alone for a day',
      async (days) => {
        const samples = async (): Promise<number> =>
          (await test.store.db.selectFrom('samples').select('value').where('patient_id', '=', patientId).execute())
            .length;
        await hear();
        const before = await samples();
        test.setWallClock(days * 24 * hour);
        await test.restart();
        for (let part = 0; part < 3; part += 1) {
          test.advance(7 * hour);
          await named('rollups')?.run(new AbortController().signal);
          await named('retention')?.run(new AbortController().signal);
        }
        await expect(samples()).resolves.toBe(before);
        test.setWallClock(-days * 24 * hour);
        await test.restart();
      },
    );

    it('waits for a day if the clock was set while the server was down, also if nothing shows it', async () => {
      test.setWallClock(400 * 24 * hour);
      await checkClock();
      test.setWallClock(-400 * 24 * hour);
      await test.restart();
      await expect(deletes()).resolves.toBe(false);
      test.advance(25 * hour);
      await expect(deletes()).resolves.toBe(true);
      await hear();
      test.setWallClock(400 * 24 * hour);
      await test.restart();
      await expect(deletes()).resolves.toBe(false);
      test.advance(25 * hour);
      await expect(deletes()).resolves.toBe(true);
    });
  });

  it('heartbeat leaves no number that looks like a duration when it failed', async () => {
    const beat = jobsOf(
      { ...test.server, recorder: { ...test.server.recorder, record: () => Promise.reject(new Error('disk full')) } },
      backups,
    ).find(({ name }) => name === 'heartbeat');
    await expect(beat?.run(new AbortController().signal)).rejects.toThrow('disk full');
    const { values } = await test.server.metrics.heartbeat.get();
    expect(values.map(({ value }) => value)).toEqual([NaN]);
  });
});
