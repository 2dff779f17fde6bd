import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { AlertItem } from '../../lib/alerts/schema';
import { newCheckIn, type OpenedCheckIn, type SentCheckIn } from '../../lib/checkIn/schema';
import { answersOf, emptyCheckIn } from '../../lib/checkIn/typedCheckIn';
import type { SymptomReport } from '../../lib/symptoms/schema';
import { toInstant } from '../../lib/time/schema';
import type { VitalsResponse } from '../../lib/vitals/schema';
import { allowLinks, checkInLink, type TestLink, yearOfBirth } from '../../test/checkInLink';
import { apiEngines } from '../../test/database';
import { parseCsv } from '../../test/parseCsv';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { sendReport } from './sendReport';

const hour = 3_600_000;

describe.each(apiEngines)('a check-in from home on %s', (engine) => {
  const codeOf = (answer: LightMyRequestResponse) => [
    answer.statusCode,
    answer.json<{ error?: { code: string } }>().error?.code,
  ];

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite('Harbour ward');
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterAll(() => test.stop());

  const reports = async (): Promise<SymptomReport[]> =>
    (await nurse.call('GET', `/api/v2/patients/${link.patientId}/symptoms`)).json<{ items: SymptomReport[] }>().items;
  const samples = () =>
    test.store.db.selectFrom('samples').selectAll().where('patient_id', '=', link.patientId).orderBy('kind').execute();
  const open = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', '/api/v2/alerts'))
      .json<{ items: AlertItem[] }>()
      .items.filter(({ patientId }) => patientId === link.patientId);
  const send = async (body: object): Promise<SentCheckIn> => {
    const answer = await link.post('reports', link.checkIn(body));
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<SentCheckIn>();
  };

  it.each([
    [{ answers: {} }, 'answers'],
    [{ answers: { hiccups: 'mild' } }, 'hiccups'],
    [{ answers: { cough: 'terrible' } }, 'answers.cough'],
    [{ mmrc: 2 }, 'mmrc'],
    [{ breathlessness: 11 }, 'breathlessness'],
    [{ redFlags: ['hunger'] }, 'redFlags.0'],
    [{ readings: { spo2: 0 } }, 'readings.spo2'],
    [{ readings: { spo2: 101 } }, 'readings.spo2'],
    [{ readings: { systolic: 120 } }, 'systolic'],
    [{ readings: { temperature: '37' } }, 'readings.temperature'],
    [{ clientId: 'mine' }, 'clientId'],
    [{ reportedAt: 'today' }, 'reportedAt'],
    [{ sentAt: undefined }, 'sentAt'],
    [{ patientId: 1 }, 'patientId'],
  ])('is refused as %j, and nothing is stored', async (body, field) => {
    const answer = await link.post('reports', link.checkIn(body));
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)[0]).toBe(field);
    await expect(reports()).resolves.toEqual([]);
    await expect(samples()).resolves.toEqual([]);
  });

  it('is refused if it is older than a day', async () => {
    const at = (ms: number) => link.checkIn({ reportedAt: toInstant(test.now() - ms) });
    expect(codeOf(await link.post('reports', at(24 * hour + 1)))).toEqual([422, 'invalid']);
    await expect(reports()).resolves.toEqual([]);
    expect((await link.post('reports', at(24 * hour))).statusCode).toBe(201);
  });

  it('whose red reading was kept for hours raises it on arrival, in a standby too, and says both times', async () => {
    const standby = { minutes: 30, reason: 'transport' };
    const held = await nurse.call('POST', `/api/v2/patients/${link.patientId}/standby`, standby);
    expect(held.statusCode).toBe(201);
    const body = link.checkIn({ reportedAt: toInstant(test.now() - 23 * hour), readings: { spo2: 91 } });
    expect((await link.post('reports', body)).json<SentCheckIn>().redReadings).toEqual(['spo2']);
    const [alert, ...others] = await open();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ rule: 'home.spo2.red', priority: 'high', condition: 'active', episodes: 1 });
    expect(alert?.sentence).toMatch(
      /^SpO2 91 % ≤ 92 taken at \d\d \w+, \d\d:\d\d, arrived at \d\d:\d\d, red, confirmed/,
    );
    // The same again, as after a lost response, and a restart.
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await test.server.alerts.evaluateClock();
    await expect(open()).resolves.toMatchObject([{ id: alert?.id, condition: 'active', episodes: 1 }]);
    await send({ readings: { spo2: 97 } });
    await expect(open()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended', latched: true }]);
  });

  it('is opened, sent and answered beside a report whose stored time is damaged', async () => {
    await link.post('reports', link.checkIn());
    const reported = test.now();
    const damaged = { reported_at: 9_000_000_000_000_000 };
    test.advance(60_000);
    await link.post('reports', link.checkIn());
    const newest = (await reports())[0]?.id ?? 0;
    await test.store.db.updateTable('symptom_reports').set(damaged).where('id', '=', newest).execute();
    const opened = await link.post('open');
    expect([opened.statusCode, opened.json()]).toMatchObject([200, { lastReportAt: toInstant(reported) }]);
    const answer = await link.post('reports', link.checkIn({ redFlags: ['blueLips'] }));
    expect([answer.statusCode, answer.json<SentCheckIn>().redFlags]).toEqual([201, ['blueLips']]);
  });

  it('with a red flag is never too old: it counts as made when it arrives, and its readings for no time', async () => {
    const body = link.checkIn({
      reportedAt: toInstant(test.now() - 48 * hour),
      redFlags: ['blueLips'],
      readings: { spo2: 97 },
    });
    const answer = await link.post('reports', body);
    expect([answer.statusCode, answer.json<SentCheckIn>().redFlags]).toEqual([201, ['blueLips']]);
    const [report] = await reports();
    expect(report).toMatchObject({ reportedAt: toInstant(test.now()), readings: { spo2: 97 } });
    await expect(open()).resolves.toMatchObject([{ priority: 'high' }]);
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await expect(reports()).resolves.toHaveLength(1);
    await expect(samples()).resolves.toEqual([]);
  });

  it('is refused with another content under the same id, and neither is stored twice', async () => {
    const body = link.checkIn({ readings: { spo2: 97, weight: 71.5 }, answers: { cough: 'mild', fever: 'absent' } });
    const first = await link.post('reports', body);
    test.advance(7_000);
    // The same again, as after a lost response: sent later, in another order.
    const again = { ...body, sentAt: toInstant(test.now()), answers: { fever: 'absent', cough: 'mild' } };
    const second = await link.post('reports', again);
    expect([second.statusCode, second.body]).toEqual([201, first.body]);
    for (const change of [{ answers: { cough: 'severe' } }, { readings: { spo2: 88, weight: 71.5 } }]) {
      expect(codeOf(await link.post('reports', { ...again, ...change }))).toEqual([409, 'report_exists']);
    }
    const [report, ...others] = await reports();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      source: 'patient',
      recordedBy: null,
      answers: { cough: 'mild', fever: 'absent' },
      readings: { spo2: 97, weight: 71.5 },
    });
    expect((await samples()).map(({ value }) => value)).toEqual([97, 71.5]);
  });

  it('is not stored if the patient was discharged after the link was found', async () => {
    const { db } = test.store;
    const row = await db.selectFrom('check_in_links').selectAll().where('id', '=', link.id).executeTakeFirstOrThrow();
    const patient = test.server.liveState.patients.get(link.patientId);
    if (patient === undefined) {
      throw new Error('No patient');
    }
    await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, state: 'discharged' });
    const body = newCheckIn.parse({ ...link.checkIn({ redFlags: ['blueLips'] }), secret: link.secret, yearOfBirth });
    await expect(
      sendReport(test.server, test.now(), { ...system, siteId: site }, { link: row, patient }, body),
    ).rejects.toMatchObject({ status: 404, code: 'link_unusable' });
    await expect(reports()).resolves.toEqual([]);
  });

  it('sent ten times at once is one report', async () => {
    const body = link.checkIn({ readings: { spo2: 97 } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => link.post('reports', body)));
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1);
    await expect(reports()).resolves.toHaveLength(1);
    await expect(samples()).resolves.toHaveLength(1);
  });

  it('has its readings stored if the server stopped before them, when it is sent again', async () => {
    const body = link.checkIn({ readings: { spo2: 97 } });
    await link.post('reports', body);
    await test.store.db.deleteFrom('samples').where('patient_id', '=', link.patientId).execute();
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await expect(samples()).resolves.toMatchObject([{ value: 97 }]);
  });

  it.each([
    ['right', 0],
    ['three hours fast', 3 * hour],
    ['two days slow', -48 * hour],
  ])('counts for the time at which it was made if the clock of the phone is %s', async (_, wrongBy) => {
    const phone = (ms: number) => toInstant(test.now() + wrongBy + ms);
    const body = link.checkIn({ reportedAt: phone(-5 * hour), sentAt: phone(0), readings: { spo2: 97 } });
    expect((await link.post('reports', body)).statusCode).toBe(201);
    const takenAt = test.now() - 5 * hour;
    expect((await reports())[0]?.reportedAt).toBe(toInstant(takenAt));
    expect((await samples())[0]).toMatchObject({ taken_at: takenAt, offset_ms: 0 });
  });

  it('sent again after someone has set the clock is the same report with the same readings', async () => {
    const body = link.checkIn({ readings: { spo2: 97, pulseRate: 70 } });
    expect((await link.post('reports', body)).statusCode).toBe(201);
    for (const step of [-2 * hour, 5 * hour, -3 * hour]) {
      test.setWallClock(step);
      await test.server.clockWatch.check();
      const again = await Promise.all(
        Array.from({ length: 5 }, () => link.post('reports', { ...body, sentAt: toInstant(test.now()) })),
      );
      expect(again.map(({ statusCode }) => statusCode)).toEqual(again.map(() => 201));
      await expect(samples()).resolves.toHaveLength(2);
    }
    nurse = await test.signIn(site, 'nurse');
    await expect(reports()).resolves.toHaveLength(1);
  });

  it('has its readings stored once if the server stopped before them and someone set the clock', async () => {
    const fails = jest.spyOn(test.server.recorder, 'record').mockRejectedValueOnce(new Error('disk full'));
    const body = link.checkIn({ readings: { spo2: 97 } });
    expect((await link.post('reports', body)).statusCode).toBe(500);
    fails.mockRestore();
    test.setWallClock(-2 * hour);
    await test.server.clockWatch.check();
    expect((await link.post('reports', body)).statusCode).toBe(201);
    const [sample, ...others] = await samples();
    expect([sample?.value, others]).toEqual([97, []]);
    // As old as the report, by the clock as it is now.
    expect((sample?.taken_at ?? 0) + (sample?.offset_ms ?? 0)).toBeLessThanOrEqual(test.now());
    test.setWallClock(2 * hour);
    await test.server.clockWatch.check();
    nurse = await test.signIn(site, 'nurse');
  });

  it.each([
    ['slow', -24 * hour],
    ['fast', 24 * hour],
  ])('from a phone whose clock is a day %s has the time of the ward, its readings too', async (_, wrongBy) => {
    const at = (ms: number) => toInstant(test.now() + wrongBy - ms);
    await send({ reportedAt: at(2 * hour), sentAt: at(0), readings: { spo2: 97 } });
    const made = test.now() - 2 * hour;
    expect((await reports())[0]?.reportedAt).toBe(toInstant(made));
    expect((await samples()).map(({ taken_at }) => taken_at)).toEqual([made]);
  });

  it('never lies in the future', async () => {
    await send({ reportedAt: toInstant(test.now() + 48 * hour) });
    expect((await reports())[0]?.reportedAt).toBe(toInstant(test.now()));
  });

  it('with a red flag says at once whom to call, and raises its alert at once', async () => {
    const sent = await send({ answers: { haemoptysis: 'mild' }, redFlags: ['blueLips'] });
    expect(sent).toMatchObject({
      redFlags: ['blueLips', 'coughingBlood'],
      redReadings: [],
      advice: 'Call 112 now. Do not wait for us.',
    });
    await expect(open()).resolves.toMatchObject([{ rule: 'symptoms.red_flag', priority: 'high' }]);
  });

  it('with a RED reading says so by the scale of the patient, and raises its alert at once', async () => {
    await expect(send({ readings: { spo2: 93, pulseRate: 130 } })).resolves.toMatchObject({
      redReadings: [],
      advice: null,
    });
    const sent = await send({ readings: { spo2: 92, pulseRate: 131, respiratoryRate: 25 } });
    expect(sent).toMatchObject({ redReadings: ['spo2', 'pulseRate', 'respiratoryRate'] });
    expect(sent.advice).toBe('Call 112 now. Do not wait for us.');
    expect((await open()).filter(({ priority }) => priority === 'high').map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['home.spo2.red', 'home.rate.red', 'home.respiratoryRate.red']),
    );
    const patientId = await test.addPatient(site, {
      profile: 'home',
      spo2Scale: 2,
      dateOfBirth: `${yearOfBirth}-02-11`,
    });
    link = await checkInLink(test, nurse, { patientId });
    await expect(send({ readings: { spo2: 86 } })).resolves.toMatchObject({ redReadings: [] });
    await expect(send({ readings: { spo2: 85 } })).resolves.toMatchObject({ redReadings: ['spo2'] });
  });

  it('shows its readings on the ward as typed in by the patient, and their source is the link', async () => {
    await send({ readings: { spo2: 97 } });
    const read = await nurse.call('GET', `/api/v2/patients/${link.patientId}`);
    expect(read.json()).toMatchObject({ latest: { spo2: { value: 97, source: 'manual (patient)' } } });
    expect((await samples())[0]?.device_id).toBe(-1_000_000_000_000 - link.id);
    const window = new URLSearchParams({
      kind: 'spo2',
      from: toInstant(test.now() - 60_000),
      to: toInstant(test.now()),
    });
    const charted = await nurse.call('GET', `/api/v2/patients/${link.patientId}/vitals?${window}`);
    expect(charted.json()).toMatchObject({ series: [{ points: [{ value: 97, isManual: true, isByPatient: true }] }] });
  });

  it.each([
    ['readings', { readings: { ...emptyCheckIn.readings, spo2: '97' } }],
    ['a score of breathlessness', { breathlessness: 10 }],
  ])('with %s alone ends nothing that was said of symptoms before, and hides no red flag', async (_, typed) => {
    await send({ answers: { dizziness: 'severe' }, redFlags: ['blueLips'], sinceYesterday: 'worse' });
    const amber = await checkInLink(test, nurse);
    await amber.post('reports', amber.checkIn({ answers: { dizziness: 'severe' }, sinceYesterday: 'worse' }));
    test.advance(60_000);
    const nothing = answersOf({ ...emptyCheckIn, ...typed });
    await send(nothing);
    expect((await amber.post('reports', amber.checkIn(nothing))).statusCode).toBe(201);
    const shown = () => test.server.liveState.symptoms.shown(link.patientId);
    expect(shown()).toMatchObject({ worst: { symptom: 'dizziness', grade: 3 }, redFlags: ['blueLips'] });
    link = amber;
    await expect(open()).resolves.toMatchObject([{ rule: 'symptoms.amber', condition: 'active' }]);
  });

  it('opens with initials, the ward and the limits, and nothing else of the patient', async () => {
    await test.store.db
      .updateTable('sites')
      .set({ out_of_hours_text: 'Ward hours 8 to 20', check_in_times: '09:00,21:00' })
      .where('id', '=', site)
      .execute();
    await send({});
    const opened = await link.post('open');
    expect([opened.statusCode, opened.json()]).toEqual([
      200,
      {
        initials: 'SS',
        siteName: 'Harbour ward',
        for: 'patient',
        emergencyNumber: '112',
        outOfHoursText: 'Ward hours 8 to 20',
        timeZone: 'Europe/London',
        dueTimes: ['09:00', '21:00'],
        nextDueAt: expect.stringMatching(/T(08|20):00:00\.000Z$/) as string,
        expiresAt: expect.any(String) as string,
        scale: 1,
        isUnder16: false,
        red: {
          spo2: [{ is: 'atMost', value: 92 }],
          pulseRate: [
            { is: 'atMost', value: 40 },
            { is: 'atLeast', value: 131 },
          ],
          respiratoryRate: [
            { is: 'atMost', value: 8 },
            { is: 'atLeast', value: 25 },
          ],
        },
        lastReportAt: toInstant(test.now()),
      } satisfies OpenedCheckIn,
    ]);
    await test.store.db
      .updateTable('sites')
      .set({ out_of_hours_text: null, check_in_times: '08:00,14:00,20:00' })
      .where('id', '=', site)
      .execute();
  });

  it('sets no cookie and needs none, and counts for the link also in a browser where staff are signed in', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/check-in/reports',
      cookies: nurse.cookies,
      payload: { secret: link.secret, yearOfBirth, ...link.checkIn() },
    });
    expect([answer.statusCode, answer.cookies]).toEqual([201, []]);
    const rows = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'send_check_in')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows).toMatchObject([
      {
        actor: 'anonymous',
        actor_id: null,
        site_id: site,
        object_id: link.patientId,
        details: `{"link":${link.id},"for":"patient"}`,
      },
    ]);
  });

  it('leaves its secret in no log and no audit, whatever is wrong with the call', async () => {
    const url = '/api/v2/check-in/reports';
    const json = { 'content-type': 'application/json' };
    await link.post('open', { yearOfBirth: 1900 });
    await link.post('open', { yearOfBirth: 'soon' });
    await link.post('reports', { ...link.checkIn(), [link.secret]: link.secret });
    await test.app.inject({ method: 'POST', url, headers: json, payload: `{"secret":"${link.secret}",` });
    await test.app.inject({ method: 'POST', url, headers: json, payload: `"${link.secret}"` });
    await test.app.inject({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload: link.secret });
    await test.app.inject({ method: 'POST', url: `${url}?secret=${link.secret}`, payload: link.checkIn() });
    await link.post('open');
    await send({ redFlags: ['blueLips'] });
    const audits = await test.store.db.selectFrom('audit').selectAll().execute();
    const metrics = await test.app.inject('/metrics');
    expect(`${JSON.stringify(test.logLines)}${JSON.stringify(audits)}${metrics.body}`).not.toContain(link.secret);
    const rows = audits.filter(({ object_id }) => object_id === link.patientId);
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['create_check_in_link', 'open_check_in', 'send_check_in']),
    );
    expect(JSON.stringify(rows)).not.toMatch(/blueLips|cough/);
  });

  it('keeps its link when the patient moves, and reaches the ward where they are then', async () => {
    const unit = await test.addUnit(site);
    const { name = '' } = test.server.liveState.units.get(unit) ?? {};
    const move = { version: 1, location: { unit: name, bed: 'B2' } };
    expect((await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, move)).statusCode).toBe(200);
    expect((await link.post('reports', link.checkIn({ redFlags: ['seizure'] }))).statusCode).toBe(201);
    await expect(open()).resolves.toMatchObject([{ rule: 'symptoms.red_flag', patient: { unit: name } }]);
  });

  it('is stored under an id of its own for each link', async () => {
    const clientId = randomUUID();
    const other = await checkInLink(test, nurse, { patientId: link.patientId, for: 'proxy' });
    expect((await link.post('reports', link.checkIn({ clientId }))).statusCode).toBe(201);
    expect((await other.post('reports', link.checkIn({ clientId, answers: { fever: 'mild' } }))).statusCode).toBe(201);
    expect((await reports()).map(({ source }) => source).sort()).toEqual(['patient', 'proxy']);
  });
});

