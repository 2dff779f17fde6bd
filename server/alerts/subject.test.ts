import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { newSymptomReport } from '../../lib/symptoms/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { addSymptomReport } from '../symptoms/commands';

const minute = 60_000;

describe.each(apiEngines)('on %s an alert of somebody', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
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
    await expect(openOf()).resolves.toEqual([]);
    test.advance(20_000);
    await change({ state: 'active' });
    await expect(openOf()).resolves.toEqual([]);
    await feed(86, 16);
    await expect(openOf()).resolves.toMatchObject([{ rule: 'spo2.low', condition: 'active', episodes: 1 }]);
  });

  it('who came back raises nothing by values of before', async () => {
    await feed(86, 16);
    test.advance(1_000);
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
    await expect(openOf()).resolves.toEqual([]);
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
    await expect(openOf()).resolves.toEqual([]);
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

  it('whose device is taken off is closed, and raised again if another one shows the same', async () => {
    await assign(device.id);
    await feed(86, 16);
    const [alert] = await openOf();
    test.advance(1_000);
    expect((await nurse.call('DELETE', `/api/v2/devices/${device.id}/assignment`)).statusCode).toBe(204);
    await expect(openOf()).resolves.toEqual([]);
    expect((await log(alert?.id ?? 0)).at(-1)).toMatchObject({
      is: 'closed',
      because: 'administrative',
      reason: 'device taken off',
    });
    await test.restart();
    await look(minute);
    await expect(openOf()).resolves.toEqual([]);
    await feed(86, 16, { by: await test.addDevice(site) });
    await expect(openOf()).resolves.toMatchObject([{ rule: 'spo2.low', condition: 'active' }]);
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
