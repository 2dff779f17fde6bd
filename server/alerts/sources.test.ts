import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { ErrorBody } from '../../lib/api/errorBody';
import { shiftAt } from '../../lib/assignments/shiftAt';
import type { Chart } from '../../lib/chart/schema';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { newSymptomReport } from '../../lib/symptoms/schema';
import { formatTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startOfTest, type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import { addSymptomReport } from '../symptoms/commands';
import { noCheckIn } from './checkInFacts';
import { type Holding, readHolding } from './holding';

describe.each(apiEngines)('a patient with two oximeters on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let monitor: { id: number; token: string };
  let second: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    test.advance(3_600_000);
    monitor = await test.addDevice(site, { name: 'monitor' });
    second = await test.addDevice(site, { name: 'oximeter' });
    patient = await test.addPatient(site);
    test.server.liveState.deviceStays.assigned.set(monitor.id, patient);
    nurse = await test.signIn(site, 'nurse');
  });

  type Values = readonly [{ token: string }, number | 'off', 'questionable'?];
  /** Lets time pass; each device sends a value a second, in a call every five seconds. */
  async function feed(seconds: number, ...devices: Values[]): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 5) {
      test.advance(5_000);
      for (const [{ token }, value, quality = 'good'] of devices) {
        const samples = [4, 3, 2, 1, 0].map((ago) => ({
          patientId: patient,
          kind: 'spo2',
          value: value === 'off' ? 0 : value,
          takenAt: toInstant(test.now() - ago * 1_000),
          quality: value === 'off' ? 'invalid' : quality,
        }));
        await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
      }
      await test.server.alerts.evaluateClock();
    }
  }
  const open = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const rules = async (): Promise<string[]> => (await open()).map(({ rule }) => rule).sort();
  const source = async (): Promise<string | undefined> =>
    (await nurse.call('GET', '/api/v2/patients')).json<PatientsPage>().items.find(({ id }) => id === patient)?.latest
      .spo2?.source;

  it('is alarmed by the second one while the assigned probe is off, and by that probe', async () => {
    await feed(30, [monitor, 97], [second, 75]);
    await expect(rules()).resolves.toEqual([]);
    await expect(source()).resolves.toBe('monitor');
    await feed(10, [monitor, 'off'], [second, 75]);
    await expect(rules()).resolves.toEqual([]);
    await feed(5, [monitor, 'off'], [second, 75]);
    await expect(rules()).resolves.toEqual(['spo2.desat']);
    await expect(source()).resolves.toBe('oximeter');
    await feed(20, [monitor, 'off'], [second, 75]);
    await expect(rules()).resolves.toEqual(['sensor.short', 'spo2.desat']);
    const [alert] = (await open()).filter(({ rule }) => rule === 'spo2.desat');
    expect(alert?.evidence.samples[0]).toMatchObject({ value: 75, source: 'oximeter' });
    expect(alert?.sentence).toContain('SpO2 75 % (oximeter)');
  });

  it('is alarmed in the same way after a restart in the middle of it', async () => {
    await feed(30, [monitor, 97], [second, 75]);
    await feed(10, [monitor, 'off'], [second, 75]);
    await test.restart();
    test.server.liveState.deviceStays.assigned.set(monitor.id, patient);
    await feed(5, [monitor, 'off'], [second, 75]);
    await expect(rules()).resolves.toEqual(['spo2.desat']);
  });

  it('is judged by the assigned one again when it comes back, after its hold', async () => {
    await feed(10, [monitor, 97], [second, 75]);
    await feed(30, [monitor, 'off'], [second, 75]);
    await feed(25, [monitor, 97], [second, 75]);
    await expect(source()).resolves.toBe('monitor');
    expect((await open()).find(({ rule }) => rule === 'spo2.desat')?.condition).toBe('active');
    await feed(10, [monitor, 97], [second, 75]);
    expect((await open()).find(({ rule }) => rule === 'spo2.desat')?.condition).toBe('ended');
    await expect(rules()).resolves.toEqual(['spo2.desat']);
  });

  it('is alarmed by the lower one when both are certain and far apart for a minute, and shown both', async () => {
    await feed(55, [monitor, 97], [second, 72]);
    await expect(rules()).resolves.toEqual([]);
    await feed(10, [monitor, 97], [second, 72]);
    const [alert] = await open();
    expect(alert).toMatchObject({ rule: 'spo2.desat', priority: 'high' });
    expect(alert?.sentence).toMatch(/^SpO2 72 % \(oximeter, other sensor 97\) < 78/);
    await feed(35, [monitor, 97], [second, 90]);
    const [milder] = await open();
    expect(milder?.sentence).toMatch(
      /^SpO2 sources disagree, SpO2 90 % \(oximeter, other sensor 97\), SpO2 very low before, lowest 72, alert since/,
    );
  });

  describe('when a nurse has settled which one counts', () => {
    const settle = (who: Caller, { id, version }: AlertItem, deviceId: number) =>
      who.call('POST', `/api/v2/alerts/${id}/source`, { version, deviceId, reason: 'Probe was off the finger' });
    const first = async (): Promise<AlertItem> => {
      const [alert] = await open();
      if (alert === undefined) {
        throw new Error('No alert is open');
      }
      return alert;
    };
    const settled = async (): Promise<AlertItem> => {
      await feed(65, [monitor, 97], [second, 72]);
      const answer = await settle(nurse, await first(), monitor.id);
      expect(answer.statusCode).toBe(200);
      return answer.json<AlertItem>();
    };
    const audited = (alertId: number) =>
      test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'object_type'])
        .where('action', '=', 'settle_source')
        .where('object_id', '=', alertId)
        .execute();

    it('refuses a device that is no certain one of the two, and an alert that has changed', async () => {
      await feed(65, [monitor, 97], [second, 72]);
      const seen = await first();
      expect(seen.sources?.map(({ name }) => name).sort()).toEqual(['monitor', 'oximeter']);
      const third = await test.addDevice(site, { name: 'third' });
      const none = await settle(nurse, seen, third.id);
      expect([none.statusCode, none.json<ErrorBody>().error.code]).toEqual([409, 'source_uncertain']);
      const other = await test.signIn(site, 'physician');
      expect((await settle(other, seen, monitor.id)).statusCode).toBe(200);
      const late = await settle(nurse, seen, second.id);
      expect([late.statusCode, late.json<ErrorBody>().error]).toMatchObject([
        409,
        { code: 'alert_changed', lastAct: { is: 'settled', source: 'monitor', by: { id: other.userId } } },
      ]);
      // The same again, after a lost response, changes nothing.
      expect((await settle(other, seen, monitor.id)).statusCode).toBe(200);
      await expect(audited(seen.id)).resolves.toEqual([{ actor_id: other.userId, object_type: 'alert' }]);
      // A third monitor ends it.
      await feed(10, [monitor, 97], [second, 72], [third, 97]);
      expect((await first()).priority).toBe('high');
      expect((await settle(nurse, await first(), monitor.id)).statusCode).toBe(409);
    });

    it('is alarmed by that one alone, and everyone sees who settled it, until when, and the other value', async () => {
      const { sentence, acknowledged, id } = await settled();
      const shift = shiftAt(test.now(), 'Europe/London', ['07:30', '19:30']);
      expect(acknowledged?.by.id).toBe(nurse.userId);
      expect(sentence).toMatch(/, monitor counts until .*\(/);
      expect(sentence).toContain(`${formatTime(shift.end, 'Europe/London')} (`);
      await feed(40, [monitor, 97], [second, 72]);
      await expect(first()).resolves.toMatchObject({
        ...{ id, condition: 'ended' },
        sentence: expect.stringMatching(/monitor counts until .*, other sensor 72$/) as unknown,
        values: { spo2: { value: 97, other: { value: 72, source: 'oximeter' } } },
      });
      await test.restart();
      test.server.liveState.deviceStays.assigned.set(monitor.id, patient);
      await feed(20, [monitor, 97], [second, 72]);
      const kept = await first();
      expect([kept.condition, kept.sentence]).toEqual(['ended', expect.stringContaining('monitor counts until')]);
      await feed(5, [monitor, 75], [second, 97]);
      await expect(first()).resolves.toMatchObject({ id, condition: 'active', priority: 'high', acknowledged: null });
    });

    it('is shown and judged by the one that is not assigned if that one counts', async () => {
      await feed(65, [monitor, 72], [second, 97]);
      expect((await settle(nurse, await first(), second.id)).statusCode).toBe(200);
      await feed(40, [monitor, 72], [second, 97]);
      await expect(source()).resolves.toBe('oximeter');
      expect((await first()).condition).toBe('ended');
    });

    it('is alarmed by both as soon as that one is lost, and its choice never comes back', async () => {
      const { id } = await settled();
      await feed(40, [monitor, 97], [second, 72]);
      await feed(15, [monitor, 'off'], [second, 72]);
      expect((await open()).find((alert) => alert.id === id)).toMatchObject({ condition: 'active', priority: 'high' });
      await feed(40, [monitor, 97], [second, 72]);
      const alert = (await open()).find((one) => one.id === id);
      expect([alert?.condition, alert?.sentence.includes('counts until')]).toEqual(['active', false]);
      const log = (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
      expect(log.filter(({ is }) => is === 'settled' || is === 'unsettled').map(({ is }) => is)).toEqual([
        'settled',
        'unsettled',
      ]);
    });

    it('is alarmed by both again when somebody takes it back', async () => {
      await settled();
      await feed(40, [monitor, 97], [second, 72]);
      const other = await test.signIn(site, 'physician');
      const answer = await settle(other, await first(), 0);
      expect([answer.statusCode, answer.json<AlertItem>().closedBecause]).toEqual([200, 'ended']);
      // The next tick takes it over.
      await feed(10, [monitor, 97], [second, 72]);
      await expect(rules()).resolves.toEqual(['spo2.desat']);
    });
  });

  it('is judged and shown by a certain second one while the assigned one doubts its own', async () => {
    await feed(5, [monitor, 97, 'questionable'], [second, 84]);
    await expect(source()).resolves.toBe('oximeter');
    await feed(15, [monitor, 97, 'questionable'], [second, 84]);
    await expect(rules()).resolves.toEqual(['spo2.low']);
  });

  it('is alarmed by the silence of the assigned one although the second one sends', async () => {
    await feed(10, [monitor, 97], [second, 97]);
    await feed(65, [second, 97]);
    await expect(rules()).resolves.toEqual(['reporting.short']);
  });
});

