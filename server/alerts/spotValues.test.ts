import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const minute = 60_000;

describe.each(apiEngines)('on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    // A server of its own: its clock goes back.
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    test.advance(3_600_000);
    patient = await test.addPatient(site);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  const open = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const rules = async (): Promise<string[]> => (await open()).map(({ rule, priority }) => `${priority} ${rule}`).sort();
  const typed = async (spo2: number, agoMs = 0): Promise<void> => {
    const body = { readings: { spo2 }, takenAt: toInstant(test.now() - agoMs) };
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/readings`, body)).statusCode).toBe(201);
  };
  const pass = async (ms: number, everyMs = minute): Promise<void> => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      test.advance(everyMs);
      await test.server.alerts.evaluateClock();
    }
    nurse = await test.signIn(site, 'nurse');
  };
  const asked = async (): Promise<number[]> => {
    const [alert] = await open();
    const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: LoggedEvent[] }>();
    return items.flatMap((event) => (event.is === 'asked' ? [event.step] : []));
  };
  /** Sends a value each second until now; "none" without a quality. */
  const send = async (
    token: string,
    value: number,
    seconds: number,
    more: { kind?: string; quality?: string | null; device?: object } = {},
  ): Promise<void> => {
    test.advance(seconds * 1_000);
    const { kind = 'spo2', quality = 'good' } = more;
    const samples = Array.from({ length: seconds }, (_, ago) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() - (seconds - 1 - ago) * 1_000),
      ...(quality === null ? {} : { quality }),
    }));
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(200);
    await test.server.alerts.evaluateClock();
  };

  describe('a value that a user typed in', () => {
    it('raises HIGH at once, not confirmed, and asks steps 0 and 1 alone until it is', async () => {
      await typed(80);
      const [alert] = await open();
      expect(alert?.priority).toBe('high');
      expect(alert?.sentence).toMatch(/^SpO2 80 % < 88 at \d\d:\d\d, first reading, not confirmed/);
      await pass(14 * minute);
      await expect(asked()).resolves.toEqual([0, 1]);
      await pass(3 * minute);
      await expect(asked()).resolves.toEqual([0, 1, 2]);
    });

    it('is confirmed by a second one, also after a restart, and ended by one inside the limit', async () => {
      await typed(80);
      await pass(3 * minute);
      await test.restart();
      await typed(79);
      await pass(2 * minute);
      await expect(asked()).resolves.toEqual([0, 1, 2]);
      await typed(95);
      expect((await open())[0]).toMatchObject({ rule: 'spo2.low', condition: 'ended', latched: true });
    });

    it('half an hour ago raises as well, unless a later one has answered it', async () => {
      await typed(70, 30 * minute);
      await expect(rules()).resolves.toEqual(['high spo2.desat']);
      patient = await test.addPatient(site);
      await typed(97, 10 * minute);
      await typed(70, 30 * minute);
      await expect(rules()).resolves.toEqual([]);
    });
  });

  it('a monitor that sends every 15 min raises HIGH with its first value of 70 %', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    const one = async (value: number): Promise<void> => {
      test.advance(15 * minute);
      const sample = { patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now()), quality: 'good' };
      await test.ingest(monitor.token, [sample], { sentAt: toInstant(test.now()) });
      nurse = await test.signIn(site, 'nurse');
    };
    await one(97);
    await expect(rules()).resolves.toEqual([]);
    await one(70);
    await expect(rules()).resolves.toEqual(['high spo2.desat']);
  });

  it('a device that stops stating quality raises by its values, is never "sensor off", and is named', async () => {
    const monitor = await test.addDevice(site);
    await send(monitor.token, 97, 20);
    await send(monitor.token, 80, 20, { quality: null });
    await expect(rules()).resolves.toEqual(['high spo2.low']);
    for (let part = 0; part < 12; part += 1) {
      await send(monitor.token, 80, 30, { quality: null });
    }
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual(['high spo2.low', 'low sensor.unstated']);
  });

  it('a rate of the oximeter alone is MEDIUM beside a live ECG, and named', async () => {
    const monitor = await test.addDevice(site);
    for (let part = 0; part < 4; part += 1) {
      await send(monitor.token, 30, 5, { kind: 'pulseRate' });
      test.advance(-5_000);
      await send(monitor.token, 80, 5, { kind: 'heartRate' });
    }
    const [alert] = await open();
    expect([alert?.priority, alert?.sentence]).toEqual(['medium', expect.stringMatching(/^PR 30 \/min \(ECG 80\)/)]);
  });

  it('a device that is set to 15 min and sends each second is missed like one that sends each second', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    for (let part = 0; part < 96; part += 1) {
      await send(monitor.token, 97, 10);
    }
    nurse = await test.signIn(site, 'nurse');
    await pass(minute, 30_000);
    await expect(rules()).resolves.toEqual(['low reporting.short']);
  });

  it.each([
    ['at once', 0],
    ['for three minutes', 3 * minute],
  ])('a restart forgets no pace: the same device is missed as before after one %s', async (_, downMs) => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    for (let part = 0; part < 96; part += 1) {
      await send(monitor.token, 97, 10);
    }
    test.advance(downMs);
    await test.restart();
    await send(monitor.token, 97, 10);
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual([]);
    await pass(minute, 30_000);
    await expect(rules()).resolves.toEqual(['low reporting.short']);
  });

  it('a restart knows a device by its setting if it sends in bursts, until it has seen two of them', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    const burst = async (): Promise<void> => {
      test.advance(5 * minute);
      const samples = Array.from({ length: 300 }, (_, second) => ({
        patientId: patient,
        kind: 'spo2',
        value: 97,
        takenAt: toInstant(test.now() - second * 1_000),
        quality: 'good',
      }));
      await test.ingest(monitor.token, samples, { sentAt: toInstant(test.now()) });
    };
    for (let count = 0; count < 5; count += 1) {
      await burst();
    }
    await test.restart();
    await burst();
    nurse = await test.signIn(site, 'nurse');
    await pass(4 * minute, 30_000);
    await expect(rules()).resolves.toEqual([]);
  });

  it('a probe that comes and goes is a MEDIUM unreliable signal', async () => {
    const monitor = await test.addDevice(site);
    for (let part = 0; part < 33; part += 1) {
      await send(monitor.token, 97, 4);
      await send(monitor.token, 0, 6, { quality: 'invalid' });
    }
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual(['medium sensor.unreliable']);
  });

  it('a flood of values of a second device hides no alert, and writes no line for each of them', async () => {
    const monitor = await test.addDevice(site, { name: 'monitor' });
    const flood = await test.addDevice(site, { name: 'flood' });
    test.server.liveState.assigned.set(monitor.id, patient);
    for (let second = 0; second < 30; second += 1) {
      await send(monitor.token, 84, 1);
      const samples = Array.from({ length: 100 }, (_, index) => ({
        patientId: patient,
        kind: 'spo2',
        value: 97,
        takenAt: toInstant(test.now() - index * 10),
        quality: 'good',
      }));
      await test.ingest(flood.token, samples, { sentAt: toInstant(test.now()) });
    }
    const [alert] = await open();
    expect(alert).toMatchObject({ rule: 'spo2.low', priority: 'high' });
    expect(alert?.sentence).toMatch(/^SpO2 84 %/);
    const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: LoggedEvent[] }>();
    expect(items.length).toBeLessThan(4);
  });
});