describe.each(apiEngines)('the alerts of check-ins on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterAll(() => test.stop());

  const records = (rule: string) =>
    test.server.alerts
      .listOpen(site)
      .filter(({ patientId, alert }) => patientId === link.patientId && alert.rule === rule);
  const calls = () => records('symptoms.callRequested');
  const askForCall = async (clientId: string = randomUUID()) => {
    const answer = await link.post('call-requests', { clientId, sentAt: toInstant(test.now()) });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<{ requestedAt: string }>();
  };
  const resolve = async (id: number): Promise<void> => {
    const version = test.server.alerts.find(id)?.alert.version ?? 0;
    const answer = await nurse.call('POST', `/api/v2/alerts/${id}/resolve`, { version, outcome: 'intervention' });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  };
  const tick = () => test.server.alerts.evaluateClock();

  describe('a red flag of a check-in', () => {
    const body = () => link.checkIn({ redFlags: ['blueLips'], readings: { spo2: 97 } });
    const flags = () => records('symptoms.red_flag');
    afterEach(() => jest.restoreAllMocks());

    it('is raised also if its readings cannot be stored', async () => {
      jest.spyOn(test.server.recorder, 'record').mockRejectedValueOnce(new Error('disk full'));
      expect((await link.post('reports', body())).statusCode).toBe(500);
      expect(flags()).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
    });

    it('is raised by the next tick if it could not be evaluated, and no phone sends it again', async () => {
      const queue = jest.spyOn(test.store, 'writeQueue').mockRejectedValueOnce(new Error('disk full'));
      expect((await link.post('reports', body())).statusCode).toBe(500);
      expect(queue).toHaveBeenCalledTimes(1);
      expect(flags()).toEqual([]);
      await tick();
      expect(flags()).toMatchObject([{ alert: { priority: 'high', condition: 'active' } }]);
    });
  });

  describe('a request for a call', () => {
    it('is HIGH at once, beside a red flag, and once for one id', async () => {
      await link.post('reports', link.checkIn({ redFlags: ['blueLips'] }));
      const clientId = randomUUID();
      const first = await askForCall(clientId);
      test.advance(5_000);
      await expect(askForCall(clientId)).resolves.toEqual(first);
      expect(calls()).toMatchObject([{ alert: { priority: 'high', condition: 'active', episodes: 1 } }]);
      expect(records('symptoms.red_flag')).toHaveLength(1);
    });

    it('is raised again by a second one, also after it was acknowledged, and asks on', async () => {
      await askForCall();
      const [record] = calls();
      await nurse.call('POST', `/api/v2/alerts/${record?.id}/acknowledge`, { version: record?.alert.version });
      expect(calls()[0]?.alert.acknowledged).not.toBeNull();
      // Sooner it joins the alert (budget.test).
      test.advance(5 * 60_000);
      await askForCall();
      expect(calls()).toMatchObject([{ id: record?.id, alert: { episodes: 2, acknowledged: null } }]);
      test.advance(30 * 60_000);
      await tick();
      expect(calls()[0]?.alert.escalation.step).toBeGreaterThan(0);
    });

    it('lasts until a person ends it: no check-in, no restart and no day does', async () => {
      await askForCall();
      await link.post('reports', link.checkIn({ sinceYesterday: 'better' }));
      test.advance(26 * hour);
      await test.restart();
      await tick();
      expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      await tick();
      expect(calls()).toEqual([]);
      await test.restart();
      await tick();
      expect(calls()).toEqual([]);
      test.advance(60_000);
      await askForCall();
      expect(calls()).toMatchObject([{ alert: { condition: 'active', priority: 'high' } }]);
    });

    it('is raised after a crash between its row and its alert, and after the rules forgot what they knew', async () => {
      await test.store.db
        .insertInto('check_in_calls')
        .values({
          site_id: site,
          patient_id: link.patientId,
          link_id: link.id,
          client_id: randomUUID(),
          requested_at: test.now(),
        })
        .execute();
      await test.restart();
      await tick();
      expect(calls()).toHaveLength(1);
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      await test.store.db
        .updateTable('rule_states')
        .set({ state: 'lost' })
        .where('patient_id', '=', link.patientId)
        .execute();
      await test.restart();
      await tick();
      expect(calls()).toEqual([]);
    });

    it('is not held back by a standby, and goes along when the patient comes to the ward', async () => {
      const standby = { minutes: 30, reason: 'transport' };
      const held = await nurse.call('POST', `/api/v2/patients/${link.patientId}/standby`, standby);
      expect([held.statusCode, held.body]).toEqual([201, expect.any(String)]);
      await askForCall();
      expect(calls()).toHaveLength(1);
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, profile: 'continuous' });
      await tick();
      expect(calls()).toMatchObject([{ alert: { condition: 'active' } }]);
    });

    it('ends with the discharge, stays listed until it is seen, and does not come back with the patient', async () => {
      await askForCall();
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 1, state: 'discharged' });
      await tick();
      const unseen = [{ alert: { episodes: 1, condition: 'ended', acknowledged: null } }];
      expect(calls()).toMatchObject(unseen);
      await nurse.call('PATCH', `/api/v2/patients/${link.patientId}`, { version: 2, state: 'active' });
      await tick();
      expect(calls()).toMatchObject(unseen);
    });

    it('stays one alert when someone sets the clock', async () => {
      await askForCall();
      for (const step of [-2 * hour, 3 * hour]) {
        test.setWallClock(step);
        await test.server.clockWatch.check();
        await tick();
        expect(calls()).toMatchObject([{ alert: { episodes: 1, condition: 'active' } }]);
      }
      nurse = await test.signIn(site, 'nurse');
      await resolve(calls()[0]?.id ?? 0);
      for (const step of [-26 * hour, 25 * hour]) {
        test.setWallClock(step);
        await test.server.clockWatch.check();
        await tick();
        expect(calls()).toEqual([]);
      }
    });
  });

  describe('a link that wrong years lock', () => {
    const lock = async (): Promise<void> => {
      for (let tries = 0; tries < 5; tries += 1) {
        await link.post('open', { yearOfBirth: 1900 + tries });
      }
    };
    const news = () => records('checkIn.locked').map(({ alert }) => [alert.priority, alert.condition]);

    it('is news to the ward at once, after a restart as well, and not before the fifth', async () => {
      for (let tries = 0; tries < 4; tries += 1) {
        await link.post('open', { yearOfBirth: 1900 });
      }
      expect(news()).toEqual([]);
      await link.post('open', { yearOfBirth: 1900 });
      expect(news()).toEqual([['medium', 'active']]);
      await test.restart();
      await tick();
      expect(news()).toEqual([['medium', 'active']]);
    });

    it('stays news while only the proxy has a new link, or no one has opened the new one', async () => {
      await lock();
      test.advance(1_000);
      const proxy = await checkInLink(test, nurse, { patientId: link.patientId, for: 'proxy' });
      await proxy.post('open');
      const own = await checkInLink(test, nurse, { patientId: link.patientId });
      await tick();
      expect(news()).toEqual([['medium', 'active']]);
      expect((await own.post('open')).statusCode).toBe(200);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
    });

    it('is over with a new link that opens, with its revocation, or when a person says so', async () => {
      await lock();
      test.advance(1_000);
      const another = await checkInLink(test, nurse, { patientId: link.patientId });
      await another.post('open');
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      // The new one is revoked: what is known of the old one is not new.
      await nurse.call('POST', `/api/v2/check-in-links/${another.id}/revoke`);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      link = await checkInLink(test, nurse);
      await lock();
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      expect(news().filter(([, condition]) => condition === 'active')).toEqual([]);
      link = await checkInLink(test, nurse);
      await lock();
      await resolve(records('checkIn.locked')[0]?.id ?? 0);
      await tick();
      expect(news()).toEqual([]);
    });
  });

  describe('check-ins that do not come', () => {
    const missed = () =>
      test.server.alerts
        .listOpen(site)
        .filter(({ patientId, alert }) => patientId === link.patientId && alert.parameter === 'readings')
        .map(({ alert }) => [alert.rule, alert.priority, alert.condition]);
    /** Moves to an hour of a day in London. */
    const goTo = async (day: number, hours: number, minutes = 0): Promise<void> => {
      test.advance(Date.UTC(2026, 4, day, hours - 1, minutes) - test.now());
      await tick();
    };
    let day = 4;
    beforeEach(async () => {
      day += 3;
      await goTo(day, 7, 50);
      nurse = await test.signIn(site, 'nurse');
      link = await checkInLink(test, nurse);
    });

    it('raise LOW two hours after the first and MEDIUM two hours after the second, also while it is down', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 15, 59);
      expect(missed()).toEqual([]);
      // What came due while the server was down is raised at its first look.
      test.advance(60_000);
      await test.restart();
      await tick();
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
      await test.restart();
      await goTo(day, 22);
      expect(missed()).toEqual([['readings.silent', 'medium', 'active']]);
      await link.post('reports', link.checkIn({ answers: {}, readings: { spo2: 97 } }));
      await tick();
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
    });

    it('are answered by symptoms without readings, and no longer if these were entered in error', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 13, 30);
      await link.post('reports', link.checkIn());
      await goTo(day, 16);
      expect(missed()).toEqual([]);
      nurse = await test.signIn(site, 'nurse');
      const [report] = (await nurse.call('GET', `/api/v2/patients/${link.patientId}/symptoms`)).json<{
        items: { id: number }[];
      }>().items;
      await nurse.call('POST', `/api/v2/symptoms/${report?.id}/entered-in-error`, { reason: 'Another patient' });
      await tick();
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
    });

    it('follow the times of the site from the moment when they are changed', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 16);
      const admin = await test.signIn(site, 'administrator', true);
      const change = async (checkInTimes: string[]) => {
        const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
        expect((await admin.call('PATCH', '/api/v2/admin/site', { version, checkInTimes })).statusCode).toBe(200);
      };
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
      await change(['20:00', '08:00']);
      await tick();
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
      await change(['08:00', '14:00', '20:00']);
    });

    it('count by the interval as before without a link, and after it has expired', async () => {
      await link.post('reports', link.checkIn({ readings: { spo2: 97 } }));
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      await goTo(day, 17, 49);
      expect(missed()).toEqual([]);
      await goTo(day, 17, 50);
      expect(missed()).toEqual([['readings.missed', 'low', 'active']]);
    });

    it('are not missed because the link of someone who sends symptoms alone is revoked', async () => {
      await link.post('reports', link.checkIn());
      await goTo(day, 17, 30);
      await link.post('reports', link.checkIn());
      nurse = await test.signIn(site, 'nurse');
      await nurse.call('POST', `/api/v2/check-in-links/${link.id}/revoke`);
      await goTo(day, 19);
      expect(missed().filter(([, , condition]) => condition === 'active')).toEqual([]);
    });
  });
});