describe.each(apiEngines)('what holds for a patient on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let userId: number;
  let patient: PatientRow;
  let other: PatientRow;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    userId = (await test.addUser(site, 'physician')).id;
    patient = rowOf(await test.addPatient(site));
    other = rowOf(await test.addPatient(site, { spo2Scale: 2 }));
  });

  const rowOf = (id: number): PatientRow => {
    const row = test.server.liveState.patients.get(id);
    if (row === undefined) {
      throw new Error('there is no such patient');
    }
    return row;
  };
  const limit = async (
    patientId: number | null,
    rule: string,
    values: object,
    more: { scale?: 1 | 2; site?: number } = {},
  ) => {
    await test.store.db
      .insertInto('alert_limits')
      .values({
        site_id: more.site ?? site,
        patient_id: patientId,
        rule,
        scale: more.scale ?? null,
        limit_values: JSON.stringify(values),
        reason: 'a reason',
        review_at: null,
        set_at: test.now(),
        set_by: userId,
      })
      .execute();
  };
  /** The same whether a patient is read alone or with all the others. */
  const holding = async (row: PatientRow): Promise<Holding | undefined> => {
    const alone = (await readHolding(test.store.db, [row], null)).get(row.id);
    const among = (await readHolding(test.store.db, [patient, other], null)).get(row.id);
    expect(among).toEqual(alone);
    return alone;
  };

  it('contains nothing without any setting', async () => {
    await expect(holding(patient)).resolves.toEqual({
      limits: {},
      limitsBy: {},
      ownLimits: {},
      standby: null,
      comfortCare: null,
      handoffGivenAt: null,
      monitorLostAt: null,
      checkIn: noCheckIn,
      timeZone: 'Europe/London',
    });
    await expect(readHolding(test.store.db, [], null)).resolves.toEqual(new Map());
  });

  it('are the newest limits of each rule, and of this patient alone', async () => {
    await limit(patient.id, 'hr.extreme', { low: 45, high: 160 });
    await limit(patient.id, 'hr.fast', { high: null });
    await limit(patient.id, 'hr.extreme', { low: 35 });
    await limit(other.id, 'hr.high', { high: 120 });
    expect((await holding(patient))?.limits).toEqual({ 'hr.extreme': { low: 35 }, 'hr.fast': { high: null } });
    expect((await holding(other))?.limits).toEqual({ 'hr.high': { high: 120 } });
  });

  it('are those of the site beneath, side by side, never of another site', async () => {
    await limit(null, 'hr.extreme', { low: 45, high: 160 });
    await limit(null, 'hr.low', { low: 50 });
    await limit(patient.id, 'hr.extreme', { high: 170 });
    await limit(patient.id, 'hr.low', { low: 60 });
    await limit(patient.id, 'hr.low', {});
    await limit(null, 'hr.fast', { high: 100 }, { site: await test.addSite('Other ward') });
    expect((await holding(patient))?.limits).toEqual({ 'hr.extreme': { low: 45, high: 170 }, 'hr.low': { low: 50 } });
    expect((await holding(other))?.limits).toEqual({ 'hr.extreme': { low: 45, high: 160 }, 'hr.low': { low: 50 } });
  });

  it('are those of the patient’s SpO2 scale', async () => {
    await limit(null, 'spo2.low', { low: 90 }, { scale: 1 });
    await limit(null, 'spo2.low', { low: 86 }, { scale: 2 });
    await limit(patient.id, 'spo2.below', { low: 90 }, { scale: 1 });
    await limit(patient.id, 'spo2.below', { low: 86 }, { scale: 2 });
    expect((await holding(patient))?.limits).toEqual({ 'spo2.low': { low: 90 }, 'spo2.below': { low: 90 } });
    expect((await holding(other))?.limits).toEqual({ 'spo2.low': { low: 86 } });
    expect((await readHolding(test.store.db, [{ ...patient, spo2_scale: 2 }], null)).get(patient.id)?.limits).toEqual({
      'spo2.low': { low: 86 },
      'spo2.below': { low: 86 },
    });
  });

  it('leaves out a rule that another release knew', async () => {
    await limit(patient.id, 'hr.ancient', { low: 45 });
    expect((await holding(patient))?.limits).toEqual({});
  });

  it('contains the standby and the comfort care that were not ended, with user and reason', async () => {
    const pause = { site_id: site, patient_id: patient.id, reason: 'a wash' };
    const at = test.now();
    await test.store.db
      .insertInto('standbys')
      .values([
        { ...pause, started_at: at, started_by: userId, until: at + 2, ended_at: at + 1, ended_by: userId },
        { ...pause, started_at: at, started_by: userId, until: at + 60_000, ended_at: null, ended_by: null },
      ])
      .execute();
    await test.store.db
      .insertInto('comfort_cares')
      .values([
        { ...pause, confirmed_at: at, confirmed_by: userId, ended_at: at + 1, ended_by: userId },
        { ...pause, confirmed_at: at + 1, confirmed_by: userId, ended_at: null, ended_by: null },
      ])
      .execute();
    await expect(holding(patient)).resolves.toMatchObject({
      standby: { by: userId, reason: 'a wash', until: at + 60_000 },
      comfortCare: { by: userId, reason: 'a wash', confirmedAt: at + 1 },
    });
    await expect(holding(other)).resolves.toMatchObject({ standby: null, comfortCare: null });
    await test.store.db.updateTable('standbys').set({ ended_at: at }).execute();
    await test.store.db.updateTable('comfort_cares').set({ ended_at: at }).execute();
    await expect(holding(patient)).resolves.toMatchObject({ standby: null, comfortCare: null });
  });
});

