import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';

/** The pause between two steps of an evaluation is for other users of the thread; here there are none. */
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual<object>('node:timers/promises'),
  setTimeout: () =>
    new Promise<void>((resolve) => {
      setImmediate(resolve);
    }),
}));

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

interface Value {
  patientId: number;
  kind: 'spo2' | 'heartRate' | 'oxygenFlow';
  value: number;
  takenAt: string;
  quality: string;
}

describe.each(apiEngines)('what comes late on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let device: { id: number; token: string };
  let patient: number;
  /** Five hours before each test. */
  let began: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    began = test.now();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(5 * hour);
  });

  /** A value a second from an instant of the past on. */
  const values = (value: number, from: number, seconds: number, more: Partial<Value> = {}): Value[] =>
    Array.from({ length: seconds }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value,
      takenAt: toInstant(from + place * second),
      quality: 'good',
      ...more,
    }));
  /** A minute and a half at 86 with what was before and after. */
  const desaturation = (from: number): Value[] => [
    ...values(97, from - 10 * second, 10),
    ...values(86, from, 90),
    ...values(84, from + 90 * second, 5),
    ...values(97, from + 95 * second, 60),
  ];
  const send = async (samples: Value[]): Promise<void> => {
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ rejected: [] });
  };
  /** Sends values a second as they are measured. */
  const live = async (value: number, seconds: number): Promise<void> => {
    for (let sent = 0; sent < seconds; sent += 10) {
      test.advance(10 * second);
      await send(values(value, test.now() - 10 * second, 10));
    }
  };
  /** Looks back once nothing more has come for a while. */
  const evaluateRetrospective = async (): Promise<void> => {
    test.advance(15 * second);
    await test.server.alerts.evaluateRetrospective();
  };
  /** An unused screen locks itself, so the user signs in again before an action. */
  const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) =>
    await (await test.signIn(site, 'nurse')).call(method, url, body);
  const list = async (state: string): Promise<AlertItem[]> =>
    (await call('GET', `/api/v2/alerts?state=${state}&patientId=${patient}`)).json<AlertsPage>().items;
  const only = async (): Promise<AlertItem> => {
    const [first, ...others] = await list('closed');
    expect(others).toEqual([]);
    if (first === undefined) {
      throw new Error('There is no entry');
    }
    return first;
  };
  const log = async (id: number): Promise<string[]> =>
    (await call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);
  /** What an entry tells, without when it was written. */
  const toldBy = ({ startedAt, endedAt, rule, priority, episodes }: AlertItem) => ({
    startedAt,
    endedAt,
    rule,
    priority,
    episodes,
  });

  it('becomes an entry among the closed alerts, which asks no one and never was open', async () => {
    const from = test.now() - hour;
    await send(desaturation(from));
    await evaluateRetrospective();
    const entry = await only();
    expect(entry).toMatchObject({
      patientId: patient,
      parameter: 'spo2',
      rule: 'spo2.low',
      priority: 'high',
      condition: 'ended',
      latched: false,
      escalationStep: 0,
      episodes: 1,
      acknowledged: null,
      startedAt: toInstant(from + 15 * second),
      endedAt: toInstant(from + 125 * second),
      raisedAt: toInstant(test.now()),
      closedAt: toInstant(test.now()),
      closedBecause: 'retrospective',
      evidence: { limits: { raise: [{ is: 'below', value: 88 }] } },
    });
    expect(entry.evidence.samples[0]).toMatchObject({
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(from + 15 * second),
    });
    expect(entry.sentence).toMatch(/^SpO2 low, ended at \d\d:\d\d, lowest 84, limit < 88, known only since \d\d:\d\d$/);
    await expect(log(entry.id)).resolves.toEqual(['retrospective', 'closed']);
    await expect(list('open')).resolves.toEqual([]);

    test.advance(10 * minute);
    await test.server.alerts.evaluateClock();
    await expect(log(entry.id)).resolves.toEqual(['retrospective', 'closed']);
    const act = await call('POST', `/api/v2/alerts/${entry.id}/acknowledge`, { version: entry.version });
    expect([act.statusCode, act.json<{ error: { code: string } }>().error.code]).toEqual([409, 'alert_closed']);
  });

  it('has pages refresh once, when it becomes an entry', async () => {
    const heard: number[] = [];
    const stop = test.server.alerts.onChange((siteId) => heard.push(siteId));
    await send(desaturation(test.now() - hour));
    expect(heard).toEqual([]);
    await evaluateRetrospective();
    await evaluateRetrospective();
    stop();
    expect(heard).toEqual([site]);
  });

  it('waits until nothing more has come for a while, though not for ever', async () => {
    const from = test.now() - hour;
    for (let part = 0; part < 12; part += 1) {
      await test.server.alerts.evaluateRetrospective();
      await expect(list('closed')).resolves.toEqual([]);
      // Faster than they were measured: at the same pace they would look like those of a clock that is an hour slow.
      await send(values(86, from + part * 12 * second, 12));
      test.advance(10 * second);
    }
    await test.server.alerts.evaluateRetrospective();
    expect(toldBy(await only())).toMatchObject({ endedAt: toInstant(from + 143 * second) });
  });

  it('becomes one entry, however often and in whatever order it is sent, in one call or in many', async () => {
    const from = test.now() - hour;
    const all = desaturation(from);
    await send(all);
    await evaluateRetrospective();
    const { id, ...atOnce } = await only();
    await send(all);
    await send(all.toReversed().slice(20, 90));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ id });
    await test.restart();
    await send(all);
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ id });

    patient = await test.addPatient(site);
    await test.store.db.updateTable('patients').set({ created_at: began }).where('id', '=', patient).execute();
    await test.restart();
    const shuffled = desaturation(from).map((value, place, same) => same[(place * 37) % same.length] ?? value);
    expect(new Set(shuffled).size).toBe(all.length);
    for (let first = 0; first < shuffled.length; first += 20) {
      await send(shuffled.slice(first, first + 30));
    }
    await evaluateRetrospective();
    const pieces = await only();
    expect(toldBy(pieces)).toEqual(toldBy({ id, ...atOnce }));
    expect(pieces.evidence).toMatchObject({ limits: atOnce.evidence.limits });
    expect(pieces.evidence.samples.map(({ value }) => value)).toEqual(
      atOnce.evidence.samples.map(({ value }) => value),
    );
  });

  it.each([
    ['forwards', (part: number) => part],
    ['backwards', (part: number) => 4 - part],
  ])('grows with what comes later still, also over a restart, sent %s', async (_, place) => {
    const from = test.now() - 2 * hour;
    for (let part = 0; part < 5; part += 1) {
      await send(values(86 - place(part), from + place(part) * 2 * minute, 120));
      await evaluateRetrospective();
      await test.restart();
    }
    await send(values(97, from + 10 * minute, 60));
    await evaluateRetrospective();
    const entry = await only();
    expect(entry).toMatchObject({
      startedAt: toInstant(from + 15 * second),
      rule: 'spo2.low',
      priority: 'high',
      episodes: 1,
    });
    expect(Date.parse(entry.endedAt ?? '')).toBeGreaterThanOrEqual(from + 599 * second);
    expect(entry.sentence).toContain('lowest 82');
    expect((await log(entry.id)).filter((is) => is === 'closed')).toHaveLength(1);
  });

  it('becomes an entry although the server was restarted before the evaluation', async () => {
    await send(desaturation(test.now() - hour));
    await test.restart();
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it('is no entry if its samples were not stored, and one when the device sends them again', async () => {
    const all = desaturation(test.now() - hour);
    const allowCommits = await refuseCommits(test.store);
    expect((await test.ingest(device.token, all, { sentAt: toInstant(test.now()) })).statusCode).toBe(500);
    await allowCommits();
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await send(all);
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it('becomes one entry if it could not be written at first', async () => {
    await send(desaturation(test.now() - hour));
    test.advance(15 * second);
    jest.spyOn(test.store.db, 'transaction').mockImplementationOnce(() => {
      throw new Error('The store is away');
    });
    await expect(test.server.alerts.evaluateRetrospective()).rejects.toThrow('The store is away');
    await test.server.alerts.evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it.each<[string, (at: number) => Value[]]>([
    ['of a healthy hour', (at) => values(97, at, 3_600)],
    ['shorter than the delay of its rule', (at) => [...values(86, at, 14), ...values(97, at + 14 * second, 60)]],
    ['without a signal', (at) => values(0, at, 90)],
    ['invalid', (at) => values(70, at, 90, { quality: 'invalid' })],
    ['doubtful but fine', (at) => values(97, at, 120, { quality: 'questionable' })],
    ['measured before the patient was here', () => values(80, began - hour, 90)],
    ['more than a day old', () => values(80, test.now() - 24 * hour - 10 * minute, 90)],
  ])('leaves nothing when it is %s', async (_, late) => {
    await send(late(test.now() - hour));
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await expect(list('open')).resolves.toEqual([]);
  });

  it('leaves nothing of a time when the site had no rules', async () => {
    site = await test.addSite();
    const from = test.now();
    patient = await test.addPatient(site);
    device = await test.addDevice(site);
    test.advance(hour);
    await test.startRules(site);
    test.advance(hour);
    await send(desaturation(from + 10 * minute));
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await send(desaturation(from + 70 * minute));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it('leaves nothing of what lasted no longer than a standby, and an entry of what went on after it', async () => {
    const from = test.now() + 60 * second;
    await call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'A wash', minutes: 5 });
    test.advance(hour);
    await send(desaturation(from));
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await send([...values(86, from + 155 * second, 300), ...values(97, from + 455 * second, 60)]);
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it('changes no open alert, and is no entry if that alert covers it from its beginning', async () => {
    await live(86, 20);
    const [open] = await list('open');
    test.advance(5 * minute);
    await live(86, 20);
    await send(values(85, test.now() - 4 * minute, 90));
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    const [same] = await list('open');
    expect(same).toMatchObject({ id: open?.id, rule: 'spo2.low', condition: 'active', episodes: 1 });
  });

  it('becomes an entry if it was more urgent than the alert of that time', async () => {
    await live(90, 310);
    const [open] = await list('open');
    expect(open).toMatchObject({ rule: 'spo2.below', priority: 'medium' });
    test.advance(5 * minute);
    await live(90, 20);
    await send(values(80, test.now() - 4 * minute, 90));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low', priority: 'high', closedBecause: 'retrospective' });
    await expect(list('open')).resolves.toMatchObject([{ id: open?.id, rule: 'spo2.below', condition: 'active' }]);

    await test.restart();
    await expect(list('open')).resolves.toMatchObject([{ id: open?.id, rule: 'spo2.below', condition: 'active' }]);
    await live(97, 120);
    await expect(list('open')).resolves.toMatchObject([{ id: open?.id, condition: 'ended' }]);
  });

  it('becomes an entry if it had lasted long before anyone was asked', async () => {
    const from = test.now();
    test.advance(20 * minute);
    await live(86, 20);
    const [open] = await list('open');
    await send(values(86, from, 20 * 60));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({
      startedAt: toInstant(from + 15 * second),
      closedBecause: 'retrospective',
    });
    await expect(list('open')).resolves.toMatchObject([{ id: open?.id }]);
  });

  it('is judged by what was known of the oxygen then', async () => {
    await test.store.db.updateTable('patients').set({ spo2_scale: 2 }).where('id', '=', patient).execute();
    await test.restart();
    const from = test.now() - 2 * hour;
    const more = values(99, from, 700);
    await send(more);
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await send(values(2, from - 3 * minute, 1, { kind: 'oxygenFlow' }));
    await send(more.map((value) => ({ ...value, value: 98 })));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.over_o2', priority: 'medium' });
  });

  it('leaves nothing of a time when the patient was at home', async () => {
    const from = test.now();
    const change = async (version: number, body: object): Promise<void> => {
      expect((await call('PATCH', `/api/v2/patients/${patient}`, { version, ...body })).statusCode).toBe(200);
      await test.server.alerts.evaluateClock();
      test.advance(hour);
    };
    await live(97, 10);
    await change(1, { profile: 'home' });
    await change(2, { profile: 'continuous' });
    await send(desaturation(from + 10 * minute));
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    await send(desaturation(from + 70 * minute));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
  });

  it('becomes an entry also for a device that was taken off meanwhile', async () => {
    await live(97, 10);
    const from = test.now() + minute;
    test.advance(hour);
    await test.server.alerts.takenOff(patient, device.id);
    await send(desaturation(from));
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ rule: 'spo2.low', startedAt: toInstant(from + 15 * second) });
  });

  it('of a patient who has left is not looked at any more', async () => {
    await send(desaturation(test.now() - hour));
    await call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    await evaluateRetrospective();
    await expect(list('closed')).resolves.toEqual([]);
    const left = test.store.db
      .selectFrom('retrospective_queue')
      .selectAll()
      .where('patient_id', '=', patient)
      .execute();
    await expect(left).resolves.toEqual([]);
  });
});
