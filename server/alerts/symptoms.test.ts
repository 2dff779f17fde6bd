import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

jest.setTimeout(60_000);
const minute = 60_000;

describe.each(apiEngines)('a red flag among the symptoms on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
    test.advance(30 * minute);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  const report = async (body: object): Promise<void> => {
    test.advance(1_000);
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
  };
  const listed = async (state: 'open' | 'closed' = 'open'): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?state=${state}&patientId=${patient}`)).json<AlertsPage>().items;
  const sentences = async (): Promise<string[]> => (await listed()).map(({ sentence }) => sentence);
  const resolve = async (): Promise<number> => {
    const [alert] = await listed();
    const body = { version: alert?.version, outcome: 'intervention', note: '' };
    return (await nurse.call('POST', `/api/v2/alerts/${alert?.id}/resolve`, body)).statusCode;
  };
  const named = (flags: string): unknown =>
    expect.stringMatching(
      new RegExp(`^Red flag reported at \\d\\d:\\d\\d: ${flags}(, \\d times since \\d\\d:\\d\\d)?$`),
    );

  it('stays with its words after a later report without it, over a restart', async () => {
    await report({ redFlags: ['blueLips'] });
    await report({ answers: { cough: 'absent' }, sinceYesterday: 'better' });
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await expect(listed()).resolves.toMatchObject([{ priority: 'high', condition: 'active', episodes: 1 }]);
  });

  it('is ended by a person who resolves it, and is not raised again by the same report', async () => {
    await report({ redFlags: ['blueLips'] });
    await expect(resolve()).resolves.toBe(200);
    await expect(listed()).resolves.toEqual([]);
    await expect(listed('closed')).resolves.toMatchObject([{ closedBecause: 'resolved', outcome: 'intervention' }]);
    await test.server.alerts.evaluateClock();
    await report({ answers: { cough: 'absent' } });
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(listed()).resolves.toEqual([]);
    await report({ redFlags: ['blueLips'] });
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
  });

  it('is raised again by a further one, which no one has seen yet', async () => {
    await report({ redFlags: ['blueLips'] });
    const [alert] = await listed();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    await report({ redFlags: ['blueLips'] });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: { by: { id: nurse.userId } }, episodes: 1 }]);
    await report({ redFlags: ['seizure'] });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: null, episodes: 2 }]);
    await expect(sentences()).resolves.toEqual([named('Blue lips or face; Seizure')]);
  });

  it('is raised although another person reports at once that there is none', async () => {
    const post = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
    const other = await test.signIn(site, 'physician');
    await Promise.all([
      post({ redFlags: ['blueLips'] }),
      other.call('POST', `/api/v2/patients/${patient}/symptoms`, { answers: { cough: 'absent' } }),
    ]);
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
  });

  it('stays when the patient goes home, and goes with a discharge', async () => {
    await report({ redFlags: ['blueLips'] });
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'discharged' });
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 3, state: 'active' });
    await test.server.alerts.evaluateClock();
    await expect(listed()).resolves.toEqual([]);
  });
});
