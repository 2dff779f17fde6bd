import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe.each(apiEngines)('a patient with two oximeters on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let monitor: { id: number; token: string };
  let second: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    test.advance(3_600_000);
    monitor = await test.addDevice(site, { name: 'monitor' });
    second = await test.addDevice(site, { name: 'oximeter' });
    patient = await test.addPatient(site);
    test.server.liveState.assigned.set(monitor.id, patient);
    nurse = await test.signIn(site, 'nurse');
  });

  type Values = readonly [{ token: string }, number | 'off'];
  /** Lets time pass; each device sends a value a second, in a call every five seconds. */
  async function feed(seconds: number, ...devices: Values[]): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 5) {
      test.advance(5_000);
      for (const [{ token }, value] of devices) {
        const samples = [4, 3, 2, 1, 0].map((ago) => ({
          patientId: patient,
          kind: 'spo2',
          value: value === 'off' ? 0 : value,
          takenAt: toInstant(test.now() - ago * 1_000),
          quality: value === 'off' ? 'invalid' : 'good',
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
    test.server.liveState.assigned.set(monitor.id, patient);
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

  it('is alarmed by the silence of the assigned one although the second one sends', async () => {
    await feed(10, [monitor, 97], [second, 97]);
    await feed(65, [second, 97]);
    await expect(rules()).resolves.toEqual(['reporting.short']);
  });
});
