import fc from 'fast-check';
import { errorBody } from '../../lib/api/errorBody';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import type { TypedSets } from '../../lib/vitals/readingsSchema';
import { kinds } from '../../lib/vitals/kinds';
import { qualities, vitalsResponse, type VitalsResponse } from '../../lib/vitals/schema';
import { apiEngines, engines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { patientRow } from '../../test/patientRow';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startOfTest, type TestServer } from '../../test/testServer';
import { LiveState } from '../liveState';
import { listPatients, presentPatient } from '../patients/queries';
import {
  hasStoppedStating,
  isInvalid,
  isOfStatingSource,
  isRepeat,
  isStated,
  qualityCode,
  qualityOf,
  stoppedCode,
} from './qualityCode';
import { applyRetention } from './retention';
import type { Sample } from './sample';

describe.each(apiEngines)('readings typed in by hand on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  const urlOf = (id: number): string => `/api/v2/patients/${id}/readings`;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
  });

  const type = async (body: object): Promise<Patient> => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<Patient>();
  };
  const samples = () =>
    test.store.db.selectFrom('samples').selectAll().where('patient_id', '=', patient).orderBy('kind').execute();

  it.each([
    [{}, 'readings'],
    [{ readings: {} }, 'readings'],
    [{ readings: { mood: 3 } }, 'mood'],
    [{ readings: { spo2: 0 } }, 'readings.spo2'],
    [{ readings: { spo2: 101 } }, 'readings.spo2'],
    [{ readings: { pulseRate: 19 } }, 'readings.pulseRate'],
    [{ readings: { temperature: 98.6 } }, 'readings.temperature'],
    [{ readings: { consciousness: 'X' } }, 'readings.consciousness'],
    [{ readings: { consciousness: 0 } }, 'readings.consciousness'],
    [{ readings: { spo2: '97' } }, 'readings.spo2'],
    [{ readings: { spo2: 97, systolic: 900 } }, 'readings.systolic'],
    [{ readings: { spo2: 97 }, takenAt: 'this morning' }, 'takenAt'],
    [{ readings: { spo2: 97 }, quality: 'good' }, 'quality'],
  ])('are refused as %j, all of them', async (body, field) => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)[0]).toBe(field);
    await expect(samples()).resolves.toEqual([]);
  });

  it('are refused from the future, of a discharged patient, and of one who is out of reach', async () => {
    const readings = { spo2: 97 };
    const ahead = await nurse.call('POST', urlOf(patient), { readings, takenAt: toInstant(test.now() + 300_001) });
    expect(ahead.statusCode).toBe(422);
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('POST', urlOf(patient), { readings })).statusCode).toBe(404);
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    const late = await nurse.call('POST', urlOf(patient), { readings });
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'patient_discharged' } }]);
    await expect(samples()).resolves.toEqual([]);
  });

  it('are shown at once as typed in by hand, zero and letters included, and stay after a restart', async () => {
    const takenAt = toInstant(test.now() - 60_000);
    const readings = { temperature: 38.1, systolic: 118, diastolic: 74, oxygenFlow: 0, consciousness: 'C' };
    const shown = await type({ readings, takenAt });
    const expected = {
      temperature: { value: 38.1, source: 'manual', takenAt, asOf: takenAt, quality: 'good' },
      systolic: { value: 118, source: 'manual' },
      diastolic: { value: 74, source: 'manual' },
      oxygenFlow: { value: 0, source: 'manual' },
      consciousness: { value: 1, source: 'manual' },
    };
    expect(shown.latest).toMatchObject(expected);
    await test.restart();
    const read = await nurse.call('GET', `/api/v2/patients/${patient}`);
    expect(read.json<Patient>().latest).toMatchObject(expected);
  });

  it('keep who typed them in, in the store and on record without a value', async () => {
    await type({ readings: { spo2: 93, pulseRate: 88 } });
    await expect(samples()).resolves.toMatchObject([
      { value: 93, device_id: -nurse.userId },
      { value: 88, device_id: -nurse.userId },
    ]);
    const row = test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'record_readings')
      .orderBy('id', 'desc')
      .limit(1);
    const { details, ...kept } = await row.executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ object_id: patient, actor_id: nurse.userId });
    expect(JSON.parse(details ?? '')).toEqual({ kinds: ['spo2', 'pulseRate'], takenAt: toInstant(test.now()) });
  });

  it('sent again change nothing; another value for the same moment corrects the first', async () => {
    const takenAt = toInstant(test.now());
    await type({ readings: { spo2: 93 }, takenAt });
    test.advance(1_000);
    await type({ readings: { spo2: 93 }, takenAt });
    const corrected = await type({ readings: { spo2: 95 }, takenAt });
    expect(corrected.latest.spo2?.value).toBe(95);
    await expect(samples()).resolves.toHaveLength(1);
    const kept = await test.store.db
      .selectFrom('sample_corrections')
      .selectAll()
      .where('patient_id', '=', patient)
      .execute();
    expect(kept.map((row) => row.old_value)).toEqual([93]);
  });

  it('are withdrawn by their author, the charge nurse or a ward lead alone, with a reason', async () => {
    const [other, lead] = [await test.signIn(site, 'nurse'), await test.signIn(site, 'ward_lead')];
    const unit = await test.addUnit(site, 'North');
    patient = await test.addPatient(site, { location: { unit: 'North', bed: '7' } });
    const listed = async (by: Caller) => (await by.call('GET', urlOf(patient))).json<TypedSets>().items;
    const withdraw = async (by: Caller, reason: string): Promise<number> => {
      const [set] = await listed(nurse);
      const body = { takenAt: set?.takenAt, userId: nurse.userId, reason };
      return (await by.call('POST', `${urlOf(patient)}/withdraw`, body)).statusCode;
    };
    await type({ readings: { spo2: 93, consciousness: 'C' } });
    await expect(listed(other)).resolves.toEqual([]);
    await expect(withdraw(other, 'Of bed 4')).resolves.toBe(403);
    await expect(withdraw(nurse, ' ')).resolves.toBe(422);
    await expect(listed(lead)).resolves.toMatchObject([
      { by: { id: nurse.userId }, readings: [{ kind: 'spo2' }, { kind: 'consciousness', value: 1 }] },
    ]);
    const place = { unitId: unit, role: 'charge_nurse', patientId: null, shift: 'current' };
    await lead.call('PUT', '/api/v2/assignments', { ...place, userId: other.userId, version: 0 });
    await expect(listed(other)).resolves.toHaveLength(1);
    const twice = await Promise.all([withdraw(other, 'Of bed 4'), withdraw(other, 'Of bed 4')]);
    expect(twice).toEqual([204, 204]);
    const nobodys = { takenAt: toInstant(test.now()), userId: 999_999, reason: 'Of bed 4' };
    expect((await lead.call('POST', `${urlOf(patient)}/withdraw`, nobodys)).statusCode).toBe(404);
    await test.server.hl7Replay.withdraw(new AbortController().signal);
    await expect(listed(nurse)).resolves.toEqual([]);
    const kept = await test.store.db.selectFrom('withdrawals').selectAll().where('patient_id', '=', patient).execute();
    expect(kept).toMatchObject([{ made_by: other.userId, reason: 'Of bed 4' }]);
  });

  it('are not lost in silence where they repeat what was withdrawn', async () => {
    const takenAt = toInstant(test.now());
    const readings = { spo2: 93 };
    await type({ readings, takenAt });
    const body = { takenAt, userId: nurse.userId, reason: 'Of bed 4' };
    expect((await nurse.call('POST', `${urlOf(patient)}/withdraw`, body)).statusCode).toBe(204);
    const again = async (): Promise<unknown> => {
      await test.server.hl7Replay.withdraw(new AbortController().signal);
      return (await nurse.call('POST', urlOf(patient), { readings, takenAt })).json();
    };
    await expect(again()).resolves.toMatchObject({ error: { code: 'withdrawn_already' } });
    test.advance(1_000);
    const { latest } = await type({ readings });
    expect(latest.spo2?.value).toBe(93);
  });

  it('give way to the monitor that reports again, and do not hide for long that it is silent', async () => {
    const { id, token } = await test.addDevice(site, { expectedEveryMs: 1_000 });
    const { mrn, date_of_birth: dateOfBirth } = test.server.liveState.patients.get(patient) ?? {
      mrn: '',
      date_of_birth: '',
    };
    await nurse.call('POST', `/api/v2/devices/${id}/assignment`, { mrn, dateOfBirth });
    const shown = await type({ readings: { spo2: 93 } });
    expect(shown.latest.spo2).toMatchObject({ value: 93, source: 'manual', expectedEveryMs: 15 * 60_000 });
    test.advance(1_000);
    await test.ingest(token, [{ patientId: patient, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) }]);
    const after = await nurse.call('GET', `/api/v2/patients/${patient}`);
    expect(after.json<Patient>().latest.spo2).toMatchObject({ value: 97, expectedEveryMs: 1_000 });
  });

  it('of a patient at home are due when any reading of theirs is', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    const shown = await type({ readings: { spo2: 93 } });
    expect(shown.latest.spo2?.expectedEveryMs).toBe(8 * 3_600_000);
  });
});

