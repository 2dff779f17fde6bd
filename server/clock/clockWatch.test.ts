import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { lockIdleSessions } from '../session/routes';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const patientCount = 4;
const instantText = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g;

describe.each(apiEngines)('a step of the wall clock on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let device: { id: number; token: string };
  let nurse: Caller;
  let technician: Caller;
  let patients: number[];
  /** The device's own clock, which no one sets. */
  let deviceTime: number;

  /** Servers of their own: the clock is that of all sites. A new site is on it when earlier steps are forgotten. */
  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    test.advance(31 * minute);
    await test.server.clockWatch.check();
    await test.server.alerts.evaluateClock();
    await test.stopRules();
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    nurse = await test.signIn(site, 'nurse');
    technician = await test.signIn(site, 'technician');
    patients = [];
    for (let count = 0; count < patientCount; count += 1) {
      patients.push(await test.addPatient(site));
    }
    deviceTime = test.now();
  };

  const pass = (ms: number): void => {
    test.advance(ms);
    deviceTime += ms;
  };
  /** A second of all patients: their values, the watch over the clock, the tick of the alerts. */
  const runSecond = async (valueOf: (patientId: number) => number | null): Promise<void> => {
    pass(second);
    const samples = patients.flatMap((patientId) => {
      const value = valueOf(patientId);
      return value === null
        ? []
        : [{ patientId, kind: 'spo2', value, takenAt: toInstant(deviceTime), quality: 'good' }];
    });
    if (samples.length > 0) {
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(deviceTime) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
    }
    await test.server.clockWatch.check();
    await test.server.alerts.evaluateClock();
  };
  const run = async (seconds: number, valueOf: (patientId: number) => number | null): Promise<void> => {
    for (let count = 0; count < seconds; count += 1) {
      await runSecond(valueOf);
    }
  };
  const alertsOf = async (who = nurse, query = ''): Promise<AlertItem[]> =>
    (await who.call('GET', `/api/v2/alerts?pageSize=100${query}`)).json<AlertsPage>().items;
  const lowOf = async (patientId: number): Promise<AlertItem | undefined> =>
    (await alertsOf(nurse, `&patientId=${patientId}`)).find(({ parameter }) => parameter === 'spo2');
  /** Seconds until a patient's SpO2 alert, from the first low value on. */
  const secondsUntilAlert = async (patientId: number, most: number): Promise<number> => {
    for (let count = 1; count <= most; count += 1) {
      await runSecond((id) => (id === patientId ? 84 : 97));
      const open = test.server.alerts.listOpen(site);
      if (open.some(({ patientId: of, alert }) => of === patientId && alert.parameter === 'spo2')) {
        return count;
      }
    }
    return Infinity;
  };
  /** Every instant of the responses that pages poll lies in the past, but for those that say until when. */
  const expectNoFuture = async (): Promise<void> => {
    for (const url of ['/api/v2/patients?pageSize=100', '/api/v2/alerts?pageSize=100', '/api/v2/devices']) {
      const response = await (url.endsWith('devices') ? technician : nurse).call('GET', url);
      expect(response.statusCode).toBe(200);
      const now = Number(response.headers['x-server-time']);
      for (const [, text = ''] of response.payload
        .replace(/"(takenAt|nextAt|until)":"[^"]*"/g, '')
        .matchAll(instantText)) {
        expect(Date.parse(text)).toBeLessThanOrEqual(now + 2 * second);
      }
    }
  };

  describe.each([
    ['an hour back', -hour],
    ['two hours forward', 2 * hour],
    ['a minute and a bit back', -67 * second],
  ])('of %s', (_, ms) => {
    let server: TestServer;
    beforeAll(async () => {
      // A server of its own: the clock is that of all sites.
      server = await startTestServer(engine);
    });
    beforeEach(() => begin(server));
    afterAll(() => server.stop());

    it('delays no alert, shows nothing of the future, and is followed by the pages', async () => {
      const [sick = 0, before = 0] = patients;
      await run(20, () => 97);
      const [usual, usualPatient = 0] = [await secondsUntilAlert(before, 30), patients[2]];
      await run(15, () => 97);
      // In the middle of a delay.
      await run(5, (id) => (id === sick ? 84 : 97));
      test.setWallClock(ms);
      await expect(secondsUntilAlert(sick, 30)).resolves.toBeLessThanOrEqual(usual - 5 + 1);
      await expectNoFuture();
      expect(Math.abs(test.now() - (deviceTime + ms))).toBeLessThanOrEqual(7_500);
      // A condition that begins after the step.
      await expect(secondsUntilAlert(usualPatient, 30)).resolves.toBeLessThanOrEqual(usual + 1);
      const { items } = (await nurse.call('GET', '/api/v2/patients?pageSize=100')).json<{ items: Patient[] }>();
      for (const { latest } of items) {
        expect(Date.parse(latest.spo2?.asOf ?? '')).toBeGreaterThan(test.now() - 2 * second);
        expect(latest.spo2?.quality).toBe('good');
      }
    });

    it('raises silence after its usual time, and escalates an open alert when it was due', async () => {
      const [sick = 0] = patients;
      await run(10, () => 97);
      await secondsUntilAlert(sick, 30);
      const raised = await lowOf(sick);
      expect(raised).toMatchObject({ escalationStep: 1 });
      await run(30, (id) => (id === sick ? 84 : 97));
      test.setWallClock(ms);
      await run(28, (id) => (id === sick ? 84 : 97));
      await expect(lowOf(sick)).resolves.toMatchObject({ id: raised?.id, escalationStep: 1 });
      await run(5, (id) => (id === sick ? 84 : 97));
      await expect(lowOf(sick)).resolves.toMatchObject({ id: raised?.id, escalationStep: 2 });
      for (let minutes = 0; minutes < 10; minutes += 1) {
        pass(minute);
        await test.server.clockWatch.check();
        await test.server.alerts.evaluateClock();
      }
      const silent = (await alertsOf()).filter(({ parameter }) => parameter === 'gateway' || parameter === 'reporting');
      expect(silent.length).toBeGreaterThan(0);
    });

    it('is an alert to technicians, and survives a restart', async () => {
      const [sick = 0] = patients;
      await run(10, () => 97);
      await secondsUntilAlert(sick, 30);
      test.setWallClock(ms);
      await run(20, (id) => (id === sick ? 84 : 97));
      const told = async (): Promise<AlertItem | undefined> =>
        (await alertsOf(technician)).find(({ deviceName }) => deviceName === 'Server');
      await expect(told()).resolves.toMatchObject({ priority: 'high', condition: 'active', parameter: 'clock' });
      const open = await lowOf(sick);
      await test.restart();
      await run(3, (id) => (id === sick ? 84 : 97));
      await expect(lowOf(sick)).resolves.toMatchObject({ id: open?.id, condition: 'active' });
      await expect(told()).resolves.toMatchObject({ condition: 'active' });
      const [, other = 0] = patients;
      await expect(secondsUntilAlert(other, 30)).resolves.toBeLessThan(30);
      await expectNoFuture();
      pass(31 * minute);
      technician = await test.signIn(site, 'technician');
      await test.server.alerts.evaluateClock();
      await expect(told()).resolves.toBeUndefined();
    });

    it('locks no screen while everything moves', async () => {
      const session = test.server.sessions.get(nurse.cookies.token ?? '');
      pass(14 * minute);
      test.setWallClock(ms);
      const { alerts, sessions } = test.server;
      const isLocked = (): boolean => session === null || sessions.isLocked(session);
      // The rules are read from the store meanwhile, and calls are answered.
      const moveClock = jest.spyOn(alerts, 'moveClock');
      const seen: boolean[] = [];
      moveClock.mockImplementationOnce(async (step) => {
        seen.push(isLocked());
        await lockIdleSessions(test.server);
        moveClock.mockRestore();
        await alerts.moveClock(step);
      });
      await lockIdleSessions(test.server);
      await test.server.clockWatch.check();
      await lockIdleSessions(test.server);
      expect([...seen, isLocked()]).toEqual([false, false]);
      expect((await nurse.call('GET', '/api/v2/patients')).statusCode).toBe(200);
    });

    it('ends no session and no wait early or late', async () => {
      pass(14 * minute);
      test.setWallClock(ms);
      await test.server.clockWatch.check();
      expect((await nurse.call('GET', '/api/v2/patients')).statusCode).toBe(200);
      pass(2 * minute);
      expect((await nurse.call('GET', '/api/v2/patients')).statusCode).toBe(423);
    });
  });

  describe('that is small, wrong or of the past', () => {
    beforeEach(async () => {
      // A server for each: the clock is that of all sites.
      await begin(await startTestServer(engine));
    });
    afterEach(() => test.stop());

    it('of up to a minute is LOW, and one of 2 s is none', async () => {
      await run(5, () => 97);
      test.setWallClock(-2 * second);
      await run(5, () => 97);
      expect((await alertsOf(technician)).filter(({ deviceName }) => deviceName === 'Server')).toEqual([]);
      test.setWallClock(-40 * second);
      await run(5, () => 97);
      expect((await alertsOf(technician)).filter(({ deviceName }) => deviceName === 'Server')).toMatchObject([
        { priority: 'low', sentence: expect.stringContaining('set back by 40 s') as string },
      ]);
    });

    it.each([
      ['25 h', 25 * hour],
      ['40 days', 40 * 24 * hour],
    ])('of %s back and later forward again leaves everything as old as it was', async (_, ms) => {
      const [sick = 0, other = 0] = patients;
      await run(10, () => 97);
      const report = { answers: { dyspnoea: 'mild' } };
      expect((await nurse.call('POST', `/api/v2/patients/${other}/symptoms`, report)).statusCode).toBe(201);
      await secondsUntilAlert(sick, 30);
      const ages = async (): Promise<Record<string, unknown>> => {
        const { db } = test.store;
        const [patient, reported, user, alert, rules] = await Promise.all([
          db.selectFrom('patients').selectAll().where('id', '=', other).executeTakeFirstOrThrow(),
          db.selectFrom('symptom_reports').selectAll().where('patient_id', '=', other).executeTakeFirstOrThrow(),
          db.selectFrom('devices').selectAll().where('id', '=', device.id).executeTakeFirstOrThrow(),
          db.selectFrom('alerts').selectAll().where('patient_id', '=', sick).executeTakeFirstOrThrow(),
          db.selectFrom('rule_states').selectAll().where('patient_id', '=', sick).executeTakeFirstOrThrow(),
        ]);
        const from = (at: number): number => Math.round((at - test.now()) / second);
        const inMemory = test.server.liveState.patients.get(other);
        const instants = (json: string): number[] =>
          [...json.matchAll(/\b1[78]\d{11}\b/g)].map(([text]) => from(Number(text)));
        return {
          patient: [patient.created_at, patient.updated_at, inMemory?.created_at ?? 0].map(from),
          reported: [reported.reported_at, reported.recorded_at].map(from),
          device: from(user.created_at),
          alert: [alert.started_at, alert.raised_at].map(from),
          facts: instants(alert.facts),
          rules: instants(rules.state),
        };
      };
      const before = await ages();
      test.setWallClock(-ms);
      await test.server.clockWatch.check();
      await expect(ages()).resolves.toEqual(before);
      await expectNoFuture();
      test.setWallClock(ms);
      await test.server.clockWatch.check();
      await expect(ages()).resolves.toEqual(before);
      await expectNoFuture();
      // The rules go on with what they had.
      const open = await lowOf(sick);
      await run(3, (id) => (id === sick ? 84 : 97));
      await expect(lowOf(sick)).resolves.toMatchObject({ id: open?.id, condition: 'active', episodes: 1 });
      await expect(secondsUntilAlert(other, 30)).resolves.toBeLessThan(30);
    });

    it('to a date that cannot be true is an alert, and no alert comes late for it', async () => {
      const [sick = 0, other = 0] = patients;
      await run(20, () => 97);
      const usual = await secondsUntilAlert(sick, 30);
      const away = Date.UTC(1970, 0, 2) - test.now();
      test.setWallClock(away);
      await expect(secondsUntilAlert(other, 30)).resolves.toBe(usual);
      expect(Math.abs(test.now() - deviceTime)).toBeLessThan(second);
      await expectNoFuture();
      expect((await alertsOf(technician)).find(({ deviceName }) => deviceName === 'Server')).toMatchObject({
        priority: 'high',
      });
      // As a computer without a battery starts: the process goes on from its newest sample.
      await test.restart();
      expect(Math.abs(test.now() - deviceTime)).toBeLessThan(2 * second);
      const [, , third = 0] = patients;
      await expect(secondsUntilAlert(third, 30)).resolves.toBeLessThan(30);
      test.setWallClock(-away);
      const [, , , fourth = 0] = patients;
      await expect(secondsUntilAlert(fourth, 30)).resolves.toBeLessThan(30);
      await expectNoFuture();
      expect(Math.abs(test.now() - deviceTime)).toBeLessThan(10 * second);
    });

    it.each([
      ['winter', Date.UTC(2026, 9, 25, 0, 59, 10)],
      ['summer', Date.UTC(2027, 2, 28, 0, 59, 10)],
    ])('is none when the clocks of the site change for %s', async (_, at) => {
      pass(at - test.now());
      nurse = await test.signIn(site, 'nurse');
      technician = await test.signIn(site, 'technician');
      const [sick = 0, other = 0] = patients;
      await run(20, () => 97);
      const usual = await secondsUntilAlert(sick, 30);
      await run(40, () => 97);
      expect(new Date(test.now()).getUTCHours()).toBe(1);
      await expect(secondsUntilAlert(other, 30)).resolves.toBe(usual);
      await expectNoFuture();
      expect((await alertsOf(technician)).filter(({ deviceName }) => deviceName === 'Server')).toEqual([]);
    });

    it('while the server was down is one as well: nothing received lies in the future', async () => {
      const [sick = 0] = patients;
      await run(10, () => 97);
      await secondsUntilAlert(sick, 30);
      const open = await lowOf(sick);
      test.setWallClock(-hour);
      await test.restart();
      await expect(lowOf(sick)).resolves.toMatchObject({ id: open?.id });
      const [, other = 0] = patients;
      await expect(secondsUntilAlert(other, 30)).resolves.toBeLessThan(30);
      await expectNoFuture();
      expect((await alertsOf(technician)).find(({ deviceName }) => deviceName === 'Server')).toMatchObject({
        priority: 'high',
      });
    });

    it('keeps every sample that came before and after it', async () => {
      await run(10, () => 97);
      test.setWallClock(-hour);
      await run(10, () => 96);
      const rows = await test.store.db.selectFrom('samples').select(['taken_at', 'value']).execute();
      expect(rows.filter(({ value }) => value === 97)).toHaveLength(10 * patientCount);
      expect(rows.filter(({ value }) => value === 96)).toHaveLength(10 * patientCount);
    });
  });
});
