import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { countTurns } from '../../test/countTurns';
import { apiEngines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';

describe.each(apiEngines)('the evaluation of the clock on %s', (engine) => {
  const patients = 1_000;
  /** The most patients who are evaluated at a stretch, and how often a tick goes through all of them. */
  const [atOnce, times] = [250, 3];

  it('lets others have the thread after so many patients, evaluates each, and so does reading them', async () => {
    // A server of its own: a thousand patients would hold up each tick of the others.
    const test = await startTestServer(engine);
    const site = await test.addSite();
    await test.startRules(site);
    const row = { given_name: 'Sam', date_of_birth: '1950-03-07', sex: 'unknown', profile: 'home' } as const;
    const rows = await test.store.db
      .insertInto('patients')
      .values(
        Array.from({ length: patients }, (_, index) => ({
          ...row,
          site_id: site,
          mrn: `M${index}`,
          family_name: `Sample${index}`,
          spo2_scale: 1 as const,
          state: 'active' as const,
          version: 1,
          created_at: test.now(),
          updated_at: test.now(),
        })),
      )
      .returningAll()
      .execute();
    for (const patient of rows) {
      test.server.liveState.putPatient(patient);
    }
    await expect(countTurns(() => test.server.alerts.evaluateClock())).resolves.toBeGreaterThanOrEqual(
      times * (patients / atOnce - 1),
    );
    expect(rows.filter(({ id }) => test.server.alerts.ruleStateOf(id) === null)).toEqual([]);
    // As a start reads them; while requests are served no query of SQLite is a turn by itself.
    await test.app.ready();
    const readAgain = (): Promise<void> => test.server.alerts.moveClock({ jumpedMs: 0, moveMs: 0 });
    await expect(countTurns(readAgain)).resolves.toBeGreaterThanOrEqual(patients / atOnce - 1);
    await test.stop();
  });
});

describe.each(apiEngines)('a start after a fault of the server on %s', (engine) => {
  const minute = 60_000;

  let test: TestServer;

  beforeEach(async () => {
    // A server of its own: every site has an alert after a fault.
    test = await startTestServer(engine);
  });
  afterEach(() => test.stop());

  const alerts = async (site: number): Promise<AlertItem[]> => {
    await test.server.alerts.evaluateClock();
    const technician = await test.signIn(site, 'technician');
    return (await technician.call('GET', '/api/v2/alerts?pageSize=100')).json<AlertsPage>().items;
  };

  it('is a HIGH alert of every site whose rules are on, for half an hour and over a restart', async () => {
    const [site, other, off] = [await test.addSite(), await test.addSite(), await test.addSite()];
    await test.startRules(site);
    await test.startRules(other);
    await expect(alerts(site)).resolves.toEqual([]);
    test.server.alerts.endedByFault();
    const expected = { priority: 'high', parameter: 'server', deviceName: 'Server', condition: 'active' };
    await expect(alerts(site)).resolves.toMatchObject([expected]);
    await expect(alerts(other)).resolves.toMatchObject([expected]);
    await expect(alerts(off)).resolves.toEqual([]);
    test.advance(20 * minute);
    await test.restart();
    await expect(alerts(site)).resolves.toMatchObject([expected]);
    test.advance(10 * minute);
    await expect(alerts(site)).resolves.toEqual([]);
  });
});
