import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { toInstant } from '../../lib/time/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { sparksResponse, type SparksResponse } from '../../lib/vitals/schema';
import { sparkMinutes } from '../../lib/vitals/spark';
import { apiEngines, engines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startOfTest, startTestServer, type TestServer } from '../../test/testServer';
import { nextMinutes } from './nextMinutes';
import { OpenMinutes, openMinutesAhead } from './openMinutes';
import { qualityCode, withdrawnCode } from './qualityCode';
import { applyRetention } from './retention';
import { emptyRollup, keepDeleted, rollUp, type Rollup } from './rollUp';
import type { Sample } from './sample';

const minuteMs = 60_000;

describe('the minutes that a step redoes next', () => {
  it.each([
    ['one at first', { done: 0, last: 0, tookMs: 0 }, 1],
    ['twice as many while half of its time is left', { done: 7, last: 4, tookMs: 9.9 }, 8],
    ['none after half of its time', { done: 7, last: 4, tookMs: 10 }, 0],
    ['none after one that took longer than a step', { done: 1, last: 1, tookMs: 400 }, 0],
    ['those up to 50', { done: 31, last: 16, tookMs: 5 }, 19],
    ['none after 50', { done: 50, last: 19, tookMs: 5 }, 0],
  ])('are %s', (_, so, expected) => {
    expect(nextMinutes('sqlite', so)).toBe(expected);
  });

  it('take longer on PostgreSQL, which does not hold the thread', () => {
    expect(nextMinutes('postgres', { done: 7, last: 4, tookMs: 10 })).toBe(8);
  });
});

describe('an open minute', () => {
  const minute = Math.floor(startOfTest / 60_000);

  function sampleAt(second: number, more: Partial<Sample> = {}): Sample {
    const takenAt = startOfTest + second * 1_000;
    return {
      minute: Math.floor(takenAt / 60_000),
      patientId: 1,
      kind: 1,
      takenAt,
      deviceId: 1,
      siteId: 1,
      value: 97,
      quality: qualityCode('good', true),
      receivedAt: takenAt,
      offsetMs: 0,
      ...more,
    };
  }

  /** The minutes of a run of samples, collected when they are over. */
  function collect(...samples: Sample[]) {
    const open = new OpenMinutes(minute, minute);
    samples.forEach((sample) => {
      open.take(sample, true);
    });
    return open.collect(minute + 10);
  }

  it('is a gap that has to be computed once something of it was withdrawn', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(0, { value: 71 }), true);
    open.take(sampleAt(0, { value: 71, quality: withdrawnCode(qualityCode('good', true)) }), false);
    expect(open.of(1, 1).map(({ rollup, unclear }) => [rollup, unclear])).toEqual([[emptyRollup(), true]]);
  });

  it('counts its samples, each kind and patient for itself', () => {
    const minutes = collect(
      sampleAt(0),
      sampleAt(1, { value: 90 }),
      sampleAt(1, { kind: 2 }),
      sampleAt(1, { patientId: 2 }),
      sampleAt(60),
    );
    expect(
      minutes.map(({ minute: at, patientId, kind, rollup, unclear }) => [
        at - minute,
        patientId,
        kind,
        rollup.min,
        rollup.count,
        unclear,
      ]),
    ).toEqual([
      [0, 1, 1, 90, 2, false],
      [0, 1, 2, 97, 1, false],
      [0, 2, 1, 97, 1, false],
      [1, 1, 1, 97, 1, false],
    ]);
  });

  it('counts questionable samples as values, and invalid ones only as such', () => {
    const [entry] = collect(
      sampleAt(0),
      sampleAt(1, { value: 80, quality: qualityCode('questionable', true) }),
      sampleAt(2, { value: 0, quality: qualityCode('invalid', true) }),
    );
    expect(entry?.rollup).toEqual({ min: 80, max: 97, last: 80, count: 2, questionable: 1, invalid: 1 });
  });

  it.each<[string, Sample[]]>([
    ['out of order', [sampleAt(5), sampleAt(4)]],
    ['at the same time from another device', [sampleAt(5), sampleAt(5, { deviceId: 2 })]],
  ])('is unclear after a sample that came %s', (_, samples) => {
    expect(collect(...samples).map(({ unclear }) => unclear)).toEqual([true]);
  });

  it('is unclear after a correction, and after a sample that may or may not be stored', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(0), true);
    open.take(sampleAt(1), false);
    open.doubt(sampleAt(60));
    open.take(sampleAt(120), true);
    expect(open.collect(minute + 3).map(({ unclear }) => unclear)).toEqual([true, true, false]);
  });

  it('is unclear if samples came for it while it lay too far ahead to be open', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(60 * openMinutesAhead), true);
    open.open(minute + 1);
    open.take(sampleAt(60 * openMinutesAhead + 1), true);
    expect(open.collect(minute + 2)).toEqual([]);
    open.take(sampleAt(60 * openMinutesAhead + 61), true);
    expect(open.collect(minute + 10).map((entry) => [entry.minute - minute, entry.unclear])).toEqual([
      [openMinutesAhead, true],
      [openMinutesAhead + 1, false],
    ]);
  });

  it('is handed out once, when it is over, and what comes for it later is not counted', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(-1), true);
    open.take(sampleAt(0), true);
    open.take(sampleAt(60), true);
    expect(open.collect(minute + 1).map((entry) => entry.minute)).toEqual([minute]);
    open.take(sampleAt(59), true);
    open.doubt(sampleAt(58));
    expect(open.collect(minute + 2).map((entry) => entry.minute)).toEqual([minute + 1]);
  });
});

