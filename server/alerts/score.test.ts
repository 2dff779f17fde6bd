import type { AlertsPage } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

jest.setTimeout(60_000);

describe.each(apiEngines)('an alert about the score on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await startTestServer(engine);
    const site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  /**
   * Three points for SpO2 and two for the rate, ten seconds at a time; each patient's score is asked for in one of five
   * looks.
   */
  async function feed(seconds: number): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const takenAt = toInstant(test.now());
      const samples = [
        { patientId: patient, kind: 'spo2', value: 91, takenAt },
        { patientId: patient, kind: 'heartRate', value: 112, takenAt },
      ];
      await test.ingest(device.token, samples, { sentAt: takenAt });
      test.advance(10_000);
      for (let looks = 0; looks < 5; looks += 1) {
        await test.server.alerts.evaluateClock();
      }
    }
  }
  const change = async (): Promise<string[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.filter(({ parameter }) => parameter === 'news2').map(({ sentence }) => sentence);
  };

  it('waits for the end of a standby, also when the score stays as it is', async () => {
    await nurse.call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'being washed', minutes: 30 });
    await test.server.alerts.reconsider(patient);
    await feed(90);
    await expect(change()).resolves.toEqual([]);
    await nurse.call('POST', `/api/v2/patients/${patient}/standby/end`);
    await test.server.alerts.reconsider(patient);
    await feed(10);
    await expect(change()).resolves.toEqual(['NEWS2 at least 5 for 1 min, limit 5']);
  });
});