describe.each(engines)('the vitals of a patient on %s', (engine) => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;

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

  // The same queries as below, over more minutes.
  if (apiEngines.includes(engine)) {
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
  }

  it('say of a sample that it arrived late, and when, and of none that came in time', async () => {
    await send(now - 2 * minute, 3, minute);
    const { points } = await seriesOf(now - hour, now);
    expect(points.map((point) => ('receivedAt' in point ? point.receivedAt : null))).toEqual([
      toInstant(test.now()),
      null,
      null,
    ]);
  });

  it.each([
    [10 * minute, 10 * minute],
    [10 * second, 0],
    [3, 0],
  ])('are those of our clock, and none is late, for a device that is %d ms behind', async (slowMs, movedMs) => {
    const slow = await test.addDevice(siteId);
    const sentAt = toInstant(test.now() - slowMs);
    await test.ingest(slow.token, [{ patientId, kind: 'spo2', value: 96, takenAt: sentAt, quality: 'good' }], {
      sentAt,
    });
    const sentAs = movedMs === 0 ? {} : { sentAs: sentAt };
    expect((await seriesOf(now - hour, test.now())).points).toEqual([
      { takenAt: toInstant(test.now() - slowMs + movedMs), value: 96, quality: 'good', ...sentAs },
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
    await send(now - hour, 60, minute);
    await catchUp();
    await send(now - 30 * minute + 30 * second, 1, second, { 0: 55 });
    await catchUp();
    const { points } = await seriesOf(now - hour, now, 40);
    expect(points.some((point) => 'min' in point && point.min === 55)).toBe(true);
    expect(raw(await seriesOf(now - hour, now), now - 30 * minute, 30 * second)).toContainEqual([1, 55]);
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
      { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 8) },
    );
  });
});

