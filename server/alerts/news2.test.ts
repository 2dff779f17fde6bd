import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const minute = 60_000;

describe.each(apiEngines)('alerts about the score on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
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
    test.advance(60 * minute);
    await signIn();
  });

  async function signIn(): Promise<void> {
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  }
  /** Evaluates the clock so often that the score of each patient is due once. */
  async function look(): Promise<void> {
    for (let looks = 0; looks < 5; looks += 1) {
      await test.server.alerts.evaluateClock();
    }
  }
  /** Sends values of a monitor, one in ten seconds. */
  async function feed(values: Record<string, number>, seconds: number): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const takenAt = toInstant(test.now());
      const samples = Object.entries(values).map(([kind, value]) => ({ patientId: patient, kind, value, takenAt }));
      await test.ingest(device.token, samples, { sentAt: takenAt });
      test.advance(10_000);
      await look();
    }
  }
  const well = {
    respiratoryRate: 16,
    spo2: 98,
    oxygenFlow: 0,
    systolic: 120,
    pulseRate: 75,
    consciousness: 'A',
    temperature: 37,
  };
  const type = async (readings: object): Promise<void> => {
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings })).statusCode).toBe(201);
  };
  const listed = async (): Promise<AlertItem[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.filter(({ parameter }) => parameter === 'news2');
  };
  const shown = async () => (await listed()).map(({ rule, priority, sentence }) => [rule, priority, sentence]);

  it('raises HIGH for a typed full set of 7 or more at once, and asks people by a plan of its own', async () => {
    await type({ ...well, respiratoryRate: 26, systolic: 88, consciousness: 'V' });
    await expect(shown()).resolves.toEqual([['news2.high', 'high', expect.stringMatching(/^NEWS2 9 ≥ 7$/)]]);
    const [alert] = await listed();
    const asked = async (): Promise<unknown[]> => {
      const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{
        items: LoggedEvent[];
      }>();
      return items.flatMap((event) => (event.is === 'asked' ? [[event.step, event.to.unheld, event.to.contact]] : []));
    };
    await expect(asked()).resolves.toEqual([[0, ['nurse'], null]]);
    for (const minutes of [5, 10, 15]) {
      test.advance(minutes * minute - 1_000);
      await look();
      const before = (await asked()).length;
      test.advance(1_000);
      await look();
      await signIn();
      expect((await asked()).length - before).toBe(1);
    }
    await expect(asked()).resolves.toEqual([
      [0, ['nurse'], null],
      [1, ['charge_nurse'], null],
      [2, ['on_call_physician'], null],
      [3, [], 'rapid_response'],
    ]);
  });

  it('raises MEDIUM for a respiratory rate of 32 alone, and for a patient who responds to nothing', async () => {
    await type({ ...well, respiratoryRate: 32 });
    await expect(shown()).resolves.toEqual([
      ['news2.respiratoryRate', 'medium', expect.stringMatching(/^RR 32 \/min, 3 points in NEWS2, alert since /)],
    ]);
    patient = await test.addPatient(site);
    await type({ ...well, consciousness: 'U' });
    await expect(shown()).resolves.toEqual([
      ['news2.consciousness', 'medium', expect.stringMatching(/^Consciousness U, 3 points in NEWS2, alert since /)],
    ]);
  });

  it('is raised by the set that was typed before, when the SpO2 scale is corrected', async () => {
    const setScale = async (scale: 1 | 2): Promise<void> => {
      const { version } = (await physician.call('GET', `/api/v2/patients/${patient}`)).json<{ version: number }>();
      const range = scale === 1 ? { low: 94, high: 98 } : { low: 88, high: 92 };
      const body = { version, scale, ...range, reason: 'As the blood gas shows' };
      expect((await physician.call('PUT', `/api/v2/patients/${patient}/spo2-target`, body)).statusCode).toBe(200);
    };
    await setScale(2);
    await type({ ...well, spo2: 91, respiratoryRate: 21, systolic: 105, temperature: 38.5 });
    await look();
    await expect(shown()).resolves.toEqual([]);
    test.advance(minute);
    await setScale(1);
    await look();
    await expect(shown()).resolves.toEqual([['news2.high', 'high', expect.stringMatching(/^NEWS2 7 ≥ 7/)]]);
  });

  it('keeps the alert when the values grow old, over a restart, and ends it by two newer sets', async () => {
    await type({ ...well, respiratoryRate: 26, systolic: 95 });
    test.advance(3 * 60 * minute);
    await look();
    await test.restart();
    await look();
    await signIn();
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', condition: 'active' }]);
    await type(well);
    await look();
    await expect(listed()).resolves.toMatchObject([{ condition: 'active' }]);
    test.advance(minute);
    await type(well);
    await look();
    await expect(listed()).resolves.toMatchObject([{ condition: 'ended' }]);
  });

  it('waits for the end of a standby, also when the score stays as it is', async () => {
    await nurse.call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'being washed', minutes: 30 });
    await feed({ spo2: 94, heartRate: 112, respiratoryRate: 22 }, 90);
    await expect(listed()).resolves.toEqual([]);
    await nurse.call('POST', `/api/v2/patients/${patient}/standby/end`);
    await look();
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate' }]);
  });

  it('folds into an active alert that explains all but two points, and comes out when that has ended', async () => {
    await feed({ spo2: 84, heartRate: 112 }, 120);
    await expect(listed()).resolves.toEqual([]);
    const typed = { respiratoryRate: 22, oxygenFlow: 0, systolic: 120, consciousness: 'A', temperature: 37 };
    await feed({ spo2: 93, heartRate: 112 }, 60);
    await type(typed);
    await feed({ spo2: 93, heartRate: 112 }, 70);
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', condition: 'active' }]);
  });

  it('takes the thresholds that a physician sets for the patient, within bounds', async () => {
    const body = { rule: 'news2.high', values: { high: 10 }, reason: 'Scores 7 at home', basedOn: null };
    const url = `/api/v2/patients/${patient}/limits`;
    expect((await nurse.call('PUT', url, body)).statusCode).toBe(403);
    expect((await physician.call('PUT', url, { ...body, values: { high: 13 } })).statusCode).toBe(422);
    expect((await physician.call('PUT', url, body)).statusCode).toBe(200);
    const ofSite = { ...body, replaces: null };
    expect((await physician.call('POST', '/api/v2/site/limits/proposals', ofSite)).statusCode).toBe(422);
    await type({ ...well, respiratoryRate: 26, systolic: 88, consciousness: 'V' });
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', priority: 'medium' }]);
  });

  it('is off in comfort care, and where NEWS2 does not apply, until that is undone', async () => {
    await type({ ...well, respiratoryRate: 32 });
    await physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed with the family' });
    await look();
    await expect(listed()).resolves.toEqual([]);
    patient = await test.addPatient(site);
    const url = `/api/v2/patients/${patient}/news2-exemption`;
    const marked = await nurse.call('PUT', url, { version: 1, because: 'pregnancy', reason: 'In week 30' });
    expect([marked.statusCode, marked.json()]).toMatchObject([
      200,
      { version: 2, items: [{ because: 'pregnancy', setBy: { id: nurse.userId }, endedAt: null }] },
    ]);
    await type({ ...well, respiratoryRate: 32 });
    await look();
    await expect(listed()).resolves.toEqual([]);
    expect((await nurse.call('POST', `${url}/end`, { version: 1 })).statusCode).toBe(409);
    expect((await nurse.call('POST', `${url}/end`, { version: 2 })).json()).toMatchObject({
      items: [{ endedBy: { id: nurse.userId } }],
    });
    test.advance(1_000);
    await type({ ...well, respiratoryRate: 32 });
    await expect(listed()).resolves.toHaveLength(1);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('object_id', '=', patient)
      .where('action', 'like', '%news2%')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { action: 'set_news2_exemption', details: null },
      { action: 'end_news2_exemption', details: null },
    ]);
  });
});