describe.each(apiEngines)('the rules for a patient under 16 on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let physician: Caller;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone('Children', 'Asia/Tokyo');
    device = await test.addDevice(site);
    // Two years old on the first day of the tests.
    patient = await test.addPatient(site, { dateOfBirth: '2024-05-01', location: { unit: 'East', bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  });

  /** Sends a value a second, and evaluates the clock. */
  async function feed(kind: string, value: number, seconds: number): Promise<void> {
    const samples = Array.from({ length: seconds }, (_, place) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() + place * 1_000),
      quality: 'good',
    }));
    test.advance(seconds * 1_000);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    await test.server.alerts.evaluateClock();
  }
  const listed = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const rules = async (): Promise<string[]> =>
    (await listed()).filter(({ condition }) => condition === 'active').map(({ rule }) => rule);
  const setLimits = (who: Caller, rule: string, values: object) =>
    setPatientLimits(who, patient, { rule, values, reason: 'Usual at two years' });

  it('judge no rate by the limits of adults, and say so to the ward lead', async () => {
    await feed('heartRate', 155, 90);
    await expect(rules()).resolves.toEqual(['limits.none']);
    const [alert] = await listed();
    expect(alert).toMatchObject({ priority: 'medium', sentence: 'No rate limits set' });
    const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: LoggedEvent[] }>();
    expect(items).toMatchObject([{ is: 'raised' }, { is: 'asked', step: 0, to: { unheld: ['ward_lead'] } }]);
  });

  it('judge SpO2 and an extremely low rate all the same', async () => {
    await feed('heartRate', 12, 20);
    await feed('spo2', 84, 20);
    expect((await rules()).sort()).toEqual(['hr.extreme', 'limits.none', 'spo2.low']);
  });

  it('judge rates by the limits that a physician sets, within bounds of children', async () => {
    expect((await setLimits(nurse, 'hr.extreme', { low: 70, high: 190 })).statusCode).toBe(403);
    expect((await setLimits(physician, 'hr.extreme', { low: 29, high: 190 })).statusCode).toBe(422);
    expect((await setLimits(physician, 'hr.extreme', { low: 100, high: 221 })).statusCode).toBe(422);
    expect((await setLimits(physician, 'hr.extreme', { low: 70, high: 190 })).statusCode).toBe(200);
    await test.server.alerts.evaluateClock();
    await expect(rules()).resolves.toEqual([]);
    await feed('heartRate', 155, 90);
    await expect(rules()).resolves.toEqual([]);
    await feed('heartRate', 66, 20);
    await expect(rules()).resolves.toEqual(['hr.extreme']);
  });

  it('take no limits of the site, which are those of adults', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    await approveSiteLimits(physician, lead, { rule: 'hr.extreme', values: { high: 140 } });
    await feed('heartRate', 155, 30);
    await expect(rules()).resolves.toEqual(['limits.none']);
  });

  it('become those of adults on the 16th birthday, by the calendar of the site', async () => {
    // It is 19:00 in Tokyo, and the birthday begins in five hours.
    expect(startOfTest).toBe(Date.UTC(2026, 4, 1, 10));
    const today = new Date(test.now() + 9 * 3_600_000).toISOString().slice(5, 10);
    const tomorrow = new Date(test.now() + 33 * 3_600_000).toISOString().slice(5, 10);
    expect(today < tomorrow).toBe(true);
    patient = await test.addPatient(site, { dateOfBirth: `2010-${tomorrow}` });
    await feed('heartRate', 155, 20);
    await expect(rules()).resolves.toEqual(['limits.none']);
    test.advance(15 * 3_600_000);
    nurse = await test.signIn(site, 'nurse');
    await test.server.alerts.evaluateClock();
    await feed('heartRate', 155, 40);
    await expect(rules()).resolves.toEqual(['hr.extreme']);
  });

  it('judge no rate at home by the limits of adults either', async () => {
    patient = await test.addPatient(site, { dateOfBirth: '2024-05-01', profile: 'home' });
    await feed('pulseRate', 140, 1);
    await feed('respiratoryRate', 30, 1);
    await expect(rules()).resolves.toEqual(['limits.none']);
    await feed('pulseRate', 38, 1);
    expect((await rules()).sort()).toEqual(['home.rate.red', 'limits.none']);
  });
});

