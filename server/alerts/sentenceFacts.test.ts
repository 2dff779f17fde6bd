import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe.each(apiEngines)('the sentences of alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });

  async function feed(values: readonly number[], kind = 'spo2'): Promise<void> {
    const samples = values.map((value, place) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() + place * 1_000),
    }));
    test.advance(values.length * 1_000);
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ accepted: samples.length });
  }
  const times = (many: number, value: number): number[] => Array.from({ length: many }, () => value);
  const sentences = async (): Promise<string[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.map(({ sentence }: AlertItem) => sentence);
  };

  it('tell the value, the limit, how it was before and how bad it was', async () => {
    await feed([...times(5, 94), ...times(20, 84), ...times(2, 86)]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 86 % < 88 for \d\d s, lowest 84, was 94 at \d\d:\d\d$/),
    ]);
    await feed(times(40, 97));
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 low, ended at \d\d:\d\d, lowest 84, limit < 88$/),
    ]);
  });

  it('tell how long it has lasted from its first value on, over a single value inside the limit', async () => {
    for (const values of [times(30, 94), times(50, 86), [...times(10, 86), 88, ...times(39, 86)], times(30, 86)]) {
      await feed(values);
    }
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^SpO2 86 % < 88 for 2 min/)]);
  });

  it('tell how bad it was also when another episode has followed', async () => {
    await feed([...times(20, 84), ...times(20, 79)]);
    await feed(times(40, 97));
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    await nurse.call('POST', `/api/v2/alerts/${items[0]?.id}/acknowledge`, { version: items[0]?.version });
    test.advance(600_000);
    await feed([...times(5, 97), ...times(20, 86)]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 86 % < 88 for \d\d s, was 97 at \d\d:\d\d$/),
    ]);
    const closed = (await nurse.call('GET', `/api/v2/alerts?state=closed&patientId=${patient}`)).json<AlertsPage>();
    expect(closed.items.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^SpO2 low, ended at \d\d:\d\d, lowest 79, limit < 88$/),
    ]);
  });

  it('tell the value of the device that holds the alert, not that of one that says that all is well', async () => {
    const second = await test.addDevice(site, { name: 'second' });
    const sample = (value: number, quality: string) => ({
      ...{ patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now()), quality },
    });
    for (let count = 0; count < 60; count += 1) {
      test.advance(1_000);
      await test.ingest(device.token, [sample(98, 'good')]);
      await test.ingest(second.token, [sample(count < 10 ? 97 : 74, 'good')]);
    }
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^SpO2 74 % < 78 for \d\d s/)]);
  });

  it('tell the value that holds the alert, where another device has the lower one that is shown', async () => {
    patient = await test.addPatient(site, { spo2Scale: 2 });
    const second = await test.addDevice(site, { name: 'second' });
    const put = async (token: string, kind: string, value: number): Promise<void> => {
      const sample = { patientId: patient, kind, value, takenAt: toInstant(test.now()), quality: 'good' };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    };
    await put(device.token, 'oxygenFlow', 2);
    for (let count = 0; count < 140; count += 1) {
      test.advance(5_000);
      await put(device.token, 'spo2', 98);
      await put(second.token, 'spo2', 90);
    }
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^SpO2 98 % \(gateway.*\) on oxygen ≥ 97/)]);
  });

  it('come with the value that they name, to users who may read it', async () => {
    await feed([...times(5, 94), ...times(20, 84), 81]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items[0]?.headline).toContain('SpO2 81 %');
    expect(items[0]?.values).toMatchObject({ spo2: { value: 81 } });
  });

  it('tell what was worst with its limit when a patient recovers through several tiers', async () => {
    await feed([...times(5, 97), ...times(20, 77)]);
    await feed(times(40, 92));
    const lowered = /^SpO2 92 % ≤ 93.*, SpO2 very low before, lowest 77, limit < 78(, |$)/;
    await expect(sentences()).resolves.toEqual([expect.stringMatching(lowered)]);
    await feed(times(40, 97));
    await feed(times(40, 97));
    const over = /^SpO2 very low, ended at \d\d:\d\d, lowest 77, limit < 78$/;
    await expect(sentences()).resolves.toEqual([expect.stringMatching(over)]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([{ priority: 'high', rule: 'spo2.desat' }]);
    await nurse.call('POST', `/api/v2/alerts/${items[0]?.id}/acknowledge`, { version: items[0]?.version });
    const closed = (await nurse.call('GET', `/api/v2/alerts?state=closed&patientId=${patient}`)).json<AlertsPage>();
    expect(closed.items.map(({ sentence }) => sentence)).toEqual([expect.stringMatching(over)]);
  });

  it('tell of a reading at home whether it is confirmed', async () => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await feed([91]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 91 % ≤ 92 at \d\d:\d\d, red, not confirmed yet$/),
    ]);
    test.advance(60_000);
    await feed([90]);
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^SpO2 90 % ≤ 92 at \d\d:\d\d, red, confirmed$/),
    ]);
  });

  it.each([
    [93, 'active'],
    [97, 'ended'],
  ])('tell of a red reading at home that came with a later one of %d', async (later, condition) => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    const at = (minutes: number, value: number) => ({
      ...{ patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now() - minutes * 60_000) },
    });
    await test.ingest(device.token, [at(60, 85), at(30, later)], { sentAt: toInstant(test.now()) });
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([{ parameter: 'spo2', priority: 'high', condition }]);
  });

  it('tell the limit of a reading at home also when it is over', async () => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await feed([91]);
    test.advance(60_000);
    await feed([96]);
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(items).toMatchObject([
      { condition: 'ended', evidence: { limits: { raise: [{ is: 'atMost', value: 92 }], clear: [] } } },
    ]);
    expect(items[0]?.sentence).toMatch(/^SpO2 reading red, ended at \d\d:\d\d, lowest 91, limit ≤ 92$/);
  });

  it('tell which red flags were reported', async () => {
    await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, { redFlags: ['blueLips'] });
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Red flag: Blue lips or face, reported at \d\d:\d\d$/),
    ]);
  });

  it('tell which symptoms are new or worse', async () => {
    const report = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
    await report({ answers: { cough: 'mild', fever: 'absent' } });
    test.advance(60_000);
    await report({ answers: { cough: 'moderate', fever: 'mild' } });
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Cough worse, new fever, reported at \d\d:\d\d$/),
    ]);
    test.advance(60_000);
    await report({ sinceYesterday: 'worse' });
    // The cough has not been answered milder.
    await expect(sentences()).resolves.toEqual([
      expect.stringMatching(/^Worse than yesterday: Cough worse, reported at \d\d:\d\d/),
    ]);
  });

  it('tell what is missing, and since when', async () => {
    await feed(times(5, 96));
    test.advance(70_000);
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([expect.stringMatching(/^No SpO2 data since \d\d:\d\d, last 96 %$/)]);
  });
});
