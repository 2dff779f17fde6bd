import { apiEngines } from '../../test/database';
import { countTurns } from '../../test/countTurns';
import { startTestServer } from '../../test/testServer';

const patients = 1_000;
/** The most patients who are evaluated at a stretch, and how often a tick goes through all of them. */
const [atOnce, times] = [250, 3];

describe.each(apiEngines)('the evaluation of the clock on %s', (engine) => {
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
