import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { engines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

jest.setTimeout(60_000);

describe.each(engines)('alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  /** Sends a value a second, and lets the time pass. */
  async function feed(value: number, seconds: number, more: object = {}): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const samples = Array.from({ length: Math.min(10, seconds - sent) }, (_, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + place * 1_000),
        quality: 'good',
        ...more,
      }));
      test.advance(samples.length * 1_000);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
    }
  }
  const open = async (of = patient): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${of}`)).json<AlertsPage>().items;
  const only = async (): Promise<AlertItem> => {
    const [first, ...others] = await open();
    expect(others).toEqual([]);
    if (first === undefined) {
      throw new Error('No alert is open');
    }
    return first;
  };
  const log = async (id: number): Promise<string[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);
  const act = (id: number, name: string, body?: object) => nurse.call('POST', `/api/v2/alerts/${id}/${name}`, body);

  it('are raised with the sample that ends the delay, once, and ask the whole unit where nobody is assigned', async () => {
    await feed(86, 15);
    await expect(open()).resolves.toEqual([]);
    await feed(86, 1);
    const alert = await only();
    expect(alert).toMatchObject({
      patientId: patient,
      parameter: 'spo2',
      rule: 'spo2.low',
      priority: 'high',
      condition: 'active',
      latched: false,
      episodes: 1,
      level: 1,
      acknowledged: null,
      accepted: null,
      outcome: null,
      evidence: { ruleVersion: 1, limits: { raise: [{ is: 'below', value: 88 }] } },
    });
    expect(alert.evidence.samples).toHaveLength(16);
    await feed(86, 20);
    expect((await only()).id).toBe(alert.id);
    await expect(log(alert.id)).resolves.toEqual(['raised', 'asked']);
  });

  it('are acknowledged without being taken on, latch when they end unseen, and close when somebody has seen them', async () => {
    await feed(86, 16);
    const { id } = await only();
    const seen = (await act(id, 'acknowledge')).json<AlertItem>();
    expect(seen).toMatchObject({ acknowledged: { by: { id: nurse.userId } }, accepted: null, condition: 'active' });
    await feed(84, 1);
    await expect(only()).resolves.toMatchObject({ id, acknowledged: { by: { id: nurse.userId } } });
    await feed(97, 40);
    await expect(open()).resolves.toEqual([]);
    await expect(log(id)).resolves.toEqual(['raised', 'asked', 'acknowledged', 'ended', 'closed']);

    test.advance(600_000);
    await feed(86, 16);
    const unseen = await only();
    expect(unseen.id).not.toBe(id);
    await feed(97, 40);
    await expect(only()).resolves.toMatchObject({ id: unseen.id, condition: 'ended', latched: true });
    await act(unseen.id, 'acknowledge');
    await expect(open()).resolves.toEqual([]);
    const late = await act(unseen.id, 'accept');
    expect([late.statusCode, late.json<{ error: { code: string } }>().error.code]).toEqual([409, 'alert_closed']);
  });
});
