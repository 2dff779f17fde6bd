import { randomUUID } from 'node:crypto';
import { toInstant } from '../../lib/time/schema';
import { allowLinks, checkInLink, type TestLink } from '../../test/checkInLink';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const minute = 60_000;
const hour = 60 * minute;

describe.each(apiEngines)('what one link sends again and again on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });

  const calls = () =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'symptoms.callRequested');
  const ask = async (clientId: string = randomUUID()) => {
    const answer = await link.post('call-requests', { clientId, sentAt: toInstant(test.now()) });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<{ requestedAt: string }>();
  };
  const act = async (what: string, more: object = {}): Promise<void> => {
    const [record] = calls();
    const body = { version: record?.alert.version, ...more };
    expect((await nurse.call('POST', `/api/v2/alerts/${record?.id}/${what}`, body)).statusCode).toBe(200);
  };
  const rows = () =>
    test.store.db.selectFrom('check_in_calls').select('joined').where('link_id', '=', link.id).orderBy('id').execute();
  const counted = async (what: string): Promise<number> => {
    const { values } = await test.server.metrics.checkInBudget.get();
    return values.find(({ labels }) => labels.what === what)?.value ?? 0;
  };

  it('as requests for a call joins the open alert: it says when the last came, and sounds once', async () => {
    await ask();
    await act('acknowledge');
    test.advance(minute);
    await ask();
    expect(calls()).toMatchObject([{ alert: { episodes: 1, since: test.now() } }]);
    expect(calls()[0]?.alert.acknowledged).not.toBeNull();
    await expect(rows()).resolves.toEqual([{ joined: 0 }, { joined: 1 }]);
    await expect(counted('call_joined')).resolves.toBeGreaterThan(0);
  });

  it('as a request sounds again for someone who still waits after 5 minutes', async () => {
    await ask();
    await act('acknowledge');
    test.advance(5 * minute);
    await ask();
    expect(calls()).toMatchObject([{ alert: { episodes: 2, acknowledged: null } }]);
  });

  it('as a request raises at once if the alert is closed, also just after it joined one', async () => {
    await ask();
    test.advance(minute);
    await ask();
    await act('resolve', { outcome: 'intervention' });
    expect(calls()).toEqual([]);
    test.advance(1_000);
    await ask();
    expect(calls()).toMatchObject([{ alert: { condition: 'active', acknowledged: null } }]);
  });

  it('as a request is raised if its alert was closed while it was stored as joining', async () => {
    await ask();
    test.advance(minute);
    await act('resolve', { outcome: 'intervention' });
    test.advance(1_000);
    await test.store.db
      .insertInto('check_in_calls')
      .values({
        site_id: site,
        patient_id: link.patientId,
        link_id: link.id,
        client_id: randomUUID(),
        requested_at: test.now(),
        joined: 1,
      })
      .execute();
    await test.server.alerts.reconsider(link.patientId);
    expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
  });

  it('as a hundred requests at once is one alert, answers each, and keeps few rows', async () => {
    await ask();
    await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect(calls()).toMatchObject([{ alert: { episodes: 1 } }]);
    await expect(rows()).resolves.toHaveLength(60);
    await ask();
    await expect(rows()).resolves.toHaveLength(60);
  });

  it('as check-ins is refused after 20 an hour, with the time to wait, and none that is known', async () => {
    const first = link.checkIn();
    expect((await link.post('reports', first)).statusCode).toBe(201);
    test.advance(minute);
    for (let sent = 1; sent < 20; sent += 1) {
      expect((await link.post('reports', link.checkIn())).statusCode).toBe(201);
    }
    const refused = await link.post('reports', link.checkIn());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3540']);
    expect(refused.json()).toMatchObject({ error: { code: 'too_many_check_ins' } });
    expect((await link.post('reports', first)).statusCode).toBe(201);
    await expect(counted('report_refused')).resolves.toBeGreaterThan(0);
    test.advance(59 * minute);
    expect((await link.post('reports', link.checkIn())).statusCode).toBe(201);
    test.advance(hour);
  });

  it('as check-ins is never refused with a red flag or a RED reading; an identical one joins the first', async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      await link.post('reports', link.checkIn());
    }
    const red = { redFlags: ['blueLips'] };
    const [flag, reading, same] = [red, { readings: { spo2: 80 } }, red].map((body) => link.checkIn(body));
    const stored = () =>
      test.store.db.selectFrom('symptom_reports').select('id').where('link_id', '=', link.id).execute();
    expect((await link.post('reports', flag)).json()).toMatchObject({ redFlags: ['blueLips'] });
    expect((await link.post('reports', reading)).json()).toMatchObject({ redReadings: ['spo2'] });
    await expect(stored()).resolves.toHaveLength(22);
    const joined = await link.post('reports', same);
    expect([joined.statusCode, joined.json()]).toMatchObject([
      201,
      { redFlags: ['blueLips'], advice: 'Call 112 now. Do not wait for us.' },
    ]);
    await expect(stored()).resolves.toHaveLength(22);
    const flags = test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === 'symptoms.red_flag');
    expect(flags).toHaveLength(1);
  });
});