describe('shownSource', () => {
  const patient = patientRow(1, 1, 'A');

  /** Every device says its own value, so that the value shown names the device. */
  const entry = fc.record({ device: fc.integer({ min: 1, max: 4 }), second: fc.nat(200) });
  const stream = fc.uniqueArray(entry, {
    minLength: 1,
    maxLength: 25,
    selector: ({ device, second }) => `${device} ${second}`,
  });
  const assigned = fc.subarray([1, 2, 3, 4]);

  function sampleOf({ device, second }: { device: number; second: number }): Sample {
    const takenAt = startOfTest + second * 1_000;
    return {
      minute: Math.floor(takenAt / 60_000),
      patientId: patient.id,
      kind: kinds.spo2.code,
      takenAt,
      deviceId: device,
      siteId: 1,
      value: device,
      quality: qualityCode('good', true),
      receivedAt: takenAt,
      offsetMs: 0,
    };
  }

  /** Device 4 sends every 30 s, the others every second. */
  function wardOf(entries: readonly { device: number; second: number }[], attached: readonly number[]): LiveState {
    const liveState = new LiveState();
    liveState.putPatient(patient);
    const device = {
      site_id: 1,
      token_hash: '',
      sender_id: null,
      source_key: null,
      sender_bed: null,
      bed_mapping_id: null,
      code_mapping_id: null,
      ...{ gateway_units: null, gateway_until: null },
      created_at: 0,
      expires_at: null,
      revoked_at: null,
      clock_offset_ms: null,
    };
    liveState.devices.set(4, { ...device, id: 4, name: 'slow', expected_every_ms: 30_000 });
    attached.forEach((id) => liveState.deviceStays.assigned.set(id, patient.id));
    entries.forEach((one) => liveState.takeSample(sampleOf(one)));
    return liveState;
  }
  const everyMs = (device: number): number => (device === 4 ? 30_000 : 1_000);
  const shownBy = (liveState: LiveState, now: number) => presentPatient(liveState, patient, now).latest.spo2;

  /** Returns how far apart the values of a device come, as they were observed; as it is set before that. */
  function paceOf(seconds: readonly number[], device: number): number {
    const gaps = seconds.slice(1).map((second, index) => (second - (seconds[index] ?? 0)) * 1_000);
    const [last, before] = [gaps.at(-1), gaps.at(-2)];
    if (last === undefined || before === undefined) {
      return last !== undefined && last >= 60_000 ? last : everyMs(device);
    }
    return Math.min(last, before);
  }

  describe('the value of a kind that several devices report', () => {
    it('is of a present assigned device, else of another that is, else the newest of all', () => {
      fc.assert(
        fc.property(stream, assigned, fc.integer({ min: 0, max: 400 }), (entries, attached, second) => {
          const now = startOfTest + second * 1_000;
          const inOrder = entries.toSorted((a, b) =>
            a.second === b.second ? a.device - b.device : a.second - b.second,
          );
          const newestFirst = inOrder.toReversed();
          const secondsOf = (device: number): number[] =>
            inOrder.filter((one) => one.device === device).map((one) => one.second);
          const present = newestFirst.filter((one, index) => {
            const own = secondsOf(one.device);
            const isNewest = newestFirst.findIndex(({ device }) => device === one.device) === index;
            const lastsMs = Math.max(10_000, 1.5 * paceOf(own, one.device));
            return isNewest && second * 1_000 - one.second * 1_000 <= lastsMs;
          });
          const isAlone = new Set(entries.map(({ device }) => device)).size === 1;
          const ofAttached = present.filter(({ device }) => attached.includes(device));
          const equal = ofAttached.length > 0 ? ofAttached : present;
          // Always the same one of those that send each second: the newest would be another one each second.
          const everyOf = (device: number): number => Math.max(everyMs(device), paceOf(secondsOf(device), device));
          const streams = equal
            .filter((one) => everyOf(one.device) < 60_000)
            .filter((one) => (second - one.second) * 1_000 <= Math.max(30_000, 2 * everyMs(one.device)))
            .sort((a, b) => a.device - b.device);
          const steady = streams.find(({ device }) => everyOf(device) <= 10_000) ?? equal[0] ?? newestFirst[0];
          // Every value is the number of its device: the lowest one is the worst.
          const best = streams.find(({ device }) => device < (steady?.device ?? 0)) ?? steady;
          const [newest] = newestFirst;
          const isSilent = ofAttached.length === 0 && present.every(({ device }) => device !== newest?.device);
          const isOlder = (newest?.second ?? 0) - (best?.second ?? 0) > 60;
          const expected = isAlone || (isSilent && isOlder) ? newest : best;
          const shown = shownBy(wardOf(inOrder, attached), now);
          expect([shown?.value, shown?.takenAt]).toEqual([
            expected?.device,
            toInstant(startOfTest + (expected?.second ?? 0) * 1_000),
          ]);
        }),
        { numRuns: 500 },
      );
    });

    it('is the same however the calls of the devices lie between each other', () => {
      fc.assert(
        fc.property(stream, assigned, fc.nat(400), (entries, attached, second) => {
          const now = startOfTest + second * 1_000;
          const inOrder = entries.toSorted((a, b) => a.second - b.second);
          const byDevice = inOrder.toSorted((a, b) => a.device - b.device);
          expect(shownBy(wardOf(byDevice, attached), now)).toEqual(shownBy(wardOf(inOrder, attached), now));
        }),
        { numRuns: 300 },
      );
    });

    it('is that of another device while the assigned one has sent invalid values alone for more than 10 s', () => {
      const liveState = wardOf([], [1]);
      const put = (device: number, second: number, quality: 'good' | 'invalid'): void =>
        liveState.takeSample({ ...sampleOf({ device, second }), quality: qualityCode(quality, true) });
      for (let second = 0; second <= 60; second += 30) {
        put(1, second, 'good');
      }
      for (let second = 61; second <= 75; second += 1) {
        put(1, second, 'invalid');
        put(2, second, 'good');
        const shown = shownBy(liveState, startOfTest + second * 1_000);
        expect([second, shown?.source]).toEqual([second, second <= 71 ? 'device 1' : 'device 2']);
      }
    });

    it.each([
      ['the lower one is shown all the time, whichever is the newest', 98, 74, 74],
      ['the lower one is shown all the time, also if its device is the older one', 74, 98, 74],
      ['the lower one is shown all the time, also if it is little lower', 97, 96, 96],
    ])('of two devices that send each second, %s', (_, first, second, expected) => {
      const liveState = wardOf([], []);
      for (let at = 0; at < 20; at += 1) {
        for (const [device, value] of [
          [2, first],
          [3, second],
        ] as const) {
          // prettier-ignore
          liveState.takeSample({ ...sampleOf({ device, second: at }), value });
          expect([at, device, shownBy(liveState, startOfTest + at * 1_000)?.value]).toEqual([
            at,
            device,
            at === 0 && device === 2 ? first : expected,
          ]);
        }
      }
    });

    it.each([
      ['questionable', { value: 74, quality: 'questionable', other: { value: 98 } }],
      ['invalid', { value: 74, quality: 'questionable', other: { value: 98 } }],
    ] as const)('is the lower one of two each second, also while its device says %s', (quality, expected) => {
      const liveState = wardOf([], []);
      liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 74 });
      liveState.takeSample({ ...sampleOf({ device: 2, second: 1 }), value: 98 });
      expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({
        value: 74,
        quality: 'good',
        other: { value: 98 },
      });
      liveState.takeSample({ ...sampleOf({ device: 3, second: 2 }), value: 74, quality: qualityCode(quality, true) });
      expect(shownBy(liveState, startOfTest + 2_000)).toMatchObject(expected);
    });

    it('is the certain one of two that send each second and say the same, until it is silent', () => {
      const liveState = wardOf([], []);
      const uncertain = qualityCode('questionable', true);
      liveState.takeSample({ ...sampleOf({ device: 2, second: 5 }), value: 97, quality: uncertain });
      liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 97 });
      expect(shownBy(liveState, startOfTest + 5_000)?.source).toBe('device 3');
      expect(shownBy(liveState, startOfTest + 10_001)?.source).toBe('device 2');
    });

    it('is the lowest of three, with the one beside it that differs most', () => {
      const liveState = wardOf([], []);
      for (const [device, value] of [
        [1, 89],
        [2, 93],
        [3, 86],
      ] as const) {
        // prettier-ignore
        liveState.takeSample({ ...sampleOf({ device, second: 0 }), value });
      }
      expect(shownBy(liveState, startOfTest)).toMatchObject({ value: 86, other: { value: 93 } });
    });

    it.each([
      ['typed in', -7],
      ['of a device at home that is present for hours', 4],
    ])('is never an old one that was %s in the place of a newer one whose device fell silent', (_, old) => {
      const liveState = wardOf([], []);
      const row = old < 0 ? patient : { ...patient, profile: 'home' as const };
      liveState.putPatient(row);
      liveState.takeSample({ ...sampleOf({ device: 1, second: -300 }), deviceId: old, value: 98 });
      for (let second = 0; second < 5; second += 1) {
        liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 74 });
      }
      for (const second of [5, 14, 15, 30, 50]) {
        const shown = presentPatient(liveState, row, startOfTest + second * 1_000).latest.spo2;
        expect([second, shown?.value]).toEqual([second, 74]);
      }
    });

    it('is that of the assigned device, with the other one beside it, though the other one is lower', () => {
      const liveState = wardOf([], [2]);
      liveState.takeSample({ ...sampleOf({ device: 2, second: 0 }), value: 98 });
      liveState.takeSample({ ...sampleOf({ device: 3, second: 1 }), value: 74 });
      expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({ value: 98, other: { value: 74 } });
    });

    it('is that of the stream beside a device that measures every five minutes, though set as a stream', () => {
      const liveState = wardOf([], []);
      for (const second of [-600, -300, 0]) {
        liveState.takeSample({ ...sampleOf({ device: 1, second }), value: 79 });
      }
      for (let second = 1; second <= 70; second += 1) {
        liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 80 });
        expect([second, shownBy(liveState, startOfTest + second * 1_000)?.value]).toEqual([second, 80]);
      }
    });

    it('is a live one beside a worse one that is stale', () => {
      const liveState = wardOf([], []);
      for (const second of [-90, -45, 0]) {
        liveState.takeSample({ ...sampleOf({ device: 1, second }), value: 74 });
      }
      for (let second = 1; second <= 40; second += 1) {
        liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 90 });
        const shown = shownBy(liveState, startOfTest + second * 1_000);
        expect([second, shown?.value]).toEqual([second, second <= 30 ? 74 : 90]);
      }
    });

    it('is the certain one of two that do not disagree, so that NEWS2 has it', () => {
      const liveState = wardOf([], []);
      const uncertain = qualityCode('questionable', true);
      liveState.takeSample({ ...sampleOf({ device: 2, second: 0 }), value: 91, quality: uncertain });
      liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 92 });
      expect(shownBy(liveState, startOfTest)).toMatchObject({ value: 92, quality: 'good' });
    });

    it('is that of the assigned device though another one has measured a minute later and fell silent', () => {
      const liveState = wardOf([], [2]);
      for (const second of [-240, -120, 0]) {
        liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 74 });
      }
      liveState.takeSample({ ...sampleOf({ device: 3, second: 70 }), value: 98 });
      for (const second of [70, 80, 81, 110]) {
        expect([second, shownBy(liveState, startOfTest + second * 1_000)?.value]).toEqual([second, 74]);
      }
    });

    it('is that of the assigned device though another one has measured minutes later', () => {
      const liveState = wardOf([], [2]);
      for (const second of [0, 100, 200]) {
        liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 98 });
      }
      liveState.takeSample({ ...sampleOf({ device: 3, second: 290 }), value: 96 });
      expect(shownBy(liveState, startOfTest + 290_000)).toMatchObject({ value: 98, other: { value: 96 } });
    });

    it('is that of the monitor again a second after a user has typed in another one', () => {
      const liveState = wardOf([{ device: 2, second: 0 }], []);
      const manual = { ...sampleOf({ device: 2, second: 1 }), deviceId: -7, value: 74 };
      liveState.takeSample(manual);
      liveState.takeSample({ ...sampleOf({ device: 2, second: 1 }), value: 98 });
      expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({ value: 98, other: { value: 74 } });
    });

    it('is never that of a device for being assigned to somebody else', () => {
      const liveState = wardOf(
        [
          { device: 1, second: 0 },
          { device: 2, second: 1 },
        ],
        [],
      );
      liveState.putPatient(patientRow(2, 1, 'B'));
      liveState.deviceStays.assigned.set(2, 2);
      expect(shownBy(liveState, startOfTest + 2_000)?.value).toBe(1);
      expect(presentPatient(liveState, patientRow(2, 1, 'B'), startOfTest + 2_000).latest).toEqual({});
    });

    it('is shown in a list until the moment the list names', () => {
      fc.assert(
        fc.property(stream, assigned, fc.nat(400), (entries, attached, second) => {
          const now = startOfTest + second * 1_000;
          const liveState = wardOf(entries, attached);
          const list = (at: number) =>
            listPatients(
              liveState,
              { siteId: 1, unitIds: null },
              { state: 'active', sort: 'familyName', page: 1, pageSize: 25, only: null, attention: false },
              at,
            );
          const { page, until } = list(now);
          expect(until).toBeGreaterThan(now);
          expect(list(until === Infinity ? now + 1e9 : until - 1).page).toEqual(page);
          expect(until === Infinity || list(until).until > until).toBe(true);
        }),
        { numRuns: 300 },
      );
    });
  });

  describe.each(apiEngines)('an assigned device on %s', (engine) => {
    let test: TestServer;
    let nurse: Caller;
    let id: number;

    beforeAll(async () => {
      test = await restartableTestServer(engine);
      const site = await test.addSite();
      nurse = await test.signIn(site, 'nurse');
      id = await test.addPatient(site, { mrn: 'A1' });
    });

    const list = async (after = ''): Promise<PatientsPage> =>
      (await nurse.call('GET', `/api/v2/patients${after}`)).json<PatientsPage>();
    const source = async (): Promise<string | undefined> => (await list()).items[0]?.latest.spo2?.source;

    it('is shown before another one while it is present, also after a restart', async () => {
      const wearable = await test.addDevice(nurse.siteId, { name: 'wearable' });
      const probe = await test.addDevice(nurse.siteId, { name: 'probe' });
      const wire = () => [{ patientId: id, kind: 'spo2', value: 97, takenAt: toInstant(test.now()), quality: 'good' }];
      await test.ingest(probe.token, wire());
      test.advance(5_000);
      await test.ingest(wearable.token, wire());
      await expect(source()).resolves.toBe('wearable');
      test.advance(2_000);
      await nurse.call('POST', `/api/v2/devices/${probe.id}/assignment`, { mrn: 'A1', dateOfBirth: '1950-03-07' });
      await expect(source()).resolves.toBe('probe');
      await test.restart();
      const { version } = await list();
      await expect(source()).resolves.toBe('probe');
      test.advance(3_000);
      await expect(list(`?after=${version}`)).resolves.toEqual({ unchanged: true, version });
      test.advance(1);
      await expect(list(`?after=${version}`)).resolves.toHaveProperty('items');
      await expect(source()).resolves.toBe('wearable');
    });

    it('has beside it what another device says at the same time, until that one is silent', async () => {
      const own = await test.addPatient(nurse.siteId, { mrn: 'B2' });
      const probe = await test.addDevice(nurse.siteId, { name: 'probe 2' });
      const second = await test.addDevice(nurse.siteId, { name: 'second' });
      const wire = (value: number, quality = 'good') => [
        { patientId: own, kind: 'spo2', value, takenAt: toInstant(test.now()), quality },
      ];
      const spo2 = async () => (await nurse.call('GET', `/api/v2/patients/${own}`)).json<Patient>().latest.spo2;
      await nurse.call('POST', `/api/v2/devices/${probe.id}/assignment`, { mrn: 'B2', dateOfBirth: '1950-03-07' });
      await test.ingest(probe.token, wire(97));
      await expect(spo2()).resolves.not.toHaveProperty('other');
      await test.ingest(second.token, wire(75));
      const asOf = toInstant(test.now());
      await expect(spo2()).resolves.toMatchObject({
        value: 97,
        source: 'probe 2',
        other: { value: 75, asOf, source: 'second' },
      });
      test.advance(10_001);
      await test.ingest(probe.token, wire(97));
      await expect(spo2()).resolves.not.toHaveProperty('other');
      // No second opinion: its sensor is off.
      await test.ingest(second.token, wire(0, 'invalid'));
      await expect(spo2()).resolves.not.toHaveProperty('other');
    });
  });
});