describe('rollUp', () => {
  const good = qualityCode('good', true);
  const invalid = qualityCode('invalid', true);
  const rows = (...values: number[]) => values.map((value) => ({ value, quality: good }));

  describe('rollUp', () => {
    it('of nothing, or of invalid samples alone, has no value', () => {
      expect(rollUp([])).toEqual(emptyRollup());
      expect(rollUp([{ value: 0, quality: invalid }])).toEqual({ ...emptyRollup(), invalid: 1 });
    });

    it('keeps the extremes, also 0, and the last that is not invalid', () => {
      expect(rollUp([...rows(60, 0, 140, 70), { value: 200, quality: invalid }])).toEqual({
        min: 0,
        max: 140,
        last: 70,
        count: 4,
        questionable: 0,
        invalid: 1,
      });
    });

    it('counts a questionable sample like a good one, and also as such', () => {
      expect(rollUp([{ value: 88, quality: qualityCode('questionable', true) }])).toMatchObject({
        min: 88,
        count: 1,
        questionable: 1,
        invalid: 0,
      });
    });
  });

  describe('keepDeleted', () => {
    const stored: Rollup = { min: 80, max: 99, last: 95, count: 60, questionable: 3, invalid: 2 };

    it.each<[string, Rollup, Rollup | undefined, Rollup]>([
      ['takes the late samples as they are where nothing is stored', rollUp(rows(90)), undefined, rollUp(rows(90))],
      ['never loses a stored extreme, nor the last', rollUp(rows(90)), stored, stored],
      ['lets a late extreme in', rollUp(rows(70, 100)), stored, { ...stored, min: 70, max: 100 }],
      [
        'keeps one stored sample beside one late one',
        rollUp(rows(90)),
        rollUp(rows(85)),
        { ...rollUp(rows(85)), max: 90 },
      ],
      [
        'gives a value to a minute that had none',
        rollUp(rows(90)),
        { ...emptyRollup(), invalid: 3 },
        { ...rollUp(rows(90)), invalid: 3 },
      ],
      ['changes nothing when the same is sent again', stored, stored, stored],
    ])('%s', (_, late, before, expected) => {
      expect(keepDeleted(late, before)).toEqual(expected);
    });
  });
});

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

  it('are those of our clock for a device whose clock runs a day ahead, over a restart', async () => {
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
    test.advance(70_000);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 90, 97, 90, 2, 0]]);
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
    // In those of our clock, which is an hour and a minute behind theirs.
    const behind = 61;
    const isDone = ([minute]: (number | null)[]): boolean => (minute ?? 0) < 20 - behind && (minute ?? 0) >= 7 - behind;
    const done = (await minutes()).filter(isDone);
    expect(done).toHaveLength(13);
    for (const [minute, min, max, last, count] of done) {
      expect([min, max, last, count]).toEqual([80, 90 + (((minute ?? 0) + behind) % 5), 80, 2]);
    }
    await test.restart();
    expect(test.server.rollups.closedUntil()).toBe(closed);
    await sendOn(20 * 60 + 41, 96);
    // Until the minutes of before the step are reached again, and all of the devices' are over.
    test.advance(hourMs);
    await catchUp();
    await catchUp();
    const all = await minutes();
    expect(all.map(([minute]) => minute)).toEqual([...Array.from({ length: 19 }, (_, index) => index + 2 - behind), 0]);
    expect(all.at(-2)).toEqual([20 - behind, 80, 96, 96, 3, 0]);
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

