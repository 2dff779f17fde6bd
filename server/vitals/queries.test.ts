import fc from 'fast-check';
import { errorBody } from '../../lib/api/errorBody';
import { toInstant } from '../../lib/time/schema';
import { vitalsResponse, type VitalsResponse } from '../../lib/vitals/schema';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { applyRetention } from './retention';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe.each(engines)('the vitals of a patient on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let siteId: number;
  let token: string;
  let patientId: number;
  /** The full minute in which the test began. */
  let now: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    siteId = await test.addSite();
    ({ token } = await test.addDevice(siteId));
  });
  beforeEach(async () => {
    patientId = await test.addPatient(siteId);
    // Past whatever the test before has sent, and with a session that lives.
    test.advance(hour);
    nurse = await test.signIn(siteId, 'nurse');
    now = test.now();
  });

  const catchUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);
  const get = (query: Record<string, string | number>, id: number | string = patientId) => {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    return nurse.call('GET', `/api/v2/patients/${id}/vitals?${new URLSearchParams(texts)}`);
  };
  const read = async (from: number, to: number, points = 1_000): Promise<VitalsResponse> => {
    const answer = await get({ kind: 'spo2', from: toInstant(from), to: toInstant(to), points });
    expect(answer.statusCode).toBe(200);
    return vitalsResponse.parse(answer.json());
  };
  const seriesOf = async (from: number, to: number, points = 1_000) => {
    const [series] = (await read(from, to, points)).series;
    if (series === undefined) {
      throw new Error('no series');
    }
    return series;
  };
  /** Sends a value every `step` from `from` on; every place named in `spikes` has that value instead of 97. */
  const send = async (
    from: number,
    count: number,
    step: number,
    spikes: Record<number, number> = {},
    quality = 'good',
  ): Promise<void> => {
    for (let first = 0; first < count; first += 5_000) {
      const samples = Array.from({ length: Math.min(5_000, count - first) }, (_, index) => ({
        patientId,
        kind: 'spo2',
        value: spikes[first + index] ?? 97,
        takenAt: toInstant(from + (first + index) * step),
        quality,
      }));
      expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
        accepted: samples.length,
      });
    }
  };
  /** Value and place in `step`s of each point of a raw series. */
  const raw = (series: VitalsResponse['series'][number], from: number, step: number) =>
    series.points.flatMap((point) =>
      'value' in point ? [[(Date.parse(point.takenAt) - from) / step, point.value]] : [],
    );

  it.each<[string, Record<string, string>, string]>([
    ['an unknown kind', { kind: 'spo2,mood' }, 'kind'],
    ['no kind', { kind: '' }, 'kind'],
    ['a from that does not exist', { from: '2026-02-30T00:00:00Z' }, 'from'],
    ['a to that is no instant', { to: 'now' }, 'to'],
    ['a to past what can be written', { to: '9999-12-31T23:59:59-01:00' }, 'to'],
    ['a from after its to', { from: '2026-01-01T00:00:00.001Z', to: '2026-01-01T00:00:00Z' }, 'from'],
    ['more than 400 days', { from: '2025-01-01T00:00:00Z', to: '2026-02-05T00:00:00.001Z' }, 'from'],
    ['1 point', { points: '1' }, 'points'],
    ['2,001 points', { points: '2001' }, 'points'],
    ['half a point', { points: '2.5' }, 'points'],
    ['a field that does not exist', { until: '2026-01-01T00:00:00Z' }, 'until'],
  ])('refuse %s and name the field', async (_, query, field) => {
    const answer = await get(query);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(errorBody.parse(answer.json()).error.fields ?? {})).toEqual([field]);
  });

  it('are not there for another site, in the same bytes as for an unknown patient', async () => {
    const elsewhere = await test.addPatient(await test.addSite('Other ward'));
    const answers = await Promise.all([get({}, elsewhere), get({}, 999_999)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
  });

  it('are SpO2 and heart rate of the last hour unless asked for more, both ends included', async () => {
    await send(now - hour - second, 3, second);
    const answer = vitalsResponse.parse((await get({})).json());
    expect(answer).toMatchObject({ patientId, from: toInstant(now - hour), to: toInstant(now), truncated: false });
    expect(answer.series.map(({ kind, unit, bucketMs, points }) => [kind, unit, bucketMs, points.length])).toEqual([
      ['spo2', '%', 0, 2],
      ['heartRate', '/min', 0, 0],
    ]);
  });

  it('are the samples with their quality while they fit the points, and buckets if there are more', async () => {
    await send(now - 10 * second, 5, second, { 2: 60 });
    await send(now - 5 * second, 1, second, { 0: 0 }, 'invalid');
    const asThey = await seriesOf(now - minute, now, 6);
    expect(raw(asThey, now - 10 * second, second)).toEqual(
      [97, 97, 60, 97, 97, 0].map((value, place) => [place, value]),
    );
    expect(asThey.points.at(-1)).toMatchObject({ quality: 'invalid' });
    const buckets = await seriesOf(now - minute, now, 5);
    expect(buckets).toMatchObject({ bucketMs: 15 * second, noSignal: [{ count: 1 }] });
    expect(
      buckets.points.map((point) => ('min' in point ? [point.min, point.max, point.last, point.count] : [])),
    ).toEqual([[60, 97, 97, 5]]);
  });

  it('keep a spike of one second in 3 h at 1 Hz, in an open minute, a closed one or a cut window', async () => {
    await send(now - 3 * hour, 10_800, second, { 7: 60, 5_000: 40, 10_799: 50 });
    const lows = async (from: number, to: number): Promise<number[]> =>
      (await seriesOf(from, to, 300)).points.flatMap((point) => ('min' in point && point.min < 97 ? [point.min] : []));
    await expect(lows(now - 3 * hour, now)).resolves.toEqual([60, 40, 50]);
    await catchUp();
    await expect(lows(now - 3 * hour, now)).resolves.toEqual([60, 40, 50]);
    await expect(lows(now - 3 * hour + 30 * second, now - 2 * second)).resolves.toEqual([60, 40]);
  });

  it('leave a gap open', async () => {
    await send(now - 8 * hour, 60, minute);
    await send(now - 2 * hour, 60, minute);
    await catchUp();
    const { bucketMs, points } = await seriesOf(now - 8 * hour, now, 100);
    const times = points.map(({ takenAt }) => Date.parse(takenAt));
    expect(bucketMs).toBe(5 * minute);
    expect(times.filter((time) => time >= now - 7 * hour && time < now - 2 * hour)).toEqual([]);
    expect(points).toHaveLength(24);
  });

  it('are whole for 24 h at one value a minute, and buckets of 2 min where that is too much', async () => {
    await send(now - day, 1_440, minute, { 700: 71 });
    test.advance(2 * minute);
    await catchUp();
    const whole = await seriesOf(now - day, now, 2_000);
    expect(raw(whole, now - day, minute)).toEqual(
      Array.from({ length: 1_440 }, (_, place) => [place, place === 700 ? 71 : 97]),
    );
    const buckets = await seriesOf(now - day, now);
    expect(buckets.bucketMs).toBe(2 * minute);
    expect(buckets.points).toHaveLength(720);
    expect(buckets.points.filter((point) => 'min' in point && point.min === 71)).toHaveLength(1);
  });

  it('are the samples in the window itself where it begins and ends inside a minute', async () => {
    const start = now - 5 * hour;
    await send(start, 4 * 180, 15 * second);
    await catchUp();
    // From the third sample of the first minute to the second of the last.
    const [from, to] = [start + 30 * second, start + 179 * minute + 15 * second];
    const inside = Array.from({ length: 716 }, (_, place) => [place, 97]);
    expect(raw(await seriesOf(from, to, 716), from, 15 * second)).toEqual(inside);
    expect((await seriesOf(from, to, 715)).bucketMs).toBeGreaterThan(0);
  });

  it('say of a sample that it arrived late, and when, and of none that came in time', async () => {
    await send(now - 2 * minute, 3, minute);
    const { points } = await seriesOf(now - hour, now);
    expect(points.map((point) => ('receivedAt' in point ? point.receivedAt : null))).toEqual([
      toInstant(test.now()),
      null,
      null,
    ]);
  });

  it('say of no sample that it arrived late because the clock of its device is slow', async () => {
    const slow = await test.addDevice(siteId);
    const slowMs = 10 * minute;
    const sample = { patientId, kind: 'spo2', value: 96, takenAt: toInstant(test.now() - slowMs), quality: 'good' };
    await test.ingest(slow.token, [sample], { sentAt: toInstant(test.now() - slowMs) });
    expect((await seriesOf(now - hour, test.now())).points).toEqual([
      { takenAt: sample.takenAt, value: 96, quality: 'good' },
    ]);
  });

  it('say of a value that it was typed in', async () => {
    await send(now - second, 1, second);
    const typed = await nurse.call('POST', `/api/v2/patients/${patientId}/readings`, { readings: { spo2: 95 } });
    expect(typed.statusCode).toBe(201);
    const { points } = await seriesOf(now - hour, test.now());
    expect(points.map((point) => ('value' in point ? [point.value, point.isManual] : []))).toEqual([
      [97, undefined],
      [95, true],
    ]);
  });

  it('show late data as soon as their minute is redone', async () => {
    await send(now - 5 * hour, 300, minute);
    await catchUp();
    await send(now - 4 * hour + 30 * second, 1, second, { 0: 55 });
    await catchUp();
    const { points } = await seriesOf(now - 5 * hour, now, 200);
    expect(points.some((point) => 'min' in point && point.min === 55)).toBe(true);
    expect(raw(await seriesOf(now - 5 * hour, now), now - 4 * hour, 30 * second)).toContainEqual([1, 55]);
  });

  it('are their minutes where the samples are past their keeping, also in a window within one minute', async () => {
    const old = now - 20 * day;
    await send(old, 120, second, { 30: 60 });
    await catchUp();
    await applyRetention(test.store, {
      rolledUpTo: test.server.rollups.rolledUpTo(),
      now: test.now(),
      rawDays: 15,
      log: test.server.log,
      signal: new AbortController().signal,
    });
    const expected = [
      { takenAt: toInstant(old), min: 60, max: 97, last: 97, count: 60 },
      { takenAt: toInstant(old + minute), min: 97, max: 97, last: 97, count: 60 },
    ];
    await expect(seriesOf(old, old + 2 * minute)).resolves.toMatchObject({ bucketMs: minute, points: expected });
    await expect(seriesOf(old + 10 * second, old + 50 * second)).resolves.toMatchObject({
      bucketMs: minute,
      points: expected.slice(0, 1),
    });
  });

  describe('with a minute of uncertain and one of absent signals', () => {
    const sendBoth = async (start: number): Promise<void> => {
      await send(start, 2, second);
      await send(start + 2 * second, 3, second, { 0: 91, 1: 90, 2: 92 }, 'questionable');
      await send(start + 5 * second, 1, second, {}, 'invalid');
      await send(start + minute, 4, second, {}, 'invalid');
    };
    const minutesFrom = (start: number) => ({
      bucketMs: minute,
      points: [{ takenAt: toInstant(start), min: 90, max: 97, last: 92, count: 5, questionable: 3 }],
      noSignal: [
        { takenAt: toInstant(start), count: 1 },
        { takenAt: toInstant(start + minute), count: 4 },
      ],
    });

    it('say both of buckets made from samples', async () => {
      const start = now - 10 * minute;
      await sendBoth(start);
      await expect(seriesOf(start, start + 2 * minute - 1, 3)).resolves.toMatchObject(minutesFrom(start));
    });

    it('say both of minutes that stand for samples past their keeping', async () => {
      const start = now - 20 * day;
      await sendBoth(start);
      await catchUp();
      await applyRetention(test.store, {
        rolledUpTo: test.server.rollups.rolledUpTo(),
        now: test.now(),
        rawDays: 15,
        log: test.server.log,
        signal: new AbortController().signal,
      });
      await expect(seriesOf(start, start + 2 * minute - 1)).resolves.toMatchObject(minutesFrom(start));
    });

    it.each(['open', 'closed'])('say both of wider buckets while the minutes are %s', async (which) => {
      const start = Math.ceil(now / hour) * hour;
      test.advance(start - test.now());
      await sendBoth(start);
      test.advance(which === 'closed' ? hour : 0);
      nurse = await test.signIn(siteId, 'nurse');
      await catchUp();
      const { points, noSignal } = { noSignal: [], ...(await seriesOf(start - 3 * hour, start + hour - 1, 6)) };
      expect(points).toEqual([{ takenAt: toInstant(start), min: 90, max: 97, last: 92, count: 5, questionable: 3 }]);
      expect(noSignal).toEqual([{ takenAt: toInstant(start), count: 5 }]);
    });
  });

  it('say when a window reaches before what is kept', async () => {
    await expect(read(now - 400 * day, now)).resolves.toMatchObject({ truncated: false });
    await expect(read(now - 400 * day - 1, now - 1)).resolves.toMatchObject({ truncated: true });
  });

  it('never hold more points than asked, nor lose an extreme, in any window', async () => {
    await send(
      now - 6 * hour,
      1_900,
      11 * second,
      Object.fromEntries(Array.from({ length: 38 }, (_, place) => [place * 50, 50 + place])),
    );
    await catchUp();
    const place = fc.integer({ min: -30_000, max: 400 * minute });
    await fc.assert(
      fc.asyncProperty(place, place, fc.integer({ min: 2, max: 2_000 }), async (a, b, points) => {
        const [from, to] = [now - 6 * hour + Math.min(a, b), now - 6 * hour + Math.max(a, b)];
        const series = await seriesOf(from, to, points);
        expect(series.points.length).toBeLessThanOrEqual(points);
        const inside = Array.from({ length: 38 }, (_, spike) => ({
          value: 50 + spike,
          takenAt: now - 6 * hour + spike * 50 * 11 * second,
        })).filter(({ takenAt }) => takenAt >= from && takenAt <= to);
        const lowest = Math.min(...series.points.map((point) => ('min' in point ? point.min : point.value)));
        expect(lowest).toBeLessThanOrEqual(Math.min(...inside.map(({ value }) => value)));
      }),
      { numRuns: 60 },
    );
  });
});