describe('qualityCode', () => {
  describe('a quality in the store', () => {
    it.each(qualities)('%s comes back as it went in, and whether it was stated', (quality) => {
      for (const stated of [true, false]) {
        const code = qualityCode(quality, stated);
        expect([qualityOf(code), isInvalid(code), isOfStatingSource(code)]).toEqual([
          quality,
          quality === 'invalid',
          stated,
        ]);
      }
    });

    it.each([
      [true, 0, 'questionable'],
      [true, 300_000, 'questionable'],
      [true, 300_001, 'good'],
      [false, 0, 'invalid'],
      [false, 300_001, 'invalid'],
    ] as const)(
      'left out by a source that stated one (signal: %s) %d ms before is %s',
      (hasSignal, sinceMs, quality) => {
        const code = stoppedCode(hasSignal, sinceMs);
        expect([qualityOf(code), isOfStatingSource(code), isStated(code), hasStoppedStating(code)]).toEqual([
          quality,
          true,
          false,
          true,
        ]);
      },
    );
  });

  describe('isRepeat', () => {
    const good = { value: 97, quality: qualityCode('good', true) };
    const unstated = { value: 97, quality: qualityCode('good', false) };

    it.each([
      ['the same', good, good, true],
      ['another value', good, { ...good, value: 96 }, false],
      ['another quality', good, { ...good, quality: qualityCode('questionable', true) }, false],
      ['a quality where none was known', unstated, good, false],
      ['no quality where one is known', good, unstated, true],
      ['no quality from a source that states one by now', unstated, { value: 97, quality: stoppedCode(true, 0) }, true],
      ['no quality, but another value', good, { ...unstated, value: 0 }, false],
    ])('of %s', (_, known, sample, expected) => {
      expect(isRepeat(known, sample)).toBe(expected);
    });
  });
});
