import { createEscalation } from '../../lib/alerts/escalation';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import { raise } from '../../lib/alerts/takeEpisode';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { minutesOf } from './retrospective';

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
    site = await test.addSiteAlone();
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
  /** The open alerts by parameter. */
  const inOrder = async (): Promise<AlertItem[]> =>
    (await list('open')).sort((a, b) => (a.parameter < b.parameter ? -1 : 1));
  /** What an entry tells, without when it was written. */
  const toldBy = ({ startedAt, endedAt, rule, priority, episodes }: AlertItem) => ({
    startedAt,
    endedAt,
    rule,
    priority,
    episodes,
  });

  it('becomes an entry among the closed alerts, which asks no one, and is listed once as an open one', async () => {
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
    await expect(list('open')).resolves.toMatchObject([
      {
        parameter: 'outOfReach',
      },
    ]);
    expect((await list('open'))[0]?.headline).toMatch(/^While out of reach: lowest SpO2 84 % at \d\d:\d\d$/);

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

  it('looks back for an open alert at most a day, so that one that no one has seen costs no more with its age', () => {
    const now = 10 * 24 * hour;
    const what = { rule: 'outOfReach.violation', priority: 'low', source: null, unconfirmedUntil: null } as const;
    const ended = { startedAt: 0, since: 0, endedAt: now - 20 * minute, count: 1, lowest: 86, highest: 86 };
    const raised = raise('outOfReach', { ...what, ...ended }, createEscalation('low', [], now), now);
    const alert = { ...raised, endedAt: ended.endedAt };
    const sample = { kind: 'spo2', value: 86, measuredAt: now - 20 * minute, deviceId: 1, isDoubtful: false } as const;
    const evidence = { ruleVersion: 1, limits: null, samples: [sample] };
    const listed = { id: 1, siteId: site, patientId: patient, deviceId: null, raisedAt: now, alert, evidence };
    const minutes = { from_minute: now / minute - 15, until_minute: now / minute - 10 };
    const queued = { ...minutes, patient_id: patient, since: now, touched_at: now, touches: 1 };
    expect(minutesOf(queued, listed, now)).toEqual({ from: 9 * 24 * 60, until: minutes.until_minute });
    expect(minutesOf(queued, { ...listed, alert: { ...alert, startedAt: now - hour } }, now)).toMatchObject({
      from: now / minute - 60,
    });
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
    await send(values(86, test.now() - 4 * minute, 90));
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
    const both = [{ parameter: 'outOfReach' }, { id: open?.id, rule: 'spo2.below', condition: 'active' }];
    await expect(inOrder()).resolves.toMatchObject(both);

    await test.restart();
    await expect(inOrder()).resolves.toMatchObject(both);
    await live(97, 120);
    await expect(inOrder()).resolves.toMatchObject([both[0], { id: open?.id, condition: 'ended' }]);
  });

  it.each([60, 80])('becomes an entry if it was worse than the alert of that time knows: %i %%', async (value) => {
    await live(97, 20);
    await live(86, 30);
    const from = test.now();
    test.advance(20 * minute);
    await send([...values(value, from + second, 900), ...values(86, from + 901 * second, 295)]);
    await live(97, 60);
    await evaluateRetrospective();
    await expect(only()).resolves.toMatchObject({ priority: 'high', closedBecause: 'retrospective' });
    const [late] = await inOrder();
    expect(late).toMatchObject({ parameter: 'outOfReach', priority: 'medium' });
    expect(late?.sentence).toContain(`lowest SpO2 ${value} %`);
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
    await expect(inOrder()).resolves.toMatchObject([{ parameter: 'outOfReach' }, { id: open?.id }]);
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

  describe('is listed until somebody acknowledges it', () => {
    const listed = async (): Promise<AlertItem[]> =>
      (await list('open')).filter(({ parameter }) => parameter === 'outOfReach');
    const one = async (): Promise<AlertItem> => {
      const [first, ...others] = await listed();
      expect(others).toEqual([]);
      if (first === undefined) {
        throw new Error('Nothing is listed');
      }
      return first;
    };
    const acknowledge = async ({ id, version }: AlertItem): Promise<number> =>
      (await call('POST', `/api/v2/alerts/${id}/acknowledge`, { version })).statusCode;
    /** So many seconds beyond a limit, and a good minute after it. */
    const dip = (value: number, seconds: number, from: number, more: Partial<Value> = {}): Value[] => [
      ...values(value, from, seconds, more),
      ...values(more.kind === 'heartRate' ? 80 : 97, from + seconds * second, 60, more),
    ];
    const rate = { kind: 'heartRate' } as const;

    it.each<[string, () => Value[], string, RegExp]>([
      ['100 s at 72 %', () => dip(72, 100, test.now() - hour), 'medium', /: lowest SpO2 72 % at \d\d:\d\d, ended at/],
      ['100 s at 72 % that ended over 4 h ago', () => dip(72, 100, began + 10 * minute), 'low', /lowest SpO2 72 %/],
      [
        'twice 40 s at 74 %',
        () => [...dip(74, 40, began + 2 * hour), ...dip(74, 40, began + 3 * hour)],
        'medium',
        /74/,
      ],
      ['50 s at 160 /min', () => dip(160, 50, test.now() - hour, rate), 'low', /: highest HR 160 \/min at/],
      ['70 s at 38 /min', () => dip(38, 70, test.now() - hour, rate), 'medium', /: lowest HR 38 \/min at/],
      ['10 min at 90 %', () => dip(90, 600, test.now() - hour), 'low', /lowest SpO2 90 %/],
      [
        'two kinds',
        () => [...dip(76, 30, test.now() - hour), ...dip(155, 30, test.now() - 2 * hour, rate)],
        'low',
        /lowest SpO2 76 % at \d\d:\d\d and highest HR 155 \/min at/,
      ],
    ])('with its extreme: %s', async (_, late, priority, sentence) => {
      await send(late());
      await evaluateRetrospective();
      const alert = await one();
      expect(alert).toMatchObject({ priority, condition: 'ended', latched: priority === 'medium' });
      expect(alert.sentence).toMatch(sentence);
      const { openAlerts } = test.server.liveState;
      expect(openAlerts.of(patient)).toMatchObject([{ parameter: 'outOfReach', priority, isAcknowledged: false }]);
      await expect(acknowledge(alert)).resolves.toBe(200);
      expect(openAlerts.of(patient)).toEqual([]);
    });

    it('as one alert, however many batches a gap comes in, over a restart', async () => {
      const from = test.now() - 2 * hour;
      await send(dip(74, 40, from));
      await evaluateRetrospective();
      const first = await one();
      expect(first.priority).toBe('low');
      await test.restart();
      await send(dip(73, 40, from + hour));
      await evaluateRetrospective();
      await evaluateRetrospective();
      const worse = await one();
      expect(worse).toMatchObject({ id: first.id, priority: 'medium' });
      expect(worse.sentence).toMatch(/lowest SpO2 73 %/);
      await expect(log(first.id)).resolves.toEqual(['raised', 'upgraded', 'asked']);
      // What was seen is no longer all.
      await expect(acknowledge(first)).resolves.toBe(409);
      await send(dip(73, 40, from + hour));
      await evaluateRetrospective();
      await expect(one()).resolves.toMatchObject({ id: first.id, version: worse.version });
    });

    it('again when more of the gap comes, and not by what is known', async () => {
      const from = test.now() - 2 * hour;
      await send(dip(74, 40, from));
      await evaluateRetrospective();
      const first = await one();
      await acknowledge(first);
      await send(dip(74, 40, from));
      await evaluateRetrospective();
      await expect(listed()).resolves.toEqual([]);
      await send(dip(76, 40, from + hour));
      await evaluateRetrospective();
      const again = await one();
      expect(again).toMatchObject({ id: first.id, priority: 'medium', acknowledged: null, escalationStep: 1 });
      expect(again.sentence).toMatch(/lowest SpO2 74 %/);
      await acknowledge(again);
      test.advance(20 * minute);
      await send(dip(77, 40, test.now() - 15 * minute));
      await evaluateRetrospective();
      const next = await one();
      expect(next.id).not.toBe(first.id);
      expect(next).toMatchObject({ priority: 'low' });
      expect(next.sentence).toMatch(/lowest SpO2 77 %/);
    });

    it.each<[string, number, number]>([
      ['LOW and seen by no one for two days', 40, 48 * hour],
      ['MEDIUM, and the charge nurse was asked', 100, 3 * hour],
    ])('again for a later gap while the alert before is %s', async (_, seconds, later) => {
      await send(dip(72, seconds, test.now() - hour));
      await evaluateRetrospective();
      const first = await one();
      test.advance(16 * minute);
      await test.server.alerts.evaluateClock();
      test.advance(later);
      const from = test.now() - 20 * minute;
      await send(dip(82, 100, from));
      await evaluateRetrospective();
      const then = await one();
      expect(then).toMatchObject({ id: first.id, priority: 'medium', startedAt: toInstant(from + 15 * second) });
      expect(then.sentence).toMatch(/lowest SpO2 82 %/);
      expect(then.escalation.asked.map(({ step, at }) => [step, at])).toEqual([[0, toInstant(test.now())]]);
      expect((await log(then.id)).slice(-2)).toEqual(['raised_again', 'asked']);
    });

    it('as LOW still, and with what was worst, if two short gaps were seen by no one', async () => {
      await send(dip(72, 40, test.now() - 40 * minute));
      await evaluateRetrospective();
      const first = await one();
      test.advance(20 * minute);
      await send(dip(74, 40, test.now() - 5 * minute));
      await evaluateRetrospective();
      const then = await one();
      expect(then).toMatchObject({ id: first.id, priority: 'low' });
      expect(then.sentence).toMatch(/lowest SpO2 72 %/);
    });

    it('without a value that was corrected meanwhile', async () => {
      const from = test.now() - hour;
      await send([...values(85, from, 20), ...values(60, from + 20 * second, 1), ...values(84, from + 21 * second, 9)]);
      await evaluateRetrospective();
      expect((await one()).sentence).toMatch(/lowest SpO2 60 %/);
      await send(values(86, from + 20 * second, 1));
      expect((await one()).sentence).toMatch(/values were corrected/);
      await evaluateRetrospective();
      expect((await one()).sentence).toMatch(/lowest SpO2 84 %/);
    });

    it.each([1, 48])('no more if no value of it is left after %i h: it was of another patient', async (hours) => {
      const from = test.now() - hour;
      await send(dip(72, 100, from));
      await evaluateRetrospective();
      const alert = await one();
      test.advance(hours * hour);
      await send(values(97, from, 100));
      await evaluateRetrospective();
      await expect(listed()).resolves.toEqual([]);
      expect((await log(alert.id)).slice(-2)).toEqual(['withdrawn', 'closed']);
      const closed = (await list('closed')).find(({ id }) => id === alert.id);
      expect(closed).toMatchObject({ latched: false, closedBecause: 'ended' });
      expect(closed?.sentence).toMatch(/^Withdrawn: values were corrected/);
    });

    it('still if the value that it names is withdrawn, and an earlier one is left', async () => {
      const from = test.now() - 3 * hour;
      await send([...dip(74, 100, from), ...dip(72, 100, from + 2 * hour)]);
      await evaluateRetrospective();
      test.advance(48 * hour);
      await send(values(97, from + 2 * hour, 100));
      await evaluateRetrospective();
      expect((await one()).sentence).toMatch(/lowest SpO2 74 %/);
    });

    it('by each of two devices', async () => {
      const other = await test.addDevice(site);
      const from = test.now() - hour;
      await send(dip(76, 30, from));
      const answer = await test.ingest(other.token, dip(75, 30, from + 10 * minute), { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ rejected: [] });
      await evaluateRetrospective();
      await expect(one()).resolves.toMatchObject({ priority: 'low', episodes: 2 });
      expect((await one()).sentence).toMatch(/lowest SpO2 75 %/);
    });

    it('but not if it is a recording', async () => {
      const samples = dip(72, 100, test.now() - hour);
      await test.ingest(device.token, samples, { sentAt: toInstant(test.now()), isRecording: true });
      await evaluateRetrospective();
      await expect(only()).resolves.toMatchObject({ rule: 'spo2.desat' });
      await expect(listed()).resolves.toEqual([]);
    });

    it.each<[string, () => Promise<unknown>]>([
      [
        'in comfort care',
        async () => {
          const physician = await test.signIn(site, 'physician');
          await physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed on' });
        },
      ],
      [
        'of a patient who has left',
        () => call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' }),
      ],
    ])('but not %s', async (_, change) => {
      await send(dip(72, 100, test.now() - hour));
      await evaluateRetrospective();
      const alert = await one();
      await change();
      await test.server.alerts.evaluateClock();
      await expect(listed()).resolves.toEqual([]);
      await expect(log(alert.id)).resolves.toEqual(['raised', 'asked', 'closed']);
    });

    it('asks the nurse and after 15 min the charge nurse, and sounds in a unit once in 10 min', async () => {
      const nurse = await test.signIn(site, 'nurse');
      const charge = await test.signIn(site, 'nurse');
      const lead = await test.signIn(site, 'ward_lead');
      const unit = await test.addUnit(site, 'West');
      const north = await test.signIn(site, 'nurse');
      const northUnit = await test.addUnit(site, 'North');
      const patients = [
        await test.addPatient(site, { location: { unit: 'West', bed: '1' } }),
        await test.addPatient(site, { location: { unit: 'West', bed: '2' } }),
      ];
      const third = await test.addPatient(site, { location: { unit: 'West', bed: '3' } });
      await test.store.db.updateTable('patients').set({ created_at: began }).where('site_id', '=', site).execute();
      await test.restart();
      test.advance(10 * second);
      await test.server.alerts.evaluateClock();
      const assign = async (role: string, userId: number, patientId: number | null, unitId = unit): Promise<void> => {
        const held = { unitId, shift: 'current', role, patientId, userId, version: 0 };
        expect((await lead.call('PUT', '/api/v2/assignments', held)).statusCode).toBe(200);
      };
      await assign('charge_nurse', charge.userId, null);
      await assign('charge_nurse', north.userId, null, northUnit);
      for (const id of patients) {
        await assign('nurse', nurse.userId, id);
      }
      const sounds = async (who: typeof nurse) =>
        (await who.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;
      const hears = async (who: typeof nurse, { raisedAt }: AlertItem): Promise<boolean> =>
        (await who.call('GET', '/api/v2/alerts/sound'))
          .json<AlertSound>()
          .asking.some((one) => one.raisedAt === raisedAt);
      const pass = async (ms: number): Promise<void> => {
        test.advance(ms);
        await test.server.alerts.evaluateClock();
      };
      const comes = async (id: number | undefined): Promise<AlertItem> => {
        patient = id ?? 0;
        await send(dip(72, 100, test.now() - hour));
        await evaluateRetrospective();
        return await one();
      };
      const first = await comes(patients[0]);
      await expect(sounds(nurse)).resolves.toBe('medium');
      await acknowledge(first);
      await pass(4 * minute);
      const other = await comes(patients[1]);
      await expect(sounds(nurse)).resolves.toBeNull();
      await pass(6 * minute);
      await expect(sounds(nurse)).resolves.toBe('medium');
      await expect(sounds(charge)).resolves.toBeNull();
      await pass(9 * minute);
      await pass(hour);
      await expect(sounds(charge)).resolves.toBe('medium');
      const asked = (await one()).escalation.asked.map(({ step, at }) => [
        step,
        Math.round((Date.parse(at) - Date.parse(other.raisedAt)) / minute),
      ]);
      expect(asked).toEqual([
        [0, 0],
        [1, 15],
      ]);
      // The unit to which the patient moves knows nothing yet.
      const moves = async (bed: string): Promise<void> => {
        const { version } = (await call('GET', `/api/v2/patients/${patient}`)).json<{ version: number }>();
        await call('PATCH', `/api/v2/patients/${patient}`, { version, location: { unit: 'North', bed } });
        await pass(second);
      };
      await moves('1');
      await expect(log(other.id)).resolves.toEqual(['raised', 'asked', 'asked', 'moved', 'asked']);

      // Nor is an alert that sounds made silent by what is asked later.
      await pass(hour);
      const sounding = await comes(patients[0]);
      await pass(14 * minute);
      await acknowledge(await comes(third));
      patient = patients[0] ?? 0;
      await pass(minute);
      expect((await one()).escalation.asked.map(({ step }) => step)).toEqual([0, 1]);
      await expect(hears(charge, sounding)).resolves.toBe(true);
      await acknowledge(sounding);
      await pass(hour);
      patient = third;
      await send(dip(71, 100, test.now() - 10 * minute));
      await evaluateRetrospective();
      await pass(minute);
      await moves('2');
      await expect(hears(north, await one())).resolves.toBe(true);
    });
  });
});