describe.each(engines)('retention on %s', (engine) => {
  const dayMs = 86_400_000;
  const rawDays = 15;

  let test: TestServer;
  let siteId: number;
  let token: string;
  let patientId: number;
  /** The beginning of a minute, a little before the test's now. */
  let start: number;

  beforeAll(async () => {
    // A server of its own: years pass, and what all sites have is deleted.
    test = await startTestServer(engine);
    siteId = await test.addSite();
    ({ token } = await test.addDevice(siteId));
  });
  beforeEach(async () => {
    patientId = await test.addPatient(siteId);
    test.advance(10 * minuteMs - (test.now() % minuteMs));
    start = test.now() - minuteMs;
  });
  afterEach(async () => {
    // Leaves nothing to delete for the next test.
    test.advance((rawDays + 1) * dayMs);
    await catchUp();
    while ((await retain()) > 0) {
      // Two days a run.
    }
  });
  afterAll(() => test.stop());

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const retain = (signal = new AbortController().signal): Promise<number> =>
    applyRetention(test.store, {
      rolledUpTo: test.server.rollups.rolledUpTo(),
      now: test.now(),
      rawDays,
      log: test.server.log,
      signal,
    });
  /** Sends values a second apart from `takenAt` on. */
  const send = async (
    takenAt: number,
    values: readonly number[],
    kind: VitalKind = 'spo2',
    to = patientId,
  ): Promise<void> => {
    const samples = values.map((value, second) => ({
      patientId: to,
      kind,
      value,
      takenAt: toInstant(takenAt + second * 1_000),
    }));
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      accepted: values.length,
    });
  };
  const values = async (kind: VitalKind = 'spo2', of = patientId): Promise<number[]> =>
    (
      await test.store.db
        .selectFrom('samples')
        .select('value')
        .where('patient_id', '=', of)
        .where('kind', '=', kinds[kind].code)
        .orderBy('taken_at')
        .execute()
    ).map((row) => row.value);
  const minutes = async (): Promise<(number | null)[][]> =>
    (
      await test.store.db
        .selectFrom('minutes')
        .selectAll()
        .where('patient_id', '=', patientId)
        .orderBy('minute')
        .execute()
    ).map((row) => [row.minute - start / minuteMs, row.min, row.max, row.last, row.count]);
  /** Lets the samples of `start` become as old as they may, and `ms` older. */
  const age = async (ms: number): Promise<void> => {
    test.advance(start + rawDays * dayMs + ms - test.now());
    await catchUp();
  };

  it('keeps a minute until all of it is older than the raw days, then deletes it but not its rollup', async () => {
    await send(start, [97, 60]);
    await age(minuteMs - 1);
    await expect(retain()).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97, 60]);
    await age(minuteMs);
    await expect(retain()).resolves.toBe(2);
    await expect(values()).resolves.toEqual([]);
    await expect(minutes()).resolves.toEqual([[0, 60, 97, 60, 2]]);
    await expect(retain()).resolves.toBe(0);
  });

  it('deletes nothing more once the server stops, and goes on with the next run', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await send(start, [97, 60]);
    await age(minuteMs);
    await expect(retain(stopping.signal)).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97, 60]);
    await expect(retain()).resolves.toBe(2);
  });

  it('keeps spot readings and everything of a patient at home', async () => {
    const home = await test.addPatient(siteId, { profile: 'home' });
    await send(start, [37], 'temperature');
    await send(start, [97], 'spo2', home);
    await age(dayMs);
    await expect(retain()).resolves.toBe(0);
    await expect(Promise.all([values('temperature'), values('spo2', home)])).resolves.toEqual([[37], [97]]);
  });

  it('keeps what was typed in by hand beside what a monitor sent', async () => {
    const nurse = await test.signIn(siteId, 'nurse');
    await send(start, [97, 96]);
    await nurse.call('POST', `/api/v2/patients/${patientId}/readings`, {
      readings: { spo2: 93 },
      takenAt: toInstant(start + 500),
    });
    await age(dayMs);
    await expect(retain()).resolves.toBe(2);
    await expect(values()).resolves.toEqual([93]);
    await expect(minutes()).resolves.toEqual([[0, 93, 97, 96, 3]]);
  });

  it('deletes nothing that is not rolled up yet', async () => {
    await send(start, [97]);
    test.advance(rawDays * dayMs + 2 * minuteMs);
    await expect(retain()).resolves.toBe(0);
    await expect(values()).resolves.toEqual([97]);
    await catchUp();
    await expect(retain()).resolves.toBe(1);
  });

  it('deletes no late sample before its minute has taken it in, and then deletes it too', async () => {
    await send(start, [97, 96]);
    await age(dayMs);
    await retain();
    await send(start + 10_000, [60]);
    await expect(retain()).resolves.toBe(0);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 60, 97, 96, 2]]);
    await expect(retain()).resolves.toBe(1);
    await expect(values()).resolves.toEqual([]);
  });

  it('never lets a late sample overwrite a minute whose samples are deleted, however few it had', async () => {
    await send(start, [70]);
    await age(dayMs);
    await retain();
    for (const late of [95, 96]) {
      await send(start + late * 100, [late]);
      await catchUp();
    }
    await expect(minutes()).resolves.toEqual([[0, 70, 96, 70, 2]]);
  });

  it('redoes an old minute whose samples are all there from them alone', async () => {
    await send(start, [37, 41], 'temperature');
    await age(dayMs);
    await retain();
    const corrected = { patientId, kind: 'temperature', value: 38, takenAt: toInstant(start + 1_000) };
    await test.ingest(token, [corrected], { sentAt: toInstant(test.now()) });
    await catchUp();
    await expect(minutes()).resolves.toEqual([[0, 37, 38, 38, 2]]);
  });

  it('does not look at old minutes again that hold nothing to delete', async () => {
    await send(start, [37], 'temperature');
    await age(dayMs);
    await retain();
    const read = jest.spyOn(test.store.db, 'transaction');
    await retain();
    expect(read).not.toHaveBeenCalled();
  });

  it('deletes whatever many minutes a stretch holds, and lets others in between', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, minute) => send(start + minute * minuteMs - 40 * minuteMs, [97, 96, 95])),
    );
    await age(dayMs);
    const retained = retain();
    const answer = await test.ingest(token, [{ patientId, kind: 'spo2', value: 90, takenAt: toInstant(test.now()) }]);
    expect(answer.json()).toMatchObject({ accepted: 1 });
    await expect(retained).resolves.toBe(90);
    await expect(values()).resolves.toEqual([90]);
  });

  it('deletes the samples of two days a run, and the others with the next ones', async () => {
    for (const day of [0, 1, 2, 5]) {
      await send(start - day * dayMs, [97, 96]);
    }
    await age(dayMs);
    const left: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      await retain();
      left.push((await values()).length);
    }
    expect(left).toEqual([6, 2, 0]);
  });

  it('keeps minutes for 400 days and quarantine for 30', async () => {
    await send(start, [97]);
    await test.ingest(token, [{}]);
    const quarantined = async (): Promise<number> =>
      (await test.store.db.selectFrom('quarantine').select('id').execute()).length;
    test.advance(30 * dayMs);
    await catchUp();
    await retain();
    await expect(quarantined()).resolves.toBe(1);
    test.advance(1);
    await retain();
    await expect(quarantined()).resolves.toBe(0);
    test.advance(start + 400 * dayMs + minuteMs - 1 - test.now());
    await retain();
    await expect(minutes()).resolves.toHaveLength(1);
    test.advance(1);
    await retain();
    await expect(minutes()).resolves.toEqual([]);
  });

  it('deletes minutes and quarantine of two days a run, so that a wrong clock can be stopped', async () => {
    const left = async (): Promise<number[]> => [
      (await minutes()).length,
      (await test.store.db.selectFrom('quarantine').select('id').execute()).length,
    ];
    for (let day = 0; day < 3; day += 1) {
      await send(test.now() - minuteMs, [97]);
      await test.ingest(token, [{}]);
      test.advance(dayMs);
    }
    await catchUp();
    test.advance(500 * dayMs);
    const found = [await left()];
    for (let run = 0; run < 2; run += 1) {
      await retain();
      found.push(await left());
    }
    expect(found).toEqual([
      [3, 3],
      [1, 1],
      [0, 0],
    ]);
  });
});

