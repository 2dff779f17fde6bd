import { acknowledge, pauseAudio } from '../../lib/alerts/actions';
import { defaultEscalationTimes, type EscalationTimes } from '../../lib/alerts/escalationTimes';
import type { EscalationSettings } from '../../lib/alerts/escalationTimesSchema';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import type { UsersResponse } from '../../lib/users/schema';
import { apiEngines } from '../../test/database';
import { refuseWrites } from '../../test/refuseWrites';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import type { AlertRecord } from './alertWrites';

const second = 1_000;

describe.each(apiEngines)('escalation on %s', (engine) => {
  const minute = 60 * second;

  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { id: number; token: string };
  let lead: Caller;
  let nurse: Caller;
  let buddy: Caller;
  let charge: Caller;
  let physician: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    test.advance(10 * minute);
    // A unit of its own for each test: what is assigned in one is nothing to another.
    const name = `Unit ${test.now()}`;
    unit = await test.addUnit(site, name);
    patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
    lead = await test.signIn(site, 'ward_lead');
    nurse = await test.signIn(site, 'nurse');
    buddy = await test.signIn(site, 'nurse');
    charge = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    // The users of a site are read again after at most ten seconds.
    await test.server.alerts.evaluateClock();
  });

  const assign = async (role: AssignmentRole, to: Caller): Promise<void> => {
    const patientId = role === 'nurse' || role === 'buddy' ? patient : null;
    const answer = await lead.call('PUT', '/api/v2/assignments', {
      unitId: unit,
      shift: 'current',
      role,
      patientId,
      userId: to.userId,
      version: 0,
    });
    expect(answer.statusCode).toBe(200);
  };
  const assignAll = async (): Promise<void> => {
    await assign('nurse', nurse);
    await assign('buddy', buddy);
    await assign('charge_nurse', charge);
    await assign('on_call_physician', physician);
  };

  /** Sends a value a second that were measured up to now. */
  const feed = async (value: number, seconds: number, kind = 'spo2'): Promise<void> => {
    const samples = Array.from({ length: seconds }, (_, place) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(seconds * second);
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ accepted: seconds });
  };
  const alertOf = async (who = nurse): Promise<AlertItem> => {
    const { items } = (await who.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  };
  /** A HIGH alert that is raised at this moment. */
  const raise = async (): Promise<AlertItem> => {
    await feed(86, 16);
    const alert = await alertOf();
    expect(alert).toMatchObject({ priority: 'high', raisedAt: toInstant(test.now()) });
    return alert;
  };
  const logOf = async (id: number): Promise<LoggedEvent[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  const wordsOf = async (id: number): Promise<string[]> => (await logOf(id)).map(({ is }) => is);
  /** Who was asked: how long after `raisedAt`, in seconds, and whom. */
  const askedOf = async ({ id, raisedAt }: AlertItem) =>
    (await logOf(id)).flatMap((event) => {
      if (event.is !== 'asked') {
        return [];
      }
      const { users, wholeUnit, unheld, contact } = event.to;
      const after = (Date.parse(event.at) - Date.parse(raisedAt)) / second;
      return [{ after, to: users.map(({ id: user }) => user), wholeUnit, unheld, contact }];
    });
  const act = async (who: Caller, id: number, name: string, body?: object): Promise<void> => {
    const version = test.server.alerts.find(id)?.alert.version;
    const response = await who.call('POST', `/api/v2/alerts/${id}/${name}`, { version, ...body });
    expect(response.statusCode).toBe(200);
  };
  /** Lets time pass and the server look at its clock. */
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  };
  /** Lets time pass in which the nurse does something now and then. */
  const stay = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 4 * minute) {
      test.advance(Math.min(left, 4 * minute));
      expect((await nurse.call('POST', '/api/v2/auth/activity')).statusCode).toBe(204);
    }
    await test.server.alerts.evaluateClock();
  };
  /** The server is not there for so long. */
  const beAway = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.restart();
    await test.server.alerts.evaluateClock();
  };

  const inUnit = { wholeUnit: true, contact: null };
  const byName = { wholeUnit: false, contact: null, unheld: [] };

  it('asks nurse at once, buddy and charge nurse at 60 s, physician at 120 s, rapid response at 300 s', async () => {
    await assignAll();
    const alert = await raise();
    const expected: object[] = [{ after: 0, to: [nurse.userId], ...byName }];
    for (const [wait, step] of [
      [60, { after: 60, to: [buddy.userId, charge.userId], ...byName }],
      [60, { after: 120, to: [physician.userId], ...inUnit, unheld: [] }],
      [180, { after: 300, to: [charge.userId], wholeUnit: true, unheld: [], contact: 'rapid_response' }],
    ] as const) {
      await pass(wait * second - 1);
      await expect(askedOf(alert)).resolves.toEqual(expected);
      await pass(1);
      expected.push(step);
      await expect(askedOf(alert)).resolves.toEqual(expected);
    }
    await expect(alertOf()).resolves.toMatchObject({ escalationStep: 4 });
    const { headline, sentence } = await alertOf();
    expect([headline, sentence.startsWith(`${headline}, SpO2`)]).toEqual([
      'Nobody has answered. Call rapid response',
      true,
    ]);
    await pass(5 * minute);
    expect((await askedOf(alert)).slice(4)).toEqual([
      { after: 600, to: [charge.userId], wholeUnit: true, unheld: [], contact: 'rapid_response' },
    ]);
    const { version } = await alertOf();
    const said = (body: object) => charge.call('POST', `/api/v2/alerts/${alert.id}/contact`, { version, ...body });
    expect((await said({ answer: 'not_needed' })).statusCode).toBe(422);
    expect((await said({ answer: 'not_needed', reason: 'The team is here' })).json()).toMatchObject({
      accepted: null,
      headline: 'SpO2 low',
      escalation: { answered: { is: 'not_needed', by: { id: charge.userId }, reason: 'The team is here' } },
    });
    const repeats = () => test.server.alerts.find(alert.id)?.alert.escalation.repeats;
    await pass(15 * minute - 1);
    expect(repeats()).toBe(1);
    await pass(1);
    expect(repeats()).toBe(2);
  });

  it('goes to the whole unit at once if no role of a step has a holder, and names these roles', async () => {
    const alert = await raise();
    await pass(60 * second);
    await pass(60 * second);
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [], ...inUnit, unheld: ['nurse'] },
      { after: 60, to: [], ...inUnit, unheld: ['buddy', 'charge_nurse'] },
      { after: 120, to: [], ...inUnit, unheld: ['on_call_physician'] },
    ]);
  });

  it('asks whom there is where one of two roles is held, and says which is not', async () => {
    await assign('nurse', nurse);
    await assign('charge_nurse', charge);
    const alert = await raise();
    await pass(60 * second);
    expect((await askedOf(alert))[1]).toEqual({
      after: 60,
      to: [charge.userId],
      wholeUnit: false,
      contact: null,
      unheld: ['buddy'],
    });
  });

  it('treats a role as unheld if the nurse’s account is disabled', async () => {
    await assign('nurse', nurse);
    await assign('buddy', buddy);
    await assign('charge_nurse', charge);
    await test.store.db
      .updateTable('users')
      .set({ disabled_at: test.now() })
      .where('id', 'in', [nurse.userId, buddy.userId])
      .execute();
    await pass(10 * second);
    const alert = await raise();
    await pass(60 * second);
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [], ...inUnit, unheld: ['nurse'] },
      { after: 60, to: [charge.userId], wholeUnit: false, contact: null, unheld: ['buddy'] },
    ]);
  });

  it('stops when a user accepts, who is asked again once when its rule gets worse, over a restart too', async () => {
    await assignAll();
    const { id } = await raise();
    await pass(30 * second);
    await act(nurse, id, 'accept');
    await pass(10 * minute);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted']);
    await feed(70, 2);
    await expect(alertOf()).resolves.toMatchObject({
      id,
      rule: 'spo2.desat',
      accepted: { by: { id: nurse.userId } },
      lastRaisedAt: toInstant(test.now()),
      escalation: { nextAt: null, next: { roles: ['buddy', 'charge_nurse'] } },
    });
    await expect(alertOf()).resolves.toMatchObject({ escalation: { answerBy: toInstant(test.now() + minute) } });
    await beAway(minute - 1);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'upgraded', 'owner_asked']);
    await pass(1);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'upgraded', 'owner_asked', 'asked']);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
  });

  it.each([
    [35, []],
    [0, ['owner_asked']],
  ])('when a rate of %i follows a fast one, asks its owner for a new accept: %j', async (rate, asked) => {
    await assignAll();
    await feed(160, 16, 'heartRate');
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const { id } = items.find(({ parameter }) => parameter === 'rate') ?? (await alertOf());
    await act(nurse, id, 'accept');
    await feed(rate, 17, 'heartRate');
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'raised_again', ...asked]);
  });

  it('is not stopped by acknowledging: the next step is asked all the same, and has heard nothing yet', async () => {
    await assignAll();
    const alert = await raise();
    await pass(30 * second);
    await act(nurse, alert.id, 'acknowledge');
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: { by: { id: nurse.userId } }, escalationStep: 1 });
    await pass(30 * second);
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: null, escalationStep: 2 });
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 60]);
  });

  it('asks the next step at once when somebody cannot, and the one after it at its time', async () => {
    await assignAll();
    const alert = await raise();
    await pass(10 * second);
    await act(nurse, alert.id, 'reject', { reason: 'With another patient' });
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [nurse.userId], ...byName },
      { after: 10, to: [buddy.userId, charge.userId], ...byName },
    ]);
    await pass(50 * second);
    await expect(askedOf(alert)).resolves.toHaveLength(2);
    await pass(60 * second);
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 10, 120]);
  });

  it('asks the owner of a HIGH alert aloud after 30 min, once, until they take it again', async () => {
    await assignAll();
    const { id } = await raise();
    const soFar = ['raised', 'asked'];
    while (soFar.length < 8) {
      await act(nurse, id, 'accept');
      await act(nurse, id, 'acknowledge');
      await stay(30 * minute - 1);
      await expect(alertOf()).resolves.toMatchObject({ remindedAt: null, escalation: { answerBy: null } });
      await pass(1);
      await expect(alertOf()).resolves.toMatchObject({ remindedAt: toInstant(test.now()) });
      await pass(minute - 1);
      soFar.push('accepted', 'acknowledged', 'owner_asked');
      await expect(wordsOf(id)).resolves.toEqual(soFar);
    }
  });

  it('asks one step of those that were due while the server was down, and the next one an interval later', async () => {
    await assignAll();
    const alert = await raise();
    await beAway(130 * second);
    const due = [
      { after: 0, to: [nurse.userId], ...byName },
      { after: 130, to: [buddy.userId, charge.userId], ...byName },
    ];
    await expect(askedOf(alert)).resolves.toEqual(due);
    await test.server.alerts.evaluateClock();
    await beAway(0);
    await expect(askedOf(alert)).resolves.toEqual(due);
    await pass(minute - 1);
    await expect(askedOf(alert)).resolves.toEqual(due);
    await pass(1);
    await expect(askedOf(alert)).resolves.toEqual([
      ...due,
      { after: 190, to: [physician.userId], ...inUnit, unheld: [] },
    ]);
    await beAway(10 * minute);
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 130, 190, 790]);
  });

  it('asks the owner once of what was due while the server was down, and keeps who accepted an alert', async () => {
    await assignAll();
    const { id } = await raise();
    await act(nurse, id, 'accept');
    await act(nurse, id, 'acknowledge');
    await stay(29 * minute);
    await beAway(2 * minute);
    await beAway(minute - 1);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'acknowledged', 'owner_asked']);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } }, escalationStep: 1 });
  });
});