describe.each(apiEngines)('the sentences of alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });

  async function feed(values: readonly number[], kind = 'spo2'): Promise<void> {
    const samples = values.map((value, place) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() + place * 1_000),
    }));
    test.advance(values.length * 1_000);
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ accepted: samples.length });
  }
  const times = (many: number, value: number): number[] => Array.from({ length: many }, () => value);
  const sentences = async (): Promise<string[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.map(({ sentence }: AlertItem) => sentence);
  };

  it('tell the value, the limit, how it was before and how bad it was', async () => {
    await feed([...times(5, 94), ...times(20, 84), ...times(2, 86)]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 86 % < 88 for \d\d s, lowest 84, was 94 at \d\d:\d\d$/),
    ]);
    await feed(times(40, 97));
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 low, ended at \d\d:\d\d, lowest 84, limit < 88$/),
    ]);
  });

  it('tell how long it has lasted from its first value on, over a single value inside the limit', async () => {
    for (const values of [times(30, 94), times(50, 86), [...times(10, 86), 88, ...times(39, 86)], times(30, 86)]) {
      await feed(values);
    }
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^SpO2 86 % < 88 for 2 min/)]);
  });

  it('tell how bad it was also when another episode has followed', async () => {
    await feed([...times(20, 84), ...times(20, 79)]);
    await feed(times(40, 97));
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    await nurse.call('POST', `/api/v2/alerts/${items[0]?.id}/acknowledge`, { version: items[0]?.version });
    test.advance(600_000);
    await feed([...times(5, 97), ...times(20, 86)]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 86 % < 88 for \d\d s, was 97 at \d\d:\d\d$/),
    ]);
    const closed = (await nurse.call('GET', `/api/v2/alerts?state=closed&patientId=${patient}`)).json<AlertsPage>();
    expect(closed.items.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^SpO2 low, ended at \d\d:\d\d, lowest 79, limit < 88$/),
    ]);
  });

  it('tell the value of the device that holds the alert, not that of one that says that all is well', async () => {
    const second = await test.addDevice(site, { name: 'second' });
    const samples = (value: number) =>
      [4, 3, 2, 1, 0].map((ago) => ({
        ...{ patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now() - ago * 1_000), quality: 'good' },
      }));
    for (let count = 0; count < 12; count += 1) {
      test.advance(5_000);
      await test.ingest(device.token, samples(98));
      await test.ingest(second.token, samples(count < 2 ? 97 : 74));
    }
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 74 % \(other sensor 98\) < 78 for \d\d s/),
    ]);
  });

  it('tell the value that holds the alert, where another device has the lower one that is shown', async () => {
    patient = await test.addPatient(site, { spo2Scale: 2 });
    const second = await test.addDevice(site, { name: 'second' });
    const put = async (token: string, kind: string, value: number): Promise<void> => {
      const sample = { patientId: patient, kind, value, takenAt: toInstant(test.now()), quality: 'good' };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    };
    await put(device.token, 'oxygenFlow', 2);
    for (let count = 0; count < 70; count += 1) {
      test.advance(10_000);
      await put(device.token, 'spo2', 98);
      await put(second.token, 'spo2', 90);
    }
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^SpO2 98 % \(gateway.*\) on oxygen ≥ 97/)]);
  });

  it('come with the value that they name, to users who may read it', async () => {
    await feed([...times(5, 94), ...times(20, 84), 81]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items[0]?.headline).toContain('SpO2 81 %');
    expect(items[0]?.values).toMatchObject({ spo2: { value: 81 } });
  });

  it('tell what was worst with its limit when a patient recovers through several tiers', async () => {
    await feed([...times(5, 97), ...times(20, 77)]);
    await feed(times(40, 92));
    const lowered = /^SpO2 92 % ≤ 93.*, SpO2 very low before, lowest 77, limit < 78(, |$)/;
    await expect(sentences()).resolves.toEqual([expect.stringMatching(lowered)]);
    await feed(times(40, 97));
    await feed(times(40, 97));
    const over = /^SpO2 very low, ended at \d\d:\d\d, lowest 77, limit < 78$/;
    await expect(sentences()).resolves.toEqual([expect.stringMatching(over)]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([{ priority: 'high', rule: 'spo2.desat' }]);
    await nurse.call('POST', `/api/v2/alerts/${items[0]?.id}/acknowledge`, { version: items[0]?.version });
    const closed = (await nurse.call('GET', `/api/v2/alerts?state=closed&patientId=${patient}`)).json<AlertsPage>();
    expect(closed.items.map(({ sentence }) => sentence)).toEqual([expect.stringMatching(over)]);
  });

  it('tell of a reading at home whether it is confirmed', async () => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await feed([91]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 91 % ≤ 92 at \d\d:\d\d, red, not confirmed yet$/),
    ]);
    test.advance(60_000);
    await feed([90]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 90 % ≤ 92 at \d\d:\d\d, red, confirmed$/),
    ]);
  });

  it.each([
    [93, 'active'],
    [97, 'ended'],
  ])('tell of a red reading at home that came with a later one of %d', async (later, condition) => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    const at = (minutes: number, value: number) => ({
      ...{ patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now() - minutes * 60_000) },
    });
    await test.ingest(device.token, [at(60, 85), at(30, later)], { sentAt: toInstant(test.now()) });
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([{ parameter: 'spo2', priority: 'high', condition }]);
  });

  it('tell the limit of a reading at home also when it is over', async () => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await feed([91]);
    test.advance(60_000);
    await feed([96]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([
      { condition: 'ended', evidence: { limits: { raise: [{ is: 'atMost', value: 92 }], clear: [] } } },
    ]);
    expect(items[0]?.sentence).toMatch(/^SpO2 reading red, ended at \d\d:\d\d, lowest 91, limit ≤ 92$/);
  });

  it('tell which red flags were reported', async () => {
    await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, { redFlags: ['blueLips'] });
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Red flag: Blue lips or face, reported at \d\d:\d\d$/),
    ]);
  });

  it('tell which symptoms are new or worse', async () => {
    const report = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
    await report({ answers: { cough: 'mild', fever: 'absent' } });
    test.advance(60_000);
    await report({ answers: { cough: 'moderate', fever: 'mild' } });
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Cough worse, new fever, reported at \d\d:\d\d$/),
    ]);
    test.advance(60_000);
    await report({ sinceYesterday: 'worse' });
    // The cough has not been answered milder.
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Worse than yesterday: Cough worse, reported at \d\d:\d\d/),
    ]);
  });

  it('tell what is missing, and since when', async () => {
    await feed(times(5, 96));
    test.advance(70_000);
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^No SpO2 data since \d\d:\d\d, last 96 %$/)]);
  });
});

