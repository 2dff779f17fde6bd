import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { sharedTestServer } from '../../test/sharedServer';
import { startOfTest, type Caller, type TestServer } from '../../test/testServer';

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
    site = await test.addSite('Children', 'Asia/Tokyo');
    await test.startRules(site);
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
