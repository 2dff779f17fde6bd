import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { toInstant } from '../../lib/time/schema';
import { engines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';

describe.each(engines)('the rollups on %s', (engine) => {
  let test: TestServer;
  let token: string;
  let siteId: number;
  let deviceId: number;
  let patientId: number;
  /** The first millisecond of a minute that has just begun. */
  let start: number;

  beforeAll(async () => {
    // A server of its own: its clock is set, and a table is away for a time.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    siteId = await test.addSite();
    patientId = await test.addPatient(siteId);
    ({ id: deviceId, token } = await test.addDevice(siteId));
    test.advance(60_000 - (test.now() % 60_000));
    await catchUp();
    // Past the minute that a restart has cut in two.
    test.advance(60_000);
    start = test.now();
  });
  afterAll(() => test.stop());

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const wire = (second: number, value: number, quality = 'good'): object => ({
    patientId,
    kind: 'spo2',
    value,
    quality,
    takenAt: toInstant(start + second * 1_000),
  });
  const send = async (...samples: object[]): Promise<void> => {
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      rejected: [],
    });
  };
  const minutes = async (): Promise<(number | null)[][]> => {
    const rows = await test.store.db
      .selectFrom('minutes')
      .selectAll()
      .where('patient_id', '=', patientId)
      .orderBy('minute')
      .execute();
    return rows.map(({ minute, min, max, last, count, invalid }) => [
      minute - start / 60_000,
      min,
      max,
      last,
      count,
      invalid,
    ]);
  };
  const due = async (): Promise<number> =>
    (await test.store.db.selectFrom('minutes_to_redo').select('minute').where('patient_id', '=', patientId).execute())
      .length;

  it('leave a minute alone until 5 s after its end, and then write it whole', async () => {
    await send(wire(1, 97), wire(2, 70), wire(3, 0, 'invalid'), wire(59, 95));
    test.advance(64_999);
    await catchUp();
    await expect(minutes()).resolves.toEqual([]);
    expect(test.server.rollups.rolledUpTo()).toBe(start / 60_000);
    test.advance(1);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 70, 97, 95, 3, 1]]);
    expect(test.server.rollups.rolledUpTo()).toBe(start / 60_000 + 1);
  });

  it('write a minute without any value as one that was silent, and none where nothing came', async () => {
    await send(wire(0, 0), wire(125, 96));
    test.advance(200_000);
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [0, null, null, null, 0, 1],
      [2, 96, 96, 96, 1, 0],
    ]);
  });

  it('redo a minute for late samples and for corrections', async () => {
    await send(wire(1, 97), wire(30, 95));
    test.advance(70_000);
    await catchUp();
    await send(wire(10, 60), wire(40, 99));
    await expect(due()).resolves.toBe(1);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 60, 99, 99, 4, 0]]);
    await send(wire(10, 96), wire(40, 99, 'invalid'));
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 95, 97, 95, 3, 1]]);
    await expect(due()).resolves.toBe(0);
  });

  it('count the questionable of a minute when it closes and when it is redone', async () => {
    const questionable = async (): Promise<number[]> => {
      const rows = await test.store.db
        .selectFrom('minutes')
        .select('questionable')
        .where('patient_id', '=', patientId)
        .execute();
      return rows.map((row) => row.questionable);
    };
    await send(wire(1, 97), wire(2, 88, 'questionable'), wire(3, 0, 'invalid'));
    test.advance(70_000);
    await catchUp();
    await expect(questionable()).resolves.toEqual([1]);
    await send(wire(4, 87, 'questionable'), wire(5, 86, 'questionable'), wire(2, 88));
    await catchUp();
    await expect(questionable()).resolves.toEqual([2]);
    await expect(minutes()).resolves.toEqual([[0, 86, 97, 86, 4, 1]]);
  });

  it('stop at once between two steps of a long list, however long the last one took', async () => {
    await send(wire(1, 97), wire(61, 95));
    test.advance(130_000);
    await catchUp();
    await send(wire(2, 97), wire(62, 95));
    let elapsed = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => (elapsed += 10_000));
    const busy = catchUp();
    while ((await due()) === 2) {
      await turn();
    }
    await turn();
    const stopped = test.server.rollups.stop().then(() => 'stopped');
    await expect(Promise.race([stopped, wait(2_000, 'waits')])).resolves.toBe('stopped');
    now.mockRestore();
    await busy;
    await expect(due()).resolves.toBe(1);
    await test.restart();
    await catchUp();
    await expect(due()).resolves.toBe(0);
  });

  it('write samples in any order as if they had come in theirs', async () => {
    await send(wire(30, 95), wire(10, 97));
    await send(wire(20, 60));
    await send(wire(20, 96));
    test.advance(70_000);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 95, 97, 95, 3, 0]]);
  });

  it('close what a restart has interrupted, with what comes after it', async () => {
    await send(wire(1, 97), wire(2, 80));
    await test.restart();
    await send(wire(3, 90));
    test.advance(70_000);
    await test.restart();
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 80, 97, 90, 3, 0]]);
  });

  it('keep apart the minutes of a device whose clock runs a day ahead, over a restart', async () => {
    const ahead = 86_400_000;
    const sendAhead = async (second: number, value: number): Promise<void> => {
      const samples = [{ patientId, kind: 'spo2', value, takenAt: toInstant(start + ahead + second * 1_000) }];
      expect((await test.ingest(token, samples, { sentAt: toInstant(test.now() + ahead) })).json()).toMatchObject({
        accepted: 1,
      });
    };
    await sendAhead(1, 97);
    await test.restart();
    expect(test.server.rollups.closedUntil()).toBe(start / 60_000 + 1);
    await sendAhead(2, 90);
    test.advance(ahead + 70_000);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[1_440, 90, 97, 90, 2, 0]]);
  });

  it('go on with the minutes of devices after a step back of the clock, and a start closes none again', async () => {
    const hourMs = 3_600_000;
    await send(wire(1, 97));
    test.advance(70_000);
    await catchUp();
    const closed = test.server.rollups.closedUntil();
    test.setWallClock(-hourMs);
    await test.server.clockWatch.check();
    // Devices go on by clocks of their own.
    const sendOn = async (second: number, value: number): Promise<void> => {
      const sentAt = toInstant(start + second * 1_000);
      const answer = await test.ingest(token, [wire(second, value)], { sentAt });
      expect(answer.json()).toMatchObject({ accepted: 1 });
    };
    for (let minute = 2; minute <= 20; minute += 1) {
      await sendOn(minute * 60 + 1, 90 + (minute % 5));
      await sendOn(minute * 60 + 31, 80);
      test.advance(60_000);
      await catchUp();
    }
    expect(test.server.rollups.closedUntil()).toBe(closed);
    const isDone = ([minute]: (number | null)[]): boolean => (minute ?? 0) < 20 && (minute ?? 0) >= 7;
    const done = (await minutes()).filter(isDone);
    expect(done).toHaveLength(13);
    for (const [minute, min, max, last, count] of done) {
      expect([min, max, last, count]).toEqual([80, 90 + ((minute ?? 0) % 5), 80, 2]);
    }
    await test.restart();
    expect(test.server.rollups.closedUntil()).toBe(closed);
    await sendOn(20 * 60 + 41, 96);
    // Until the minutes of before the step are reached again, and all of the devices' are over.
    test.advance(hourMs);
    await catchUp();
    await catchUp();
    const all = await minutes();
    expect(all.map(([minute]) => minute)).toEqual([0, ...Array.from({ length: 19 }, (_, index) => index + 2)]);
    expect(all.at(-1)).toEqual([20, 80, 96, 96, 3, 0]);
    await expect(due()).resolves.toBe(0);
  });

  it.each(['runs', 'starts'])('are opened again where a clock closed those of a month, when it %s', async (when) => {
    const monthMs = 30 * 86_400_000;
    const sendOn = async (second: number, value: number, ahead = 0): Promise<void> => {
      const takenAt = toInstant(start + ahead + second * 1_000);
      const samples = [{ patientId, kind: 'spo2', value, takenAt }];
      expect((await test.ingest(token, samples, { sentAt: takenAt })).json()).toMatchObject({ accepted: 1 });
    };
    await sendOn(1, 97);
    test.setWallClock(monthMs);
    await test.server.clockWatch.check();
    test.advance(70_000);
    await catchUp();
    expect(test.server.rollups.closedUntil()).toBeGreaterThan((start + monthMs) / 60_000);
    // This device's clock was set with that of the server: its minute is open when the clock is mended.
    await sendOn(61, 80, monthMs);
    test.setWallClock(-monthMs);
    await (when === 'runs' ? test.server.clockWatch.check() : test.restart());
    await catchUp();
    expect(test.server.rollups.closedUntil()).toBeLessThanOrEqual(test.now() / 60_000 + 1);
    test.advance(120_000 - ((test.now() - start) % 60_000));
    await catchUp();
    const second = (test.now() - start) / 1_000;
    await sendOn(second + 1, 95);
    await sendOn(second + 2, 94);
    // It is counted in memory until it is over.
    await expect(due()).resolves.toBe(0);
    test.advance(70_000);
    await catchUp();
    await expect(due()).resolves.toBe(0);
    await expect(minutes()).resolves.toEqual([
      [0, 97, 97, 97, 1, 0],
      [second / 60, 94, 95, 94, 2, 0],
      [monthMs / 60_000 + 1, 80, 80, 80, 1, 0],
    ]);
    // When the month is over, what comes then joins what came before.
    test.advance(start + monthMs + 90_000 - test.now());
    await catchUp();
    await sendOn(62, 85, monthMs);
    test.advance(70_000);
    await catchUp();
    expect((await minutes()).at(-1)).toEqual([monthMs / 60_000 + 1, 80, 85, 85, 2, 0]);
  });

  it('make up for a closing that failed', async () => {
    await send(wire(1, 97));
    test.advance(70_000);
    await sql`ALTER TABLE minutes RENAME TO minutes_away`.execute(test.store.db);
    await catchUp();
    await sql`ALTER TABLE minutes_away RENAME TO minutes`.execute(test.store.db);
    expect(test.logLines.at(-1)).toMatchObject({ msg: 'rolling up minutes failed; it is tried again' });
    expect(test.server.rollups.rolledUpTo()).toBeLessThanOrEqual(start / 60_000);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 97, 97, 97, 1, 0]]);
  });

  it.each(['closed', 'redone'])('lose nothing that arrives while its minute is %s', async (what) => {
    await send(wire(-60, 95), wire(1, 97));
    test.advance(what === 'redone' ? 70_000 : 0);
    await catchUp();
    // Puts the minute on the list where it was closed before.
    await send(wire(3, 96));
    const commits = await holdUpCommits();
    // In one transaction: the late sample first, then what is held up.
    const arriving = Promise.all([record(wire(4, 60)), record(wire(-60, 94))]);
    await commits.whenHeldUp();
    test.advance(what === 'closed' ? 70_000 : 0);
    const rolled = catchUp();
    await commits.release();
    await Promise.all([arriving, rolled]);
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [-1, 94, 94, 94, 1, 0],
      [0, 60, 97, 60, 3, 0],
    ]);
  });

  const record = (sample: object): Promise<unknown> =>
    test.server.recorder.record({
      deviceId,
      siteId,
      receivedAt: test.now(),
      sentAt: toInstant(test.now()),
      battery: null,
      samples: [sample],
    });

  /**
   * Holds up the commit of the next call that corrects the sample before the minute, with everything that shares its
   * transaction. On SQLite nothing can come between the statements of a transaction, so there nothing is held up.
   */
  async function holdUpCommits(): Promise<{ whenHeldUp(): Promise<void>; release(): Promise<void> }> {
    const { databaseUrl } = test.server.env;
    if (databaseUrl === null) {
      return { whenHeldUp: () => Promise.resolve(), release: () => Promise.resolve() };
    }
    // Connections for everybody, so that a rollup that would not wait loses no time.
    await Promise.all(Array.from({ length: 4 }, () => sql`SELECT 1`.execute(test.store.db)));
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM samples WHERE patient_id = $1 AND taken_at = $2 FOR UPDATE', [
      patientId,
      start - 60_000,
    ]);
    return {
      whenHeldUp: async () => {
        while ((await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length === 0) {
          // Asked until the call has come to the row.
        }
      },
      release: async () => {
        // Long enough for a rollup that would not wait.
        for (let asked = 0; asked < 200; asked += 1) {
          await client.query('SELECT 1');
        }
        await client.query('COMMIT');
        await client.end();
      },
    };
  }
});
