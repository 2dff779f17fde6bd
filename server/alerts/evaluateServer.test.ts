import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';

const minute = 60_000;

describe.each(apiEngines)('a start after a fault of the server on %s', (engine) => {
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