describe.each(apiEngines)('the readings of a check-in that was entered in error on %s', (engine) => {
  const minute = 60_000;
  const hour = 60 * minute;
  const reason = 'Entered for another person';

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let link: TestLink;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await allowLinks(test, site);
  });
  beforeEach(async () => {
    test.advance(9 * hour);
    nurse = await test.signIn(site, 'nurse');
    link = await checkInLink(test, nurse);
  });
  afterEach(() => jest.restoreAllMocks());

  const later = async (ms: number): Promise<void> => {
    test.advance(ms);
    // The session ends with the time.
    nurse = await test.signIn(site, 'nurse');
  };
  const tick = () => test.server.alerts.evaluateClock();
  const catchUp = () => test.server.rollups.catchUp(test.server.recorder.inFlight);
  /** Sends a check-in and resolves with its body and the id of its report. */
  const send = async (readings: object) => {
    const body = link.checkIn({ answers: {}, readings });
    const answer = await link.post('reports', body);
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return { body, id: await newestReport() };
  };
  const newestReport = async (): Promise<number> => {
    const listed = await nurse.call('GET', `/api/v2/patients/${link.patientId}/symptoms`);
    return listed.json<{ items: { id: number }[] }>().items[0]?.id ?? 0;
  };
  const mark = async (id: number): Promise<number> =>
    (await nurse.call('POST', `/api/v2/symptoms/${id}/entered-in-error`, { reason })).statusCode;
  const latest = async (): Promise<Record<string, unknown>> => {
    const read = await nurse.call('GET', `/api/v2/patients/${link.patientId}`);
    const values = read.json<{ latest: Record<string, { value: number }> }>().latest;
    return Object.fromEntries(Object.entries(values).map(([kind, { value }]) => [kind, value]));
  };
  const charted = async (kind: string, hours = 1): Promise<unknown[]> => {
    const window = new URLSearchParams({
      kind,
      from: toInstant(test.now() - hours * hour),
      to: toInstant(test.now()),
    });
    const read = await nurse.call('GET', `/api/v2/patients/${link.patientId}/vitals?${window}`);
    expect([read.statusCode, read.body]).toEqual([200, expect.any(String)]);
    return read.json<VitalsResponse>().series.flatMap(({ points }): unknown[] => points);
  };
  const alertOf = (parameter: string) =>
    test.server.alerts
      .listOpen(site)
      .find(({ patientId, alert }) => patientId === link.patientId && alert.parameter === parameter)?.alert;
  const acknowledge = async (parameter: string): Promise<void> => {
    const record = test.server.alerts
      .listOpen(site)
      .find(({ patientId, alert }) => patientId === link.patientId && alert.parameter === parameter);
    const version = record?.alert.version;
    expect((await nurse.call('POST', `/api/v2/alerts/${record?.id}/acknowledge`, { version })).statusCode).toBe(200);
  };

  it('are no latest values and no points of a chart any more, and what they raised is withdrawn', async () => {
    const { id } = await send({ spo2: 84, temperature: 37 });
    await expect(latest()).resolves.toEqual({ spo2: 84, temperature: 37 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    test.advance(3 * minute);
    await expect(mark(id)).resolves.toBe(200);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true, latched: true });
    await expect(latest()).resolves.toEqual({});
    await expect(charted('spo2')).resolves.toEqual([]);
    await catchUp();
    await expect(charted('spo2', 9)).resolves.toEqual([]);
    await expect(charted('temperature')).resolves.toEqual([]);
    await acknowledge('spo2');
    expect(alertOf('spo2')).toBeUndefined();
  });

  it('stay on record with what they were, and the audit names their kinds and no value', async () => {
    const { id } = await send({ spo2: 84 });
    await mark(id);
    const { db } = test.store;
    const kept = await db
      .selectFrom('sample_corrections')
      .selectAll()
      .where('patient_id', '=', link.patientId)
      .execute();
    expect(kept).toMatchObject([{ old_value: 84, old_quality: 0, replaced_at: test.now() }]);
    const [row] = await db
      .selectFrom('audit')
      .select(['actor_id', 'details'])
      .where('object_id', '=', link.patientId)
      .where('action', '=', 'mark_symptoms_in_error')
      .execute();
    expect([row?.actor_id, JSON.parse(row?.details ?? '')]).toEqual([nurse.userId, { report: id, kinds: ['spo2'] }]);
  });

  it('are named in the file of the vital signs, whose column of values leaves them out', async () => {
    const { id } = await send({ spo2: 84 });
    await mark(id);
    const physician = await test.signIn(site, 'physician');
    const file = await physician.call('GET', `/api/v2/patients/${link.patientId}/export?kind=vitals`);
    const [head = [], row = []] = parseCsv(file.body.slice(1));
    const cell = (name: string) => row[head.indexOf(name)];
    expect(['kind', 'value', 'quality', 'value_before_correction', 'corrected_utc'].map(cell)).toEqual([
      'spo2',
      '',
      'entered in error',
      '84',
      toInstant(test.now()),
    ]);
  });

  it('leave the value before them, and the alert that it raised', async () => {
    await send({ spo2: 91 });
    await later(5 * hour);
    await tick();
    await catchUp();
    const { id } = await send({ spo2: 80 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    await later(hour);
    await mark(id);
    await expect(latest()).resolves.toEqual({ spo2: 91 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', isWithdrawn: false });
  });

  it('are not what a later weight is compared with', async () => {
    const { id } = await send({ weight: 61 });
    await later(20 * hour);
    await send({ weight: 81 });
    expect(alertOf('weight')).toMatchObject({ priority: 'medium', condition: 'active' });
    await mark(id);
    expect(alertOf('weight')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ weight: 81 });
  });

  it('do not come back after a restart, or when the phone sends the check-in again', async () => {
    const { body, id } = await send({ spo2: 84 });
    await mark(id);
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await tick();
    await expect(latest()).resolves.toEqual({});
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await catchUp();
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await expect(latest()).resolves.toEqual({});
  });

  it('do not count if the report was marked before they were stored', async () => {
    jest.spyOn(test.server.recorder, 'record').mockRejectedValueOnce(new Error('disk full'));
    const body = link.checkIn({ answers: {}, readings: { spo2: 84 } });
    expect((await link.post('reports', body)).statusCode).toBe(500);
    await mark(await newestReport());
    expect((await link.post('reports', body)).statusCode).toBe(201);
    await expect(latest()).resolves.toEqual({});
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
  });

  it('are withdrawn by the same call again, or by the next start, if the server failed between the two', async () => {
    const first = await send({ spo2: 84 });
    const fails = () => jest.spyOn(test.server.recorder, 'withdraw').mockRejectedValueOnce(new Error('disk full'));
    fails();
    await expect(mark(first.id)).resolves.toBe(500);
    expect(alertOf('spo2')).toMatchObject({ condition: 'active' });
    await expect(mark(first.id)).resolves.toBe(200);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended' });
    test.advance(minute);
    const second = await send({ spo2: 83 });
    expect(alertOf('spo2')).toMatchObject({ condition: 'active' });
    fails();
    await expect(mark(second.id)).resolves.toBe(500);
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({});
  });

  it.each(['home', 'continuous'] as const)(
    'end no alert that another red reading of a patient justifies, on the profile %s',
    async (profile) => {
      const patientId = await test.addPatient(site, { profile, dateOfBirth: '1958-02-11' });
      link = await checkInLink(test, nurse, { patientId });
      await send({ spo2: 84 });
      const raised = alertOf('spo2');
      await later(3 * minute);
      const { id } = await send({ spo2: 83 });
      await later(3 * minute);
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await mark(id);
      expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', since: raised?.since });
      await tick();
      expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active', isWithdrawn: false });
    },
  );

  it('of a patient on the ward raise nothing any more, and values of the monitor go on', async () => {
    const { token } = await test.addDevice(site);
    const patientId = await test.addPatient(site, { profile: 'continuous', dateOfBirth: '1958-02-11' });
    link = await checkInLink(test, nurse, { patientId });
    const samples = (value: number) => [
      { patientId, kind: 'pulseRate', value, takenAt: toInstant(test.now()), quality: 'good' },
    ];
    const { id } = await send({ spo2: 70, pulseRate: 80 });
    expect(alertOf('spo2')).toMatchObject({ priority: 'high', condition: 'active' });
    // Beyond the time in which a value may be evaluated again.
    for (let second = 0; second < 5; second += 1) {
      test.advance(30_000);
      await test.ingest(token, samples(82), { sentAt: toInstant(test.now()) });
    }
    await mark(id);
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ pulseRate: 82 });
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await tick();
    expect(alertOf('spo2')).toMatchObject({ condition: 'ended', isWithdrawn: true });
    await expect(latest()).resolves.toEqual({ pulseRate: 82 });
  });
});