describe.each(apiEngines)('on %s an alert of somebody', (engine) => {
  const minute = 60_000;

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    await pass(60 * minute);
  });

  /** Lets so much time pass that screens would be locked by then. */
  async function pass(ms: number): Promise<void> {
    test.advance(ms);
    nurse = await test.signIn(site, 'nurse');
  }
  async function look(ms = 0): Promise<void> {
    await pass(ms);
    await test.server.alerts.evaluateClock();
  }
  /** Sends a value a second, and lets the time pass. */
  async function feed(
    value: number,
    seconds: number,
    more: { kind?: string; of?: number; by?: { token: string } } = {},
  ): Promise<void> {
    const { kind = 'spo2', of = patient, by = device } = more;
    const samples = Array.from({ length: seconds }, (_, place) => ({
      patientId: of,
      kind,
      value,
      takenAt: toInstant(test.now() + (place + 1) * 1_000),
      quality: 'good',
    }));
    test.advance(seconds * 1_000);
    expect((await test.ingest(by.token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      accepted: seconds,
    });
  }
  const all = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items;
  const openOf = async (of = patient): Promise<AlertItem[]> =>
    (await all()).filter(({ patientId }) => patientId === of);
  const openOfDevice = async (id: number): Promise<AlertItem[]> =>
    (await all()).filter(({ deviceId }) => deviceId === id);
  const log = async (id: number, who = nurse): Promise<LoggedEvent[]> =>
    (await who.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  async function change(patch: object, of = patient): Promise<void> {
    const version = test.server.liveState.patients.get(of)?.version;
    expect((await nurse.call('PATCH', `/api/v2/patients/${of}`, { version, ...patch })).statusCode).toBe(200);
  }
  async function assign(id: number, of = patient): Promise<void> {
    const row = test.server.liveState.patients.get(of);
    const answer = await nurse.call('POST', `/api/v2/devices/${id}/assignment`, {
      mrn: row?.mrn,
      dateOfBirth: row?.date_of_birth,
    });
    expect(answer.statusCode).toBe(200);
  }

  it('of a patient discharged by mistake are raised again while the condition lasts', async () => {
    await feed(86, 16);
    await change({ state: 'discharged' });
    // No one has seen it (clinical.md section 0, E7).
    await expect(openOf()).resolves.toMatchObject([{ condition: 'ended', latched: true }]);
    test.advance(20_000);
    await change({ state: 'active' });
    await expect(openOf()).resolves.toMatchObject([{ condition: 'ended', latched: true }]);
    await feed(86, 16);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'spo2.low', condition: 'active' }]);
  });

  it('who came back raises nothing by values of before', async () => {
    await feed(86, 16);
    test.advance(1_000);
    const [alert] = await openOf();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    await change({ state: 'discharged' });
    await look(20 * minute);
    await change({ state: 'active' });
    await look(1_000);
    await expect(openOf()).resolves.toEqual([]);
    await test.restart();
    await look(1_000);
    await look(20 * minute);
    await expect(openOf()).resolves.toEqual([]);
    await feed(97, 2);
    await look(minute);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'reporting.short' }]);
  });

  it('who goes home does not go on for what is judged only on the ward', async () => {
    await feed(86, 16);
    await feed(0.2, 62, { kind: 'perfusionIndex' });
    await look(6 * minute);
    expect((await openOf()).map(({ parameter }) => parameter).sort()).toEqual(['perfusion', 'reporting', 'spo2']);
    await change({ profile: 'home' });
    await look(1_000);
    const [unseen, ...others] = await openOf();
    expect([unseen, others]).toMatchObject([{ parameter: 'spo2', condition: 'ended', latched: true }, []]);
    await nurse.call('POST', `/api/v2/alerts/${unseen?.id}/acknowledge`, { version: unseen?.version });
    await look(12 * 60 * minute);
    await expect(openOf()).resolves.toMatchObject([{ parameter: 'readings' }]);
    await change({ profile: 'continuous' });
    await look(1_000);
    expect((await openOf()).map(({ parameter }) => parameter)).not.toContain('readings');
  });

  it('who reported a red flag in the moment in which the server stopped is raised with its start, once', async () => {
    const actor = { ...system, siteId: site };
    const who = { userId: nurse.userId, patientId: patient };
    const report = newSymptomReport.parse({ answers: {}, redFlags: ['blueLips'] });
    await addSymptomReport(
      test.store,
      test.server.liveState,
      test.now(),
      actor,
      { siteId: site, unitIds: null },
      who,
      report,
    );
    await test.restart();
    await look(minute);
    const raised = await openOf();
    expect(raised).toMatchObject([{ rule: 'symptoms.red_flag', priority: 'high', episodes: 1 }]);
    await test.restart();
    await look(minute);
    expect((await openOf()).map(({ id, episodes }) => [id, episodes])).toEqual(raised.map(({ id }) => [id, 1]));
    // A patient who has left and come back since raises nothing again.
    await change({ state: 'discharged' });
    await change({ state: 'active' });
    await test.restart();
    await look(minute);
    await expect(openOf()).resolves.toMatchObject([{ id: raised[0]?.id, condition: 'ended', episodes: 1 }]);
  });

  it('whose monitor is silent does not end because somebody typed a value in', async () => {
    await feed(97, 5);
    await look(6 * minute);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'reporting.medium' }]);
    expect(
      (await nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings: { spo2: 97 } })).statusCode,
    ).toBeLessThan(300);
    await look(1_000);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'reporting.medium' }]);
  });

  it('about equipment ends when it serves no patient any more', async () => {
    const second = await test.addPatient(site);
    await feed(97, 2);
    await feed(97, 2, { of: second });
    await look(2 * minute);
    await expect(openOfDevice(device.id)).resolves.toMatchObject([{ rule: 'gateway.silent' }]);
    await change({ state: 'discharged' });
    await change({ state: 'discharged' }, second);
    await look(1_000);
    await expect(openOfDevice(device.id)).resolves.toEqual([]);
  });

  it('does not take a monitor for a gateway because it hung on somebody else before', async () => {
    const second = await test.addPatient(site);
    await assign(device.id);
    await feed(97, 5);
    await assign(device.id, second);
    await pass(30 * minute);
    await feed(97, 5, { of: second });
    await look(2 * minute);
    await expect(openOfDevice(device.id)).resolves.toEqual([]);
    await expect(openOf(second)).resolves.toMatchObject([{ rule: 'reporting.short' }]);
  });

  it('about a device ends when it is out of use, and when it is revoked', async () => {
    for (const end of [
      () => change({ state: 'discharged' }),
      async () => {
        const admin = await test.signIn(site, 'administrator', true);
        expect((await admin.call('POST', `/api/v2/devices/${device.id}/revoke`)).statusCode).toBe(200);
      },
    ]) {
      device = await test.addDevice(site);
      patient = await test.addPatient(site);
      const sample = { patientId: patient, kind: 'spo2', value: 97, takenAt: toInstant(test.now()), quality: 'good' };
      await test.ingest(device.token, [sample], { sentAt: toInstant(test.now()), battery: { percent: 9 } });
      await look(minute);
      await expect(openOfDevice(device.id)).resolves.toMatchObject([{ rule: 'battery.empty' }]);
      await end();
      await look(16 * minute);
      await expect(openOfDevice(device.id)).resolves.toEqual([]);
    }
  });

  it('is raised for each patient again if their gateway is revoked', async () => {
    const second = await test.addPatient(site);
    await feed(97, 2);
    await feed(97, 2, { of: second });
    await look(2 * minute);
    const admin = await test.signIn(site, 'administrator', true);
    await admin.call('POST', `/api/v2/devices/${device.id}/revoke`);
    await look(1_000);
    await expect(openOfDevice(device.id)).resolves.toEqual([]);
    await expect(openOf()).resolves.toMatchObject([{ parameter: 'reporting' }]);
    await expect(openOf(second)).resolves.toMatchObject([{ parameter: 'reporting' }]);
  });

  it('tells of the battery of a device that measures neither SpO2 nor a rate', async () => {
    const sample = {
      patientId: patient,
      kind: 'respiratoryRate',
      value: 16,
      takenAt: toInstant(test.now()),
      quality: 'good',
    };
    await test.ingest(device.token, [sample], { sentAt: toInstant(test.now()), battery: { percent: 9 } });
    await look();
    await expect(openOfDevice(device.id)).resolves.toMatchObject([{ rule: 'battery.empty', priority: 'medium' }]);
  });

  it('tells of a device whose values all lie in the future', async () => {
    const sample = {
      patientId: patient,
      kind: 'spo2',
      value: 97,
      takenAt: toInstant(test.now() + 6 * minute),
      quality: 'good',
    };
    expect((await test.ingest(device.token, [sample])).json()).toMatchObject({
      rejected: [{ code: 'time_in_future' }],
    });
    await look();
    await expect(openOfDevice(device.id)).resolves.toMatchObject([{ parameter: 'clock', priority: 'low' }]);
  });

  it('about equipment shows a technician no value of a patient, in its log as little as on its card', async () => {
    await feed(0.2, 61, { kind: 'perfusionIndex' });
    const [alert] = await openOf();
    await feed(2.4, 61, { kind: 'perfusionIndex' });
    const technician = await test.signIn(site, 'technician');
    const id = alert?.id ?? 0;
    expect((await log(id)).find(({ is }) => is === 'ended')).toMatchObject({ lowest: 0.2, highest: 2.4 });
    expect((await log(id, technician)).find(({ is }) => is === 'ended')).toMatchObject({ lowest: null, highest: null });
  });

  it('at home who never sends anything is raised', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    await look(25 * 60 * minute);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'readings.silent', priority: 'medium' }]);
  });

  it.each(['alone', 'beside another one that goes on'])(
    'is raised if a monitor is assigned that sends nothing, %s',
    async (how) => {
      const dead = await test.addDevice(site);
      await assign(dead.id);
      const rulesAfter = async (ms: number): Promise<string[]> => {
        for (let left = ms; left > 0; left -= 30_000) {
          await (how === 'alone' ? look(30_000) : feed(97, 30));
        }
        await look(1_000);
        nurse = await test.signIn(site, 'nurse');
        return (await openOf()).filter(({ parameter }) => parameter === 'reporting').map(({ rule }) => rule);
      };
      await expect(rulesAfter(minute)).resolves.toEqual(['reporting.short']);
      await test.restart();
      await expect(rulesAfter(5 * minute)).resolves.toEqual(['reporting.medium']);
      await expect(rulesAfter(10 * minute)).resolves.toEqual(['reporting.long']);
      await feed(97, 2, { by: dead });
      await expect(rulesAfter(0)).resolves.toEqual([]);
    },
  );

  describe('whose device is taken off', () => {
    const takeOff = async (by = nurse, id = device.id, said = '') => {
      test.advance(1_000);
      const answer = await by.call('DELETE', `/api/v2/devices/${id}/assignment${said}`);
      return answer.statusCode === 204 ? 204 : answer.json<unknown>();
    };
    /** Sends values for so long that each call is in time. */
    const feedFor = async (value: number, seconds: number, kind = 'spo2'): Promise<void> => {
      for (let left = seconds; left > 0; left -= 50) {
        await feed(value, Math.min(left, 50), { kind });
      }
    };
    const stepsOf = async (id: number): Promise<number[]> =>
      (await log(id)).flatMap((event) => (event.is === 'asked' ? [event.step] : []));

    /** When the device was on the patient, the newest first. */
    const stays = async () =>
      (await nurse.call('GET', `/api/v2/patients/${patient}/chart`)).json<Chart>().sections.devices;
    /** Says that the device was on the wrong patient, the last time or one of those before. */
    const say = async (by: Caller, patientId = patient, before = 0): Promise<number> => {
      const stayId = (await stays())[before]?.id;
      const body = { patientId, stayId, reason: 'Of bed 4' };
      const { statusCode } = await by.call('POST', `/api/v2/devices/${device.id}/wrong-patient`, body);
      await test.server.hl7Replay.withdraw(new AbortController().signal);
      return statusCode;
    };

    it.each([
      ['spo2', 86, 16, 'spo2.low', 97, 'high'],
      ['spo2', 70, 4, 'spo2.desat', 96, 'high'],
      ['heartRate', 160, 20, 'hr.extreme', 88, 'high'],
      ['spo2', 90, 310, 'spo2.below', 97, 'medium'],
    ] as const)(
      'goes on at %s %i without a value, after a restart too, and ends by another source',
      async (kind, value, seconds, rule, well, priority) => {
        await assign(device.id);
        await feedFor(value, seconds, kind);
        const [alert] = await openOf();
        expect(alert).toMatchObject({ rule, priority });
        await expect(takeOff(nurse, device.id, '?outcome=hand_on')).resolves.toBe(204);
        await look(70_000);
        await test.restart();
        await look(minute);
        await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, rule, condition: 'active' }]);
        expect((await openOf())[0]?.sentence).toMatch(/no value now/);
        expect((await stepsOf(alert?.id ?? 0)).slice(0, 3)).toEqual(priority === 'high' ? [0, 1, 2] : [0, 1]);
        await feed(well, 90, { kind, by: await test.addDevice(site) });
        await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended' }]);
      },
    );

    it('ends by the person who resolves it, and is raised again by another source', async () => {
      await assign(device.id);
      await feed(86, 16);
      const [alert] = await openOf();
      await takeOff();
      await look(10 * minute);
      const { version } = (await openOf())[0] ?? {};
      const body = { outcome: 'intervention', note: '', version };
      const resolved = await nurse.call('POST', `/api/v2/alerts/${alert?.id}/resolve`, body);
      expect([resolved.statusCode, resolved.json()]).toMatchObject([200, { closedBecause: 'resolved' }]);
      await look(10 * minute);
      await expect(openOf()).resolves.toEqual([]);
      await feed(84, 16, { by: await test.addDevice(site) });
      await expect(openOf()).resolves.toMatchObject([{ rule: 'spo2.low', condition: 'active' }]);
    });

    it('goes on as a score as well, until a person resolves it', async () => {
      await assign(device.id);
      const readings = { respiratoryRate: 22, oxygenFlow: 2 };
      await feed(93, 16);
      await feed(112, 5, { kind: 'heartRate' });
      await nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings });
      const score = async () => (await openOf()).find(({ parameter }) => parameter === 'news2');
      await expect(score()).resolves.toMatchObject({ rule: 'news2.high', condition: 'active' });
      await takeOff();
      await look(20 * minute);
      const { id, version, condition } = (await score()) ?? {};
      expect(condition).toBe('active');
      const body = { outcome: 'intervention', note: '', version };
      const resolved = await nurse.call('POST', `/api/v2/alerts/${id}/resolve`, body);
      expect(resolved.json()).toMatchObject({ closedBecause: 'resolved' });
      await look(minute);
      await expect(score()).resolves.toBeUndefined();
    });

    it('is still asked for at step 1 if it had ended unseen', async () => {
      await assign(device.id);
      await feed(86, 16);
      const [alert] = await openOf();
      await feed(97, 40);
      await takeOff();
      await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended', latched: true }]);
      await look(minute);
      await expect(stepsOf(alert?.id ?? 0)).resolves.toEqual([0, 1]);
    });

    it('is closed if it is LOW or about the equipment', async () => {
      await assign(device.id);
      await feedFor(93, 16 * 60);
      await feed(0.2, 61, { kind: 'perfusionIndex' });
      nurse = await test.signIn(site, 'nurse');
      await expect(openOf().then((all) => all.map(({ rule }) => rule).sort())).resolves.toEqual([
        'signal.perfusion',
        'spo2.mild',
      ]);
      await takeOff();
      await expect(openOf()).resolves.toEqual([]);
    });

    it('leaves the silence of another assigned device an alert', async () => {
      const other = await test.addDevice(site);
      await assign(device.id);
      await assign(other.id);
      await feed(97, 5, { by: other });
      await feed(97, 200);
      await takeOff();
      await look(2 * minute);
      await expect(openOf()).resolves.toMatchObject([{ parameter: 'reporting', condition: 'active' }]);
    });

    it('is refused to a technician while the patient has an active or unseen HIGH alert, without a value', async () => {
      const technician = await test.signIn(site, 'technician');
      await assign(device.id);
      await feed(86, 16);
      const message = 'Not now. Ask the nurse of this patient to take the device off.';
      const refused = { code: 'ask_the_nurse', message };
      await expect(takeOff(technician)).resolves.toMatchObject({ error: refused });
      const other = test.server.liveState.patients.get(await test.addPatient(site));
      const identifiers = { mrn: other?.mrn, dateOfBirth: other?.date_of_birth };
      const moved = await technician.call('POST', `/api/v2/devices/${device.id}/assignment`, identifiers);
      expect([moved.statusCode, moved.json()]).toMatchObject([409, { error: refused }]);
      await expect(takeOff(await test.signIn(await test.addSite(), 'technician'))).resolves.toMatchObject({
        error: { code: 'not_found' },
      });
      const mistyped = { ...identifiers, dateOfBirth: '1911-01-01' };
      const unmatched = await technician.call('POST', `/api/v2/devices/${device.id}/assignment`, mistyped);
      expect(unmatched.json()).toMatchObject({ error: { code: 'patient_not_matched' } });
      await feed(97, 40);
      await expect(takeOff(technician)).resolves.toMatchObject({ error: refused });
      const [alert] = await openOf();
      await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
      await expect(takeOff(technician)).resolves.toBe(204);
    });

    it('from the wrong patient is withdrawn with its values, but no one else’s and none from before', async () => {
      const right = await test.addPatient(site);
      await feed(97, 3);
      await pass(2 * minute);
      await assign(device.id);
      const wornAt = test.now();
      await feed(70, 4);
      await feed(160, 20, { kind: 'heartRate' });
      const raised = (await openOf()).map(({ rule, condition }) => `${rule} ${condition}`);
      expect(raised.sort()).toEqual(['hr.extreme active', 'reporting.short active', 'spo2.desat active']);
      await expect(say(await test.signIn(site, 'technician'))).resolves.toBe(403);
      await expect(say(nurse, right)).resolves.toBe(404);
      await expect(say(nurse)).resolves.toBe(204);
      const ended = async (): Promise<unknown> =>
        (await openOf()).map(({ condition, sentence }) => `${condition}: ${sentence.slice(0, 9)}`);
      await expect(ended()).resolves.toEqual(['ended: Withdrawn', 'ended: Withdrawn']);
      await assign(device.id, right);
      await feed(72, 4, { of: right });
      await test.restart();
      await expect(say(nurse)).resolves.toBe(409);
      await pass(minute);
      await test.server.hl7Replay.withdraw(new AbortController().signal);
      await expect(ended()).resolves.toEqual(['ended: Withdrawn', 'ended: Withdrawn']);
      await expect(openOf(right)).resolves.toMatchObject([{ rule: 'spo2.desat', condition: 'active' }]);
      expect(test.server.liveState.deviceStays.at(device.id, wornAt)).toBeNull();
      const { latest } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
      expect(latest).toMatchObject({ spo2: { value: 97 } });
      expect(latest).not.toHaveProperty('heartRate');
    });

    it('from the wrong patient is withdrawn with the alert that ended unseen, not with that of another', async () => {
      const other = await test.addDevice(site);
      await feed(160, 20, { kind: 'heartRate', by: other });
      await feed(90, 40, { kind: 'heartRate', by: other });
      await assign(device.id);
      await feed(70, 4);
      await feed(97, 40);
      await expect(say(nurse)).resolves.toBe(204);
      const open = (await openOf()).map(({ rule, sentence }) => `${rule}: ${sentence.slice(0, 9)}`).sort();
      expect(open).toEqual([expect.not.stringContaining('Withdrawn'), 'spo2.desat: Withdrawn']);
    });

    it('from the wrong patient is withdrawn for each of its times there, which the chart keeps', async () => {
      await assign(device.id);
      await feed(70, 3);
      await change({ state: 'discharged' });
      await pass(minute);
      await change({ state: 'active' });
      const spo2 = async (): Promise<number | undefined> =>
        (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>().latest.spo2?.value;
      await expect(say(nurse)).resolves.toBe(204);
      await expect(spo2()).resolves.toBe(70);
      await expect(say(nurse, patient, 1)).resolves.toBe(204);
      await expect(spo2()).resolves.toBeUndefined();
      await expect(say(nurse, patient, 1)).resolves.toBe(409);
      expect((await stays()).map(({ status }) => status)).toEqual(['entered_in_error', 'entered_in_error']);
    });

    it('from the wrong patient is withdrawn also if its clock is years off', async () => {
      await assign(device.id);
      test.advance(1_000);
      const wrong = toInstant(test.now() - 5 * 365 * 24 * 60 * minute);
      const samples = [{ patientId: patient, kind: 'spo2', value: 70, takenAt: wrong, quality: 'good' }];
      await test.ingest(device.token, samples, { sentAt: wrong });
      const spo2 = async (): Promise<number | undefined> =>
        (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>().latest.spo2?.value;
      await expect(spo2()).resolves.toBe(70);
      await expect(say(nurse)).resolves.toBe(204);
      await expect(spo2()).resolves.toBeUndefined();
    });

    it.each([
      ['said at once', () => say(nurse)],
      ['said once it is off', () => takeOff()],
    ])('from the wrong patient is withdrawn with what comes while the act waits, %s', async (_, act) => {
      await assign(device.id);
      const { writeQueue } = test.store;
      let free = (): void => undefined;
      const held = writeQueue(() => new Promise<void>((resolve) => (free = resolve)));
      /** Resolves once the call waits in the queue. */
      const waiting = (call: () => Promise<unknown>) =>
        new Promise<{ ends: Promise<unknown> }>((resolve) => {
          jest.spyOn(test.store, 'writeQueue').mockImplementationOnce((work) => {
            resolve({ ends });
            return writeQueue(work);
          });
          const ends = call();
        });
      const said = await waiting(act);
      const fed = await waiting(() => feed(70, 3));
      free();
      await Promise.all([held, said.ends, fed.ends]);
      await say(nurse);
      const { latest } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
      expect(latest).not.toHaveProperty('spo2');
    });

    describe('at MEDIUM', () => {
      beforeEach(async () => {
        await assign(device.id);
        await feedFor(90, 310);
        nurse = await test.signIn(site, 'nurse');
      });

      it('asks what came of it, and is closed by that', async () => {
        await expect(openOf()).resolves.toMatchObject([{ rule: 'spo2.below', priority: 'medium' }]);
        await expect(takeOff()).resolves.toMatchObject({ error: { code: 'outcome_needed' } });
        expect(test.server.liveState.assigned.get(device.id)).toBe(patient);
        await expect(takeOff(nurse, device.id, '?outcome=sensor_fixed')).resolves.toBe(204);
        await expect(openOf()).resolves.toEqual([]);
      });

      it('is handed on once if the token is revoked, and is left also if no one can be asked', async () => {
        const [alert] = await openOf();
        const admin = await test.signIn(site, 'administrator', true);
        for (let twice = 0; twice < 2; twice += 1) {
          expect((await admin.call('POST', `/api/v2/devices/${device.id}/revoke`)).statusCode).toBe(200);
        }
        await look();
        await expect(stepsOf(alert?.id ?? 0)).resolves.toEqual([0, 1]);
        const takenOff = jest.spyOn(test.server.alerts, 'takenOff');
        jest.spyOn(test.server.alerts, 'handle').mockRejectedValueOnce(new Error('cut off'));
        await expect(takeOff(nurse, device.id, '?outcome=hand_on')).resolves.toMatchObject({ error: {} });
        expect(takenOff).toHaveBeenCalledWith(patient, device.id);
      });

      it.each(['nurse', 'technician'] as const)('is handed on by a %s to the next people at once', async (type) => {
        const [alert] = await openOf();
        const by = await test.signIn(site, type);
        await expect(takeOff(by, device.id, type === 'nurse' ? '?outcome=hand_on' : '')).resolves.toBe(204);
        await look();
        await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, condition: 'active' }]);
        expect((await log(alert?.id ?? 0)).flatMap((event) => (event.is === 'asked' ? [event.step] : []))).toEqual([
          0, 1,
        ]);
      });
    });
  });

  describe('whose limit a physician moves', () => {
    it.each([
      ['spo2.low', { low: 80 }, 'spo2', 84, 'spo2.below', 'medium'],
      ['spo2.low', { low: 83 }, 'spo2', 83, 'spo2.below', 'medium'],
      ['hr.extreme', { high: 165 }, 'heartRate', 160, 'hr.high', 'medium'],
    ] as const)('%s to %j at %s %i is judged by the new one: %s', async (rule, values, kind, value, then, priority) => {
      for (let left = 120; left > 0; left -= 40) {
        await feed(value, 40, { kind });
      }
      const [alert] = await openOf();
      expect(alert).toMatchObject({ rule, priority: 'high' });
      const physician = await test.signIn(site, 'physician');
      const body = { rule, values, reason: 'Known to be so low', basedOn: null };
      const url = `/api/v2/patients/${patient}/limits`;
      expect((await physician.call('PUT', url, body)).statusCode).toBe(200);
      await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, rule: then, priority, condition: 'active' }]);
      for (let left = 600; left > 0; left -= 40) {
        await feed(value, 40, { kind });
        await look(1_000);
      }
      const asked = (await log(alert?.id ?? 0)).flatMap((event) => (event.is === 'asked' ? [event.to.contact] : []));
      expect(asked).not.toContain('rapid_response');
    });

    it.each([
      [6, 16, 'news2.aggregate', 6, 'news2.high'],
      [8, 22, 'news2.high', 9, 'news2.aggregate'],
    ])('evaluates a typed score of %i again', async (_, respiratoryRate, before, high, after) => {
      const measured = { spo2: 93, oxygenFlow: 2, pulseRate: 112, respiratoryRate, systolic: 120, temperature: 37 };
      const readings = { ...measured, consciousness: 'A' };
      await nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings });
      const score = async () => (await openOf()).find(({ parameter }) => parameter === 'news2');
      await expect(score()).resolves.toMatchObject({ rule: before, condition: 'active' });
      const physician = await test.signIn(site, 'physician');
      const body = { rule: 'news2.high', values: { high }, reason: 'As agreed', basedOn: null };
      expect((await physician.call('PUT', `/api/v2/patients/${patient}/limits`, body)).statusCode).toBe(200);
      for (let tick = 0; tick < 5; tick += 1) {
        await look(1_000);
      }
      const changed = (await log((await score())?.id ?? 0)).findLast(
        ({ is }) => is === 'upgraded' || is === 'downgraded',
      );
      expect(changed).toMatchObject({ rule: after });
      await expect(score()).resolves.toMatchObject({ condition: 'active' });
    });

    it('stays latched if it is over by the new one and no one has seen it', async () => {
      const physician = await test.signIn(site, 'physician');
      const setLow = async (low: number, basedOn: string | null): Promise<void> => {
        const body = { rule: 'hr.extreme', values: { low }, reason: 'Athlete', basedOn };
        expect((await physician.call('PUT', `/api/v2/patients/${patient}/limits`, body)).statusCode).toBe(200);
      };
      const setAt = toInstant(test.now());
      await setLow(50, null);
      await feed(48, 20, { kind: 'heartRate' });
      const [alert] = await openOf();
      expect(alert).toMatchObject({ rule: 'hr.extreme', condition: 'active' });
      await setLow(40, setAt);
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      const [ended] = await openOf();
      expect(ended).toMatchObject({ id: alert?.id, condition: 'ended', latched: true });
      expect(ended?.sentence).toMatch(/, limit 50 -> 40 by \w+ \w+/);
    });
  });

  it('of a patient who was discharged is still asked for, if it is HIGH and no one has seen it', async () => {
    await feed(86, 16);
    const [alert] = await openOf();
    await change({ state: 'discharged' });
    await look(1_000);
    await expect(openOf()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended', latched: true }]);
    expect((await log(alert?.id ?? 0)).at(-1)).toMatchObject({ is: 'ended', reason: 'discharged' });
    await look(minute);
    await test.restart();
    await look(10 * minute);
    const asked = (await log(alert?.id ?? 0)).flatMap((event) => (event.is === 'asked' ? [event.step] : []));
    expect(asked).toEqual([0, 1]);
    const body = { version: (await openOf())[0]?.version };
    expect((await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, body)).statusCode).toBe(200);
    await expect(openOf()).resolves.toEqual([]);
  });

  it('which was raised by values that the device doubts says so', async () => {
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + place * 1_000),
      quality: 'questionable',
    }));
    test.advance(16_000);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const [alert] = await openOf();
    expect(alert?.sentence).toMatch(/signal questionable/);
  });
});