describe.each(apiEngines)('a site’s escalation times on %s', (engine) => {
  const url = '/api/v2/site/escalation';

  const timesWith = (high: number[], repeat = defaultEscalationTimes.repeat): EscalationTimes => ({
    steps: { ...defaultEscalationTimes.steps, high },
    repeat,
  });
  const short = timesWith([30, 60, 180]);
  const long = timesWith([180, 300, 900]);

  let test: TestServer;
  let site: number;
  let device: { id: number; token: string };
  let nurse: Caller;
  let physician: Caller;
  let lead: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site, { location: { unit: 'East', bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    lead = await test.signIn(site, 'ward_lead');
    await test.server.alerts.evaluateClock();
  });

  const read = async (who = nurse): Promise<EscalationSettings> =>
    (await who.call('GET', url)).json<EscalationSettings>();
  const post = async (times: unknown, more: object = {}, who = physician) => {
    const { settingId } = await read();
    const made = { basedOn: settingId, replaces: null, reason: 'Night shifts are short of staff' };
    return await who.call('POST', `${url}/proposals`, { ...made, times, ...more });
  };
  const propose = async (times: EscalationTimes): Promise<number> => {
    const answer = await post(times);
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return answer.json<EscalationSettings>().proposals[0]?.id ?? 0;
  };
  const decide = (who: Caller, id: number, how: string, body?: object) =>
    who.call('POST', `${url}/proposals/${id}/${how}`, body);
  const approve = async (times: EscalationTimes): Promise<void> => {
    const answer = await decide(lead, await propose(times), 'approve');
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  };
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  };
  /** A HIGH alert that is raised at this moment. */
  const raise = async (): Promise<AlertItem> => {
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(16 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    expect(alert).toMatchObject({ priority: 'high', raisedAt: toInstant(test.now()) });
    return alert as AlertItem;
  };
  /** How long after `raisedAt` each step was asked, in seconds. */
  const askedOf = async ({ id, raisedAt }: AlertItem): Promise<number[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`))
      .json<{ items: LoggedEvent[] }>()
      .items.filter(({ is }) => is === 'asked')
      .map(({ at }) => (Date.parse(at) - Date.parse(raisedAt)) / second);
  const passSeconds = async (seconds: number): Promise<void> => {
    for (let one = 0; one < seconds; one += 10) {
      await pass(10 * second);
    }
  };

  it('are refused out of bounds and out of order, each at its step', async () => {
    const answer = await post(timesWith([29, 50, 300]));
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        error: {
          fields: {
            'times.steps.high.0': 'is not from 30 s to 3 min',
            'times.steps.high.1': 'is not from 60 s to 5 min',
          },
        },
      },
    ]);
    expect((await post({ ...defaultEscalationTimes, extra: 1 })).statusCode).toBe(422);
    expect((await post(defaultEscalationTimes)).json()).toMatchObject({ error: { code: 'unchanged' } });
    expect((await post(short, { basedOn: 999 })).json()).toMatchObject({
      error: {
        code: 'changed_meanwhile',
        message: 'This has changed in the meantime: the default times hold. Look at it again, then repeat.',
      },
    });
    expect((await post(short, {}, nurse)).statusCode).toBe(403);
    const administrator = await test.signIn(site, 'administrator', true);
    expect((await post(short, {}, administrator)).statusCode).toBe(403);
    expect((await administrator.call('GET', url)).statusCode).toBe(403);
    await expect(read()).resolves.toEqual({
      default: defaultEscalationTimes,
      now: defaultEscalationTimes,
      settingId: null,
      proposals: [],
    });
  });

  it('hold when a second user has approved them, and are read by everyone who reads alerts', async () => {
    const id = await propose(long);
    expect((await decide(physician, id, 'approve')).statusCode).toBe(403);
    await expect(read()).resolves.toMatchObject({ now: defaultEscalationTimes, settingId: null });
    expect((await decide(lead, id, 'approve')).statusCode).toBe(200);
    await test.restart();
    await expect(read()).resolves.toMatchObject({
      now: long,
      settingId: id,
      proposals: [
        {
          state: 'approved',
          held: defaultEscalationTimes,
          wanted: long,
          proposedBy: { id: physician.userId },
          decided: { by: { id: lead.userId } },
        },
      ],
    });
    const late = await post(short, { basedOn: null });
    expect(late.json()).toMatchObject({ error: { code: 'changed_meanwhile' } });
    const next = await propose(short);
    expect((await decide(lead, next, 'reject', { reason: 'Too many calls' })).statusCode).toBe(200);
    await expect(read()).resolves.toMatchObject({ now: long, proposals: [{ state: 'rejected' }, { id }] });
    const stranger = await test.signIn(await test.addSite('Other ward'), 'ward_lead');
    await expect(read(stranger)).resolves.toMatchObject({ now: defaultEscalationTimes, proposals: [] });
  });

  it('apply to an open alert at once where they are shorter', async () => {
    const alert = await raise();
    await pass(40 * second);
    await approve(short);
    await expect(askedOf(alert)).resolves.toEqual([0, 40]);
    await passSeconds(160);
    await expect(askedOf(alert)).resolves.toEqual([0, 40, 70, 190]);
  });

  it('delay nothing of an open alert if they are longer, also after a restart, and hold for the next', async () => {
    const alert = await raise();
    await pass(30 * second);
    await approve(long);
    await test.restart();
    await passSeconds(280);
    await expect(askedOf(alert)).resolves.toEqual([0, 60, 120, 300]);
    patient = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    const next = await raise();
    await passSeconds(310);
    await expect(askedOf(next)).resolves.toEqual([0, 180, 300]);
  });

  it('that cannot be read do not hold: those approved before do, and the metrics say so', async () => {
    await approve(short);
    const damaged = await propose(long);
    await decide(lead, damaged, 'approve');
    await test.store.db.updateTable('proposals').set({ wanted: '{}' }).where('id', '=', damaged).execute();
    await test.restart();
    await expect(read()).resolves.toMatchObject({ now: short, settingId: damaged });
    const alert = await raise();
    await passSeconds(60);
    await expect(askedOf(alert)).resolves.toEqual([0, 30, 60]);
    const { body } = await test.app.inject('/metrics');
    expect(body).toMatch(/wardlight_unreadable_rows_total\{what="escalation"\} [1-9]/);
  });

  it('are on record, and their reasons are not', async () => {
    await approve(short);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'details'])
      .where('site_id', '=', site)
      .where('action', 'like', '%_alert_setting')
      .orderBy('id')
      .execute();
    const details = '{"rule":"escalation"}';
    expect(rows).toEqual([
      { action: 'propose_alert_setting', actor_id: physician.userId, details },
      { action: 'approve_alert_setting', actor_id: lead.userId, details },
    ]);
  });
});

describe.each(apiEngines)('the sound of a user’s browser on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { token: string };
  let nurse: Caller;
  let other: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    test.advance(24 * 3_600 * second);
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    unit = await test.addUnit(site, 'West');
    patient = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    other = await test.signIn(site, 'nurse');
    const lead = await test.signIn(site, 'ward_lead');
    await test.server.alerts.siteChanged(site);
    const place = { unitId: unit, shift: 'current', role: 'nurse', patientId: patient };
    await lead.call('PUT', '/api/v2/assignments', { ...place, userId: nurse.userId, version: 0 });
  });

  /** Raises a HIGH alert of the patient. */
  async function raise(): Promise<AlertRecord> {
    const samples = Array.from({ length: 20 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 84,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(20 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const [alert] = test.server.alerts.listOpen(site);
    if (alert === undefined) {
      throw new Error('No alert was raised');
    }
    return alert;
  }
  const pauseFor = (id: number) =>
    test.server.alerts.handle([{ id, action: (alert, at) => pauseAudio(alert, other.userId, 60 * second, at) }], null);
  const sound = async (who: Caller): Promise<AlertSound> =>
    (await who.call('GET', '/api/v2/alerts/sound')).json<AlertSound>();
  const silence: AlertSound = { priority: null, pause: null, asking: [] };

  it('is for the user whom an alert has asked, on a locked screen too, and for no one else', async () => {
    await expect(sound(nurse)).resolves.toEqual(silence);
    const { raisedAt } = await raise();
    const asking = [{ priority: 'high', raisedAt: toInstant(raisedAt) }];
    await nurse.call('POST', '/api/v2/auth/lock');
    await expect(sound(nurse)).resolves.toEqual({ priority: 'high', pause: null, asking });
    await expect(sound(other)).resolves.toEqual(silence);
  });

  it('is for all of the unit once the whole unit is asked, and never for people who handle no alerts', async () => {
    await raise();
    for (let step = 0; step < 3; step += 1) {
      test.advance(60 * second);
      await test.server.alerts.evaluateClock();
    }
    const [viewer, administrator] = [await test.signIn(site, 'viewer'), await test.signIn(site, 'administrator', true)];
    const elsewhere = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'East', [elsewhere.userId]);
    expect((await sound(other)).priority).toBe('high');
    for (const who of [viewer, administrator, elsewhere]) {
      await expect(sound(who)).resolves.toEqual(silence);
    }
  });

  it('ends with the acknowledgement', async () => {
    const { id } = await raise();
    await test.server.alerts.handle([{ id, action: (alert, at) => acknowledge(alert, nurse.userId, at) }], null);
    await expect(sound(nurse)).resolves.toEqual(silence);
  });

  it('is paused for as long as somebody paused it, which everyone sees', async () => {
    const { id } = await raise();
    const until = test.now() + 60 * second;
    await pauseFor(id);
    for (const who of [nurse, other]) {
      await expect(sound(who)).resolves.toEqual({
        priority: null,
        asking: [],
        pause: { until: toInstant(until), by: expect.stringMatching(/^R\. Example\d+$/) as unknown },
      });
    }
    test.advance(60 * second);
    await expect(sound(nurse)).resolves.toMatchObject({ priority: 'high', pause: null });
  });

  it('names nothing of a patient', async () => {
    const { id } = await raise();
    const { asking } = await sound(nurse);
    expect(asking.map((alert) => Object.keys(alert).sort())).toEqual([['priority', 'raisedAt']]);
    await pauseFor(id);
    const body = await sound(nurse);
    expect(Object.keys(body).sort()).toEqual(['asking', 'pause', 'priority']);
    expect(Object.keys(body.pause ?? {}).sort()).toEqual(['by', 'until']);
  });
});

describe('signedOut', () => {
  const minute = 60 * second;
  const hour = 60 * minute;

  /** What users hold who are no longer there (clinical.md section 00, A1). */
  describe.each(apiEngines)('an alert whose holder is gone on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let unit: number;
    let patient: number;
    let device: { id: number; token: string };
    let lead: Caller;
    let nurse: Caller;
    let buddy: Caller;

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      test.advance(10 * minute);
      site = await test.addSiteAlone();
      device = await test.addDevice(site);
      const name = 'East';
      unit = await test.addUnit(site, name);
      patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
      lead = await test.signIn(site, 'ward_lead');
      nurse = await test.signIn(site, 'nurse');
      buddy = await test.signIn(site, 'nurse');
      // The users of a site are read again after at most ten seconds.
      await pass(10 * second);
      await assign('nurse', nurse);
      await assign('buddy', buddy);
    });

    const assign = async (role: AssignmentRole, to: Caller, version = 0): Promise<void> => {
      const held = { unitId: unit, shift: 'current', role, patientId: patient, userId: to.userId, version };
      expect((await lead.call('PUT', '/api/v2/assignments', held)).statusCode).toBe(200);
    };
    /** A value a second that were measured up to now. */
    const feed = async (value: number, seconds: number): Promise<void> => {
      const samples = Array.from({ length: seconds }, (_, place) => ({
        ...{ patientId: patient, kind: 'spo2', value, quality: 'good' },
        takenAt: toInstant(test.now() + (place + 1) * second),
      }));
      test.advance(seconds * second);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: seconds });
    };
    const raise = async (value = 86): Promise<AlertItem> => {
      await feed(value, 16);
      for (let passed = 0; value >= 88 && passed < 5 * minute; passed += 30 * second) {
        await feed(value, 30);
      }
      return await alertOf();
    };
    const alertOf = async (): Promise<AlertItem> => {
      const { items } = (await buddy.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
      const alert = items.find(({ parameter }) => parameter === 'spo2');
      if (alert === undefined) {
        throw new Error('No alert is open');
      }
      return alert;
    };
    const held = async (by: Caller): Promise<AlertItem[]> =>
      (await by.call('GET', '/api/v2/alerts/held')).json<AlertsPage>().items;
    const logOf = async ({ id }: AlertItem): Promise<LoggedEvent[]> =>
      (await buddy.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
    /** Who was asked: how long after it was raised, in seconds, and whom. */
    const askedOf = async (alert: AlertItem) =>
      (await logOf(alert)).flatMap((event) =>
        event.is === 'asked'
          ? [[(Date.parse(event.at) - Date.parse(alert.raisedAt)) / second, event.to.users.map(({ id }) => id)]]
          : [],
      );
    const take = async (who: Caller, name: 'accept' | 'acknowledge'): Promise<void> => {
      const { id, version } = await alertOf();
      expect((await who.call('POST', `/api/v2/alerts/${id}/${name}`, { version })).statusCode).toBe(200);
    };
    /** Those who hold something hear before whom it then asks. */
    const signOut = async (who: Caller): Promise<void> => {
      const named = await held(who);
      expect((await who.call('POST', '/api/v2/auth/sign-out')).statusCode).toBe(204);
      await settled();
      for (const { id, escalation, released } of named) {
        await expect(alertOf()).resolves.toMatchObject({ id, released, escalation: { asked: escalation.asked } });
      }
      namedAtSignOut = named.map(({ id }) => id);
    };
    let namedAtSignOut: number[] = [];
    const signInAgain = async ({ userId }: Caller): Promise<void> => {
      await test.server.sessions.start(
        userId,
        { ip: null, userAgent: null, before: null },
        { now: () => Promise.resolve() },
      );
    };
    /** Resolves when the work that an end of a session began is done; the clock does not tick here. */
    const settled = async (): Promise<void> => {
      await test.store.writeQueue(() => Promise.resolve());
    };
    const pass = async (ms: number): Promise<void> => {
      test.advance(ms);
      await test.server.alerts.evaluateClock();
    };
    const soundFor = async (who: Caller): Promise<AlertSound['priority']> =>
      (await who.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;

    it('is asked again at once when its owner signs out, of the next people too if they alone are there', async () => {
      const alert = await raise();
      await pass(22 * second);
      await take(nurse, 'accept');
      await take(nurse, 'acknowledge');
      await pass(30 * second);
      await signOut(nurse);
      expect(namedAtSignOut).toEqual([alert.id]);
      await expect(held(buddy)).resolves.toEqual([]);
      await expect(askedOf(alert)).resolves.toEqual([
        [0, [nurse.userId]],
        [52, [nurse.userId]],
        [52, [buddy.userId]],
      ]);
      await expect(soundFor(buddy)).resolves.toBe('high');
      await expect(alertOf()).resolves.toMatchObject({
        accepted: null,
        acknowledged: null,
        released: { by: { id: nurse.userId }, because: 'signed_out' },
      });
    });

    it('goes on an interval later if another one is responsible now', async () => {
      const alert = await raise();
      await pass(22 * second);
      await take(nurse, 'accept');
      await assign('nurse', lead, 1);
      await pass(30 * second);
      await signOut(nurse);
      await settled();
      await pass(60 * second - 1);
      await pass(1);
      await expect(askedOf(alert)).resolves.toEqual([
        [0, [nurse.userId]],
        [52, [lead.userId]],
        [112, [buddy.userId]],
      ]);
    });

    it('sounds again when the user who only acknowledged it signs out', async () => {
      const alert = await raise();
      await pass(61 * second);
      await take(nurse, 'acknowledge');
      await expect(soundFor(buddy)).resolves.toBeNull();
      await signOut(nurse);
      expect(namedAtSignOut).toEqual([alert.id]);
      await expect(alertOf()).resolves.toMatchObject({ acknowledged: null, accepted: null, released: null });
      await expect(soundFor(buddy)).resolves.toBe('high');
      expect((await logOf(alert)).slice(-3)).toMatchObject([
        { is: 'released', user: { id: nurse.userId }, because: 'signed_out', acknowledgement: true },
        { is: 'asked', step: 0, to: { nobodyPresent: true } },
        { is: 'asked', step: 1 },
      ]);
    });

    it('stays with an owner who signs out of one of two browsers, or unlocks, or proves their password', async () => {
      await raise();
      await take(nurse, 'accept');
      await signInAgain(nurse);
      await signOut(nurse);
      expect(namedAtSignOut).toEqual([]);
      const [left] = test.server.sessions.ofUser(nurse.userId);
      expect(left).toBeDefined();
      const rotated = left === undefined ? null : test.server.sessions.rotate(left, true, { now: settled });
      test.server.alerts.sessionsChanged();
      await rotated;
      await pass(second);
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    });

    it('stays acknowledged while somebody else has accepted it', async () => {
      await raise();
      await take(nurse, 'acknowledge');
      await take(buddy, 'accept');
      await signOut(nurse);
      await settled();
      await pass(second);
      await expect(alertOf()).resolves.toMatchObject({
        acknowledged: { by: { id: nurse.userId } },
        accepted: { by: { id: buddy.userId } },
      });
    });

    it.each([
      ['an administrator ends their sessions', (who: Caller) => test.server.sessions.endAll(who.userId, null, settled)],
      [
        'their account is disabled',
        async (who: Caller) => {
          await test.store.db
            .updateTable('users')
            .set({ disabled_at: test.now() })
            .where('id', '=', who.userId)
            .execute();
          await test.server.sessions.reload([who.userId]);
        },
      ],
    ])('is given back at once when %s', async (_, end) => {
      await raise();
      await take(nurse, 'accept');
      await end(nurse);
      await settled();
      await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
    });

    it('is given back by the clock after the 12 hours of a session', async () => {
      await raise();
      await take(nurse, 'accept');
      test.advance(11 * hour);
      buddy = await test.signIn(site, 'nurse');
      await pass(second);
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
      await pass(hour);
      buddy = await test.signIn(site, 'nurse');
      await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
    });

    it('is given back by the next start if the server ended before it could be', async () => {
      await raise();
      await take(nurse, 'accept');
      await test.store.db
        .updateTable('sessions')
        .set({ ended_at: test.now() })
        .where('user_id', '=', nurse.userId)
        .execute();
      await test.restart();
      await test.server.alerts.evaluateClock();
      await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
    });

    describe('not seen', () => {
      /** Time passes in ticks of a second, in which only these users' browsers are heard. */
      const passWith = async (ms: number, ...heard: Caller[]): Promise<void> => {
        for (let passed = 0; passed < ms; passed += second) {
          await pass(second);
          if (passed % minute === 0) {
            await Promise.all(heard.map((who) => who.call('GET', '/api/v2/alerts/sound')));
          }
        }
      };
      const isAsked = async (alert: AlertItem) => (await askedOf(alert)).length;

      it('for two minutes keeps its owner’s name and asks step 1, until they are back', async () => {
        const alert = await raise();
        const seenAt = test.now();
        await take(nurse, 'accept');
        await passWith(119 * second, buddy);
        await expect(isAsked(alert)).resolves.toBe(1);
        await passWith(2 * second, buddy);
        await expect(alertOf()).resolves.toMatchObject({
          accepted: { by: { id: nurse.userId }, notSeenSince: toInstant(seenAt) },
        });
        await expect(isAsked(alert)).resolves.toBe(2);
        await expect(soundFor(buddy)).resolves.toBe('high');
        await soundFor(nurse);
        await passWith(5 * minute, buddy, nurse);
        buddy = await test.signIn(site, 'nurse');
        expect((await alertOf()).accepted).not.toHaveProperty('notSeenSince');
        await expect(isAsked(alert)).resolves.toBe(2);
      });

      it('counts neither the time in which the server stalled, nor that before its start', async () => {
        const alert = await raise();
        await take(nurse, 'accept');
        await pass(20 * minute);
        await test.restart();
        await passWith(100 * second);
        buddy = await test.signIn(site, 'nurse');
        await expect(isAsked(alert)).resolves.toBe(1);
      });

      it('for half an hour of a locked screen asks step 1, however often its page is heard', async () => {
        const alert = await raise();
        await take(nurse, 'accept');
        expect((await nurse.call('POST', '/api/v2/auth/lock')).statusCode).toBe(204);
        const lock = test.now();
        await passWith(30 * minute - second, nurse, buddy);
        const before = test.server.alerts.find(alert.id)?.alert.escalation.asked;
        await passWith(2 * second, nurse, buddy);
        expect(before).toHaveLength(1);
        buddy = await test.signIn(site, 'nurse');
        await expect(alertOf()).resolves.toMatchObject({ accepted: { notSeenSince: toInstant(lock + second) } });
        await expect(isAsked(alert)).resolves.toBe(2);
      });
    });

    describe('whose people are not there', () => {
      const stepsOf = async (alert: AlertItem) =>
        (await logOf(alert)).flatMap((event) =>
          event.is === 'asked'
            ? [[event.step, event.to.users.map(({ id }) => id), event.to.wholeUnit, event.to.nobodyPresent ?? false]]
            : [],
        );

      it.each([
        ['HIGH', 86],
        ['MEDIUM', 88],
      ])('asks the next ones in the same second, up to the whole unit, and no contact: %s', async (_, value) => {
        await signOut(nurse);
        await signOut(buddy);
        const helper = await test.signIn(site, 'nurse');
        buddy = helper;
        await pass(10 * second);
        const alert = await raise(value);
        const steps = await stepsOf(alert);
        expect(steps.at(-1)?.slice(2)).toEqual([true, false]);
        expect(steps.slice(0, 2)).toMatchObject([
          [0, [nurse.userId], false, true],
          [1, expect.anything(), false, true],
        ]);
        expect((await alertOf()).escalation.asked.map(({ contact }) => contact)).not.toContain('rapid_response');
        await expect(soundFor(helper)).resolves.toBe(value === 86 ? 'high' : 'medium');
      });

      it('asks those on duty in the site who may see the patient if no one of the unit is there', async () => {
        await Promise.all([nurse, buddy, lead].map(signOut));
        const elsewhere = await test.addUnit(site, 'West');
        const physician = await test.signIn(site, 'physician');
        await test.store.db
          .insertInto('user_units')
          .values({ user_id: physician.userId, unit_id: elsewhere })
          .execute();
        await test.server.sessions.reload([physician.userId]);
        buddy = physician;
        await pass(10 * second);
        const alert = await raise();
        expect((await stepsOf(alert)).at(-1)).toEqual([2, [physician.userId], true, false]);
        await expect(soundFor(physician)).resolves.toBe('high');
      });

      it('asks the whole unit when the last one who was asked has gone', async () => {
        await pass(10 * second);
        const alert = await raise();
        await signOut(nurse);
        await pass(second);
        expect((await stepsOf(alert)).slice(1)).toEqual([[1, [buddy.userId], false, false]]);
        await signOut(buddy);
        buddy = await test.signIn(site, 'nurse');
        await pass(second);
        expect((await stepsOf(alert)).slice(2)).toMatchObject([[2, expect.anything(), true, false]]);
      });

      it('keeps to its times while no one at all is there, and asks the first who comes', async () => {
        await Promise.all([nurse, buddy, lead].map(signOut));
        await feed(86, 16);
        await pass(second);
        const [record] = test.server.alerts.listOpen(site).filter(({ alert: { parameter } }) => parameter === 'spo2');
        expect(record?.alert.escalation.asked).toHaveLength(1);
        buddy = await test.signIn(site, 'nurse');
        await pass(10 * second);
        await expect(soundFor(buddy)).resolves.toBe('high');
      });
    });

    describe('whose patient moves', () => {
      let west: number;
      let other: Caller;
      beforeEach(async () => {
        other = await test.signIn(site, 'nurse');
        west = await test.addUnit(site, 'West', [other.userId]);
        await test.addUnit(site, 'East', [nurse.userId]);
        const held = { unitId: west, shift: 'current', role: 'charge_nurse', patientId: null, userId: other.userId };
        await lead.call('PUT', '/api/v2/assignments', { ...held, version: 0 });
      });
      const move = async (name: string, who = lead): Promise<void> => {
        const version = test.server.liveState.patients.get(patient)?.version;
        const place = { version, location: { unit: name, bed: '2' } };
        expect((await who.call('PATCH', `/api/v2/patients/${patient}`, place)).statusCode).toBe(200);
      };

      it('begins again at once in the new unit, where no one has acknowledged it, and sounds there alone', async () => {
        const alert = await raise();
        await pass(70 * second);
        await take(nurse, 'acknowledge');
        await move('West');
        expect((await askedOf(alert)).slice(2)).toEqual([[70, []]]);
        await expect(alertOf()).resolves.toMatchObject({ acknowledged: null });
        await expect(Promise.all([other, nurse].map(soundFor))).resolves.toEqual(['high', null]);
        await pass(60 * second);
        expect((await askedOf(alert)).slice(3)).toEqual([[130, [other.userId]]]);
      });

      it('begins again there after a start of the server that came between', async () => {
        const alert = await raise();
        await test.store.db.updateTable('patients').set({ unit_id: west }).where('id', '=', patient).execute();
        await test.restart();
        await pass(second);
        expect((await logOf(alert)).slice(-2)).toMatchObject([
          { is: 'moved' },
          { is: 'asked', to: { wholeUnit: true } },
        ]);
        await expect(alertOf()).resolves.toMatchObject({ escalationStep: 1 });
      });

      it('is seen and heard by the former unit for two minutes at most while no one else is there', async () => {
        await raise();
        await Promise.all([other, buddy, lead].map(signOut));
        await move('West', nurse);
        await pass(119 * second);
        await expect(soundFor(nurse)).resolves.toBe('high');
        const page = (await nurse.call('GET', '/api/v2/alerts')).json<AlertsPage>();
        expect(page.items).toHaveLength(1);
        const { id = 0, version } = page.items[0] ?? {};
        expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(403);
        await pass(second);
        await expect(soundFor(nurse)).resolves.toBeNull();
        expect((await nurse.call('GET', '/api/v2/alerts')).json()).toMatchObject({ items: [] });
      });

      it('is not begun again by another bed of the unit', async () => {
        const alert = await raise();
        await move('East');
        await expect(askedOf(alert)).resolves.toHaveLength(1);
      });

      it('ends a standby, which is an alert of its own until somebody acknowledges it', async () => {
        const standby = await nurse.call('POST', `/api/v2/patients/${patient}/standby`, {
          reason: 'A wash',
          minutes: 30,
        });
        expect(standby.statusCode).toBe(201);
        await move('East');
        await expect(raise()).rejects.toThrow('No alert is open');
        await move('West');
        await pass(second);
        const { items } = (await lead.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
        expect(items).toMatchObject([
          { parameter: 'spo2', priority: 'high' },
          { rule: 'standby.moved', priority: 'medium', condition: 'active', headline: 'Standby ended by move' },
        ]);
        expect((await lead.call('GET', `/api/v2/patients/${patient}`)).json()).toMatchObject({ standby: null });
        const { id = 0, version } = items[1] ?? {};
        expect((await lead.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version })).statusCode).toBe(200);
        await pass(second);
        expect(test.server.alerts.find(id)?.alert.closed).toMatchObject({ because: 'ended' });
      });
    });

    describe('whose responsible people change', () => {
      it('asks the new nurse at each step that asked the old one, and the old one no more', async () => {
        const alert = await raise();
        await expect(soundFor(nurse)).resolves.toBe('high');
        await assign('nurse', lead, 1);
        await pass(second);
        await expect(askedOf(alert)).resolves.toEqual([
          [0, [nurse.userId]],
          [1, [lead.userId]],
        ]);
        await expect(soundFor(lead)).resolves.toBe('high');
        await expect(soundFor(nurse)).resolves.toBeNull();
        await pass(59 * second);
        await expect(askedOf(alert)).resolves.toHaveLength(3);
      });

      it.each([
        ['is disabled', () => ({ isDisabled: true })],
        ['is of a type that handles no alerts', () => ({ type: 'viewer' })],
        ['works in another unit', async () => ({ unitIds: [await test.addUnit(site, 'West')] })],
      ])('asks the whole unit in a second once its nurse %s', async (_, change) => {
        const alert = await raise();
        await pass(10 * second);
        const admin = await test.signIn(site, 'administrator', true);
        await pass(second);
        const { items } = (await admin.call('GET', '/api/v2/admin/users')).json<UsersResponse>();
        const version = items.find(({ id }) => id === nurse.userId)?.version;
        const body = { version, ...(await change()) };
        const answer = await admin.call('PATCH', `/api/v2/admin/users/${nurse.userId}`, body);
        expect(answer.statusCode).toBe(200);
        await pass(second);
        const { asked = [] } = test.server.alerts.find(alert.id)?.alert.escalation ?? {};
        expect(asked.find(({ step }) => step === 0)?.to).toMatchObject({ wholeUnit: true, unheld: ['nurse'] });
      });

      it('asks the nurse of the new shift when it begins, once, though no one does anything', async () => {
        const next = { unitId: unit, shift: 'next', role: 'nurse', patientId: patient, userId: lead.userId };
        const answer = await lead.call('PUT', '/api/v2/assignments', { ...next, version: 1 });
        const { shift } = answer.json<{ shift: { start: string } }>();
        test.advance(Date.parse(shift.start) - test.now() - minute);
        buddy = await test.signIn(site, 'nurse');
        await pass(second);
        const alert = await raise();
        await pass(Date.parse(shift.start) - test.now() - 1);
        const before = await askedOf(alert);
        await pass(1);
        await pass(second);
        expect(before.map(([, to]) => to).flat()).not.toContain(lead.userId);
        expect((await askedOf(alert)).slice(before.length)).toEqual([[expect.any(Number), [lead.userId]]]);
        await expect(soundFor(lead)).resolves.toBe('high');
      });

      it('sounds for the old nurse until the new one is there', async () => {
        const alert = await raise();
        const next = await test.signIn(site, 'nurse');
        await pass(10 * second);
        await signOut(next);
        await assign('nurse', next, 1);
        await pass(second);
        await expect(askedOf(alert)).resolves.toEqual([
          [0, [nurse.userId]],
          [11, [next.userId]],
        ]);
        await expect(soundFor(nurse)).resolves.toBe('high');
        await signInAgain(next);
        await pass(second);
        await expect(askedOf(alert)).resolves.toHaveLength(2);
        await expect(soundFor(nurse)).resolves.toBeNull();
      });

      it('sounds for the new one alone if it was acknowledged, until they acknowledge it too', async () => {
        await raise();
        await pass(61 * second);
        await take(nurse, 'acknowledge');
        await assign('nurse', lead, 1);
        await pass(second);
        await expect(Promise.all([lead, nurse, buddy].map(soundFor))).resolves.toEqual(['high', null, null]);
        await take(lead, 'acknowledge');
        await expect(soundFor(lead)).resolves.toBeNull();
      });

      it('asks no one of one that somebody has accepted', async () => {
        const alert = await raise();
        await take(buddy, 'accept');
        await assign('nurse', lead, 1);
        await pass(second);
        await expect(askedOf(alert)).resolves.toHaveLength(1);
      });
    });

    it('is asked again while nothing can be stored', async () => {
      await raise();
      await take(nurse, 'accept');
      const allow = await refuseWrites(test);
      try {
        await signOut(nurse);
        await settled().catch(() => undefined);
        const record = test.server.alerts.listOpen(site).find(({ patientId }) => patientId === patient);
        expect(record?.alert.responsibility).toMatchObject({ is: 'released', because: 'signed_out' });
      } finally {
        await allow();
      }
    });
  });
});