describe.each(apiEngines)('spark lines on %s', (engine) => {
  const url = '/api/v2/patients/sparks';

  type Minute = [minutesAgo: number, text: string];

  let test: TestServer;
  let nurse: Caller;
  let signedInAt: number;
  let siteId: number;
  let token: string;
  let patientId: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    siteId = await test.addSite();
    // The tests' clock jumps over hours, in which no page is used.
    await test.store.db.updateTable('sites').set({ idle_minutes: 1_440 }).where('id', '=', siteId).execute();
    nurse = await test.signIn(siteId, 'nurse');
    signedInAt = test.now();
    patientId = await test.addPatient(siteId);
    ({ token } = await test.addDevice(siteId));
    // In the middle of a minute that no restart has cut in two.
    test.advance(2 * minuteMs + 30_000 - (test.now() % minuteMs));
    await catchUp();
  });

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const wire = (msAgo: number, value: number, more: object = {}): object => ({
    patientId,
    kind: 'spo2',
    value,
    quality: 'good',
    takenAt: toInstant(test.now() - msAgo),
    ...more,
  });
  const send = async (...samples: object[]): Promise<void> => {
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      rejected: [],
    });
  };
  /** A session locks itself while the clock runs on without its user. */
  const awake = async (): Promise<Caller> => {
    if (test.now() - signedInAt > 5 * minuteMs) {
      nurse = await test.signIn(siteId, 'nurse');
      signedInAt = test.now();
    }
    return nurse;
  };
  const ask = async (ids: (number | string)[] = [patientId], caller?: Caller): Promise<SparksResponse> =>
    sparksResponse.parse((await (caller ?? (await awake())).call('GET', `${url}?ids=${ids.join()}`)).json());
  /** The minutes of a line that are not empty. */
  const minutes = async (kind: 'spo2' | 'heartRate' | 'pulseRate' = 'spo2'): Promise<Minute[]> => {
    const [item] = (await ask()).items;
    return (item?.[kind] ?? '')
      .split(',')
      .flatMap((text, at): Minute[] => (text === '' ? [] : [[sparkMinutes - 1 - at, text]]));
  };

  it.each([
    '',
    '?ids=',
    '?ids=0',
    '?ids=1,',
    '?ids=1, 2',
    '?ids=a',
    '?ids=1&ids=2',
    '?ids=9007199254740993',
    `?ids=${Array.from({ length: 501 }, (_, index) => index + 1).join()}`,
    '?ids=1&page=1',
  ])('are refused for %s', async (query) => {
    expect((await nurse.call('GET', url + query)).statusCode).toBe(400);
  });

  it('are of the own site’s patients only: another’s is as if there were none', async () => {
    const other = await test.addSite('Other ward');
    const theirs = await test.signIn(other, 'nurse');
    await send(wire(0, 97));
    expect((await ask([patientId], theirs)).items).toEqual([]);
    expect((await ask([patientId, 999_999_999], theirs)).items).toEqual([]);
    expect((await ask([999_999_999, patientId, patientId])).items.map(({ id }) => id)).toEqual([patientId]);
  });

  it('are of the own units’ patients only', async () => {
    const north = await test.addPatient(siteId, { location: { unit: 'North', bed: '1' } });
    const south = await test.addPatient(siteId, { location: { unit: 'South', bed: '1' } });
    await test.addUnit(siteId, 'North', [nurse.userId]);
    await test.restart();
    expect((await ask([south, north])).items.map(({ id }) => id)).toEqual([north]);
  });

  it('are empty where nothing came, and then leave the kind out', async () => {
    await send(wire(0, 36.6, { kind: 'temperature' }));
    const answer = await ask();
    expect(answer.items).toEqual([{ id: patientId }]);
    expect(Date.parse(answer.from)).toBe(Math.floor(test.now() / minuteMs) * minuteMs - 59 * minuteMs);
  });

  it('show the extremes of each minute as screens round them, also of the one that goes on', async () => {
    await send(wire(2_000, 96.6), wire(1_000, 81.4), wire(0, 95));
    await expect(minutes()).resolves.toEqual([[0, '81-97']]);
    test.advance(minuteMs);
    await send(wire(0, 94));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [1, '81-97'],
      [0, '94'],
    ]);
  });

  it('tell a minute without a signal from one in which nothing came, and mark the questionable', async () => {
    await send(wire(0, 0, { kind: 'pulseRate' }), wire(0, 0, { kind: 'heartRate' }));
    await send(wire(3_000, 97), wire(2_000, 80, { quality: 'questionable' }), wire(1_000, 12, { quality: 'invalid' }));
    test.advance(3 * minuteMs);
    await send(wire(2_000, 97), wire(1_000, 96), wire(0, 70, { quality: 'questionable' }));
    await expect(minutes()).resolves.toEqual([
      [3, '80-97?'],
      [0, '70-97?'],
    ]);
    await expect(minutes('pulseRate')).resolves.toEqual([[3, 'x']]);
    await expect(minutes('heartRate')).resolves.toEqual([[3, '0']]);
  });

  it('are an hour long', async () => {
    await send(wire(0, 97));
    await catchUp();
    test.advance(59 * minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[59, '97']]);
    test.advance(minuteMs);
    await expect(minutes()).resolves.toEqual([]);
    await send(wire(0, 91));
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[1, '91']]);
  });

  it('take in what comes late and what is corrected', async () => {
    await send(wire(0, 97));
    test.advance(10 * minuteMs);
    await catchUp();
    await send(wire(10 * minuteMs, 40), wire(20 * minuteMs, 88), wire(70 * minuteMs, 50));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [20, '88'],
      [10, '40'],
    ]);
    await send(wire(20 * minuteMs, 87, { quality: 'invalid' }));
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [20, 'x'],
      [10, '40'],
    ]);
  });

  it('forget a value that was corrected while its minute went on, when that is over', async () => {
    await send(wire(0, 45), wire(1_000, 96));
    await send(wire(0, 95));
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([[1, '95-96']]);
  });

  it('are the same after a restart, as are those of the discharged', async () => {
    await send(wire(30 * minuteMs, 88), wire(0, 97), wire(1_000, 95), wire(0, 70, { kind: 'heartRate' }));
    test.advance(2 * minuteMs);
    await catchUp();
    await send(wire(0, 91));
    const patient = await nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version: 1, state: 'discharged' });
    expect(patient.statusCode).toBe(200);
    const before = await ask();
    await test.restart();
    await catchUp();
    await expect(ask()).resolves.toEqual(before);
    await expect(minutes()).resolves.toEqual([
      [32, '88'],
      [2, '95-97'],
      [0, '91'],
    ]);
  });

  it('hold what a device measures whose clock runs a day ahead, beside the others', async () => {
    const ahead = 86_400_000;
    await send(wire(minuteMs, 97));
    await test.ingest(token, [wire(-ahead, 80)], { sentAt: toInstant(test.now() + ahead) });
    await test.restart();
    await test.ingest(token, [wire(-ahead - 1_000, 81)], { sentAt: toInstant(test.now() + ahead) });
    test.advance(minuteMs);
    await catchUp();
    await expect(minutes()).resolves.toEqual([
      [2, '97'],
      [1, '80-81'],
    ]);
  });

  it('ask the store for nothing', async () => {
    await send(wire(minuteMs, 97), wire(0, 96));
    await catchUp();
    const before = await ask();
    await sql`ALTER TABLE minutes RENAME TO minutes_away`.execute(test.store.db);
    await sql`ALTER TABLE samples RENAME TO samples_away`.execute(test.store.db);
    await expect(ask()).resolves.toEqual(before);
    await sql`ALTER TABLE samples_away RENAME TO samples`.execute(test.store.db);
    await sql`ALTER TABLE minutes_away RENAME TO minutes`.execute(test.store.db);
  });

  it('are compressed for who can read that', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => test.addPatient(siteId)));
    await send(...ids.map((id) => wire(0, 97, { patientId: id })));
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await test.app.inject({ url: `${url}?ids=${ids.join()}`, cookies: nurse.cookies, headers });
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
    expect(sparksResponse.parse(JSON.parse(gunzipSync(answer.rawPayload).toString())).items).toHaveLength(100);
  });

  it('say of any samples, in any order, with closings and restarts between, what the stored minutes say', async () => {
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(fc.record({ ago: fc.nat(75 * 60), value: fc.integer({ min: 60, max: 100 }) }), {
          minLength: 1,
        }),
      },
      { weight: 4, arbitrary: fc.constant('catch up' as const) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 200 }) },
      { weight: 3, arbitrary: fc.constant('restart' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        patientId = await test.addPatient(siteId);
        for (const one of steps) {
          if (one === 'catch up') {
            await catchUp();
          } else if (one === 'restart') {
            await test.restart();
          } else if (typeof one === 'number') {
            test.advance(one * 1_000);
          } else {
            await send(...one.map(({ ago, value }) => wire(ago * 1_000, value)));
          }
        }
        // The minute of now is over then, so that all of them are stored.
        test.advance(2 * minuteMs);
        await catchUp();
        const stored = await test.store.db
          .selectFrom('minutes')
          .selectAll()
          .where('patient_id', '=', patientId)
          .orderBy('minute')
          .execute();
        const now = Math.floor(test.now() / minuteMs);
        const expected = stored
          .filter(({ minute }) => minute > now - sparkMinutes)
          .map(({ minute, min, max }): Minute => [now - minute, min === max ? `${min}` : `${min}-${max}`]);
        await expect(minutes()).resolves.toEqual(expected);
      }),
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 18) },
    );
  });
});
