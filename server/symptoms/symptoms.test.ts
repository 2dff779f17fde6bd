import type { PatientsPage } from '../../lib/patients/schema';
import type { SymptomReport } from '../../lib/symptoms/schema';
import { symptomStripResponse, type SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { symptomsTodayPage, type SymptomsTodayPage } from '../../lib/symptoms/todaySchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { parseCsv } from '../../test/parseCsv';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { AlertFaults } from '../alerts/alertFaults';
import { loadWard } from '../loadWard';
import { type BoardReport, SymptomBoard } from './symptomBoard';

const hour = 3_600_000;

describe.each(apiEngines)('the symptoms of a chart on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    patient = await test.addPatient(site);
  });

  const urlOf = (from: number, to: number, id = patient): string =>
    `/api/v2/patients/${id}/symptom-strip?from=${toInstant(from)}&to=${toInstant(to)}`;
  const read = async (from: number, to: number, id = patient): Promise<SymptomStripResponse> => {
    const response = await nurse.call('GET', urlOf(from, to, id));
    expect(response.statusCode).toBe(200);
    return symptomStripResponse.parse(response.json());
  };
  const report = async (ago: number, body: object): Promise<void> => {
    const reportedAt = toInstant(test.now() - ago);
    const response = await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, { ...body, reportedAt });
    expect(response.statusCode).toBe(201);
  };

  it('are refused to another site, and for a time that ends before it begins or is too long', async () => {
    const now = test.now();
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('GET', urlOf(now - hour, now))).statusCode).toBe(404);
    expect((await nurse.call('GET', urlOf(now, now - 1))).statusCode).toBe(400);
    expect((await nurse.call('GET', urlOf(now - 401 * 24 * hour, now))).statusCode).toBe(400);
    expect((await nurse.call('GET', `/api/v2/patients/${patient}/symptom-strip`)).statusCode).toBe(400);
  });

  it('are of the same view as the list of reports, which is recorded once', async () => {
    const now = test.now();
    await nurse.call('GET', `/api/v2/patients/${patient}/symptoms`);
    await read(now - hour, now);
    await read(now - 24 * hour, now);
    const views = await test.store.db
      .selectFrom('audit')
      .select('action')
      .where('actor_id', '=', nurse.userId)
      .where('object_id', '=', patient)
      .execute();
    expect(views).toEqual([{ action: 'read_symptoms' }]);
  });

  it('are each report at its time, compared with what was said before, and of no other patient', async () => {
    const now = test.now();
    await report(20 * hour, { answers: { cough: 'mild' } });
    await report(2 * hour, { answers: { cough: 'moderate', fever: 'unanswered' }, redFlags: ['blueLips'] });
    await report(hour, { answers: { fever: 'absent' } });
    const strip = await read(now - 12 * hour, now);
    expect(strip).toMatchObject({
      patientId: patient,
      isDaily: false,
      columns: [
        { at: toInstant(now - 2 * hour), reports: 1, redFlags: ['blueLips'] },
        { at: toInstant(now - hour), reports: 1, redFlags: [] },
      ],
      rows: [
        { symptom: 'cough', cells: '2.', change: 'worse' },
        { symptom: 'fever', cells: 'u0', change: null },
      ],
      reported: [
        { at: toInstant(now - hour), hasRedFlag: false },
        { at: toInstant(now - 2 * hour), hasRedFlag: true },
      ],
      truncated: false,
    });
    const other = await test.addPatient(site);
    await expect(read(now - 12 * hour, now, other)).resolves.toMatchObject({ patientId: other, columns: [], rows: [] });
  });

  it('say of a report that cannot be read that what it says is unknown, never that there was none', async () => {
    const now = test.now();
    await report(3 * hour, { answers: { cough: 'absent' } });
    await report(2 * hour, { answers: { cough: 'severe' } });
    await report(hour, { answers: { cough: 'absent' } });
    await test.store.db
      .updateTable('symptom_reports')
      .set({ answers: '[["cough","sev' })
      .where('patient_id', '=', patient)
      .where('reported_at', '=', now - 2 * hour)
      .execute();
    await expect(read(now - 12 * hour, now)).resolves.toMatchObject({
      columns: [
        { reports: 1, unreadable: 0 },
        { at: toInstant(now - 2 * hour), reports: 0, unreadable: 1 },
        { reports: 1, unreadable: 0 },
      ],
      rows: [{ symptom: 'cough', cells: '0?0' }],
    });
    const daily = await read(now - 2 * 24 * hour, now);
    expect(daily.columns.map(({ unreadable }) => unreadable).sort()).toEqual([0, 0, 1]);
    expect(daily.rows[0]?.cells).toMatch(/\?/);
    // Reports before the window are compared with: one of these stops nothing either.
    await expect(read(now - 1.5 * hour, now)).resolves.toMatchObject({ rows: [{ cells: '0' }] });
  });

  it('are one column a day from a day on', async () => {
    const now = test.now();
    await report(2 * hour, { answers: { cough: 'mild' } });
    const strip = await read(now - 14 * 24 * hour, now);
    expect(strip.isDaily).toBe(true);
    expect(strip.columns).toHaveLength(15);
    expect(strip.rows[0]?.cells).toMatch(/^\.{13,14}1\.?$/);
  });
});

describe('the newest reports in memory', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const patient = { id: 1, site_id: 7 };
  const report = (id: number, ago: number, change: Partial<BoardReport> = {}): BoardReport => ({
    id,
    reportedAt: now - ago,
    answers: { cough: 'mild' },
    redFlags: [],
    sinceYesterday: null,
    isInError: false,
    ...change,
  });

  it('are the same in whatever order they arrive', () => {
    const reports = [
      report(1, 3 * hour),
      report(2, 2 * hour, { answers: { cough: 'severe' } }),
      report(3, hour, { isInError: true }),
    ];
    const shown = [reports, reports.toReversed()].map((order) => {
      const board = new SymptomBoard(() => undefined);
      for (const each of order) {
        board.take(patient, [each]);
      }
      return board.shown(1);
    });
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({ worst: { symptom: 'cough', grade: 3 }, change: 'worse' });
  });

  it('do not bring back a report that was entered in error', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(patient, [report(1, hour, { isInError: true })]);
    board.take(patient, [report(1, hour)]);
    expect(board.shown(1)).toBeNull();
    expect(board.since(1, 0)).toEqual([]);
  });

  it('keep the day of a patient who reports often, and what came before for one who reports rarely', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(
      patient,
      Array.from({ length: 200 }, (_, index) => report(index, (index * hour) / 4)),
    );
    expect(board.since(1, now - 24 * hour)).toHaveLength(97);
    expect(board.since(1, 0).length).toBeLessThan(200);
    board.take({ id: 2, site_id: 7 }, [
      report(900, hour, { answers: { cough: 'moderate' } }),
      report(901, 24 * 30 * hour),
    ]);
    expect(board.shown(2)?.change).toBe('worse');
  });

  it('say that the site has changed, and which', () => {
    const changed = jest.fn();
    const board = new SymptomBoard(changed);
    board.take(patient, [report(1, hour)]);
    expect(changed.mock.calls).toEqual([[7]]);
    expect([board.version(7), board.version(8)]).toEqual([1, 0]);
  });

  it('move with a step of the clock, there and back', () => {
    const board = new SymptomBoard(() => undefined);
    board.take(patient, [report(1, hour), report(2, 240 * hour)]);
    const before = board.since(1, 0);
    board.moveClock(hour, now + hour);
    expect(board.since(1, 0).map(({ reportedAt }) => reportedAt - now)).toEqual([0, -240 * hour]);
    board.moveClock(-hour, now);
    expect(board.since(1, 0)).toEqual(before);
  });
});

describe.each(apiEngines)('symptoms on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  const urlOf = (id: number): string => `/api/v2/patients/${id}/symptoms`;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
  });

  const kept = async (): Promise<number> =>
    (await test.store.db.selectFrom('symptom_reports').select('id').where('patient_id', '=', patient).execute()).length;
  const ago = (hours: number): string => toInstant(test.now() - hours * 3_600_000);
  const report = async (body: object): Promise<SymptomReport> => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<SymptomReport>();
  };

  it.each([
    [{}, 'answers'],
    [{ answers: {}, redFlags: [] }, 'answers'],
    [{ answers: { hiccups: 'mild' } }, 'hiccups'],
    [{ answers: { cough: 'terrible' } }, 'answers.cough'],
    [{ answers: { cough: null } }, 'answers.cough'],
    [{ breathlessness: 11 }, 'breathlessness'],
    [{ breathlessness: -1 }, 'breathlessness'],
    [{ breathlessness: 2.5 }, 'breathlessness'],
    [{ mmrc: 5 }, 'mmrc'],
    [{ redFlags: ['hunger'] }, 'redFlags.0'],
    [{ sinceYesterday: 'unsure' }, 'sinceYesterday'],
    [{ answers: { cough: 'mild' }, reportedAt: 'today' }, 'reportedAt'],
    [{ answers: { cough: 'mild' }, note: 'free text' }, 'note'],
  ])('are refused as %j', async (body, field) => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)[0]).toBe(field);
    await expect(kept()).resolves.toBe(0);
  });

  it('are refused for a time in the future, except for up to 5 min because clocks differ', async () => {
    const at = (ms: number) => ({ answers: { cough: 'mild' }, reportedAt: toInstant(test.now() + ms) });
    expect((await nurse.call('POST', urlOf(patient), at(300_001))).statusCode).toBe(422);
    await expect(kept()).resolves.toBe(0);
    expect((await nurse.call('POST', urlOf(patient), at(300_000))).statusCode).toBe(201);
  });

  it('are refused for a time more than a day ago, as check-ins are', async () => {
    const at = (ms: number) => ({ answers: { cough: 'mild' }, reportedAt: toInstant(test.now() - ms) });
    for (const body of [at(86_400_001), { ...at(0), reportedAt: '1970-01-01T00:00:00Z' }]) {
      const answer = await nurse.call('POST', urlOf(patient), body);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { error: { fields: { reportedAt: 'is older than a day' } } },
      ]);
    }
    await expect(kept()).resolves.toBe(0);
    const oldest = await report(at(86_400_000));
    test.advance(1);
    await expect(report(at(86_400_001))).resolves.toEqual(oldest);
  });

  it('of a discharged patient are refused', async () => {
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    const answer = await nurse.call('POST', urlOf(patient), { answers: { cough: 'mild' } });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      409,
      'patient_discharged',
    ]);
  });

  it('that were stored before a discharge are the answer to a repeat after it, and not "discharged"', async () => {
    const body = { answers: { cough: 'mild' }, reportedAt: toInstant(test.now()) };
    const stored = await report(body);
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    await expect(report(body)).resolves.toEqual(stored);
    expect((await nurse.call('POST', urlOf(patient), { ...body, answers: { cough: 'severe' } })).statusCode).toBe(409);
    await expect(kept()).resolves.toBe(1);
  });

  it('are refused if the discharge is stored and not yet known in memory', async () => {
    await test.store.db.updateTable('patients').set({ state: 'discharged' }).where('id', '=', patient).execute();
    const answer = await nurse.call('POST', urlOf(patient), { answers: { cough: 'mild' } });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: { code: 'patient_discharged' } }]);
    await expect(kept()).resolves.toBe(0);
  });

  it('are neither shown nor taken where the patient is out of reach', async () => {
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('GET', urlOf(patient))).statusCode).toBe(404);
    expect((await stranger.call('POST', urlOf(patient), { answers: { cough: 'mild' } })).statusCode).toBe(404);
    await expect(kept()).resolves.toBe(0);
  });

  it('are kept with who wrote them down and when, and read back as they were said', async () => {
    const made = await report({
      answers: { cough: 'mild', dyspnoea: 'unanswered', fever: 'absent' },
      breathlessness: 0,
      mmrc: 0,
      sinceYesterday: 'worse',
      reportedAt: ago(2).replace('Z', '+02:00'),
    });
    expect(made).toEqual({
      id: expect.any(Number) as unknown,
      patientId: patient,
      reportedAt: ago(4),
      recordedAt: toInstant(test.now()),
      source: 'staff',
      recordedBy: { id: nurse.userId, name: expect.stringMatching(/^Robin Example\d+$/) as unknown },
      answers: { cough: 'mild', dyspnoea: 'unanswered', fever: 'absent' },
      breathlessness: 0,
      mmrc: 0,
      redFlags: [],
      sinceYesterday: 'worse',
      readings: {},
      inError: null,
      advice: null,
    });
    const listed = await nurse.call('GET', urlOf(patient));
    expect(listed.json()).toEqual({ items: [made], total: 1 });
  });

  it('with a red flag, ticked or said, tell at once what to do', async () => {
    const made = await report({ answers: { haemoptysis: 'mild' }, redFlags: ['blueLips'] });
    expect(made.redFlags).toEqual(['blueLips', 'coughingBlood']);
    expect(made.advice).toBe('Call the local emergency number now. Do not wait for us.');
    const admin = await test.signIn(site, 'administrator', true);
    const { version } = (await admin.call('GET', '/api/v2/admin/site')).json<{ version: number }>();
    await admin.call('PATCH', '/api/v2/admin/site', { version, emergencyNumber: '112' });
    const listed = await nurse.call('GET', urlOf(patient));
    expect(listed.json<{ items: SymptomReport[] }>().items[0]?.advice).toBe('Call 112 now. Do not wait for us.');
  });

  it('sent twice are one report; another one for the same moment is refused and changes nothing', async () => {
    const body = { answers: { cough: 'mild', fever: 'absent' }, reportedAt: ago(4) };
    const first = await report(body);
    test.advance(1_000);
    await expect(report({ ...body, answers: { fever: 'absent', cough: 'mild' } })).resolves.toEqual(first);
    const other = await nurse.call('POST', urlOf(patient), { ...body, answers: { cough: 'severe' } });
    expect([other.statusCode, other.json()]).toMatchObject([409, { error: { code: 'report_exists', id: first.id } }]);
    await expect(kept()).resolves.toBe(1);
  });

  it('by ten who press at once are one report', async () => {
    const body = { answers: { cough: 'mild' }, reportedAt: ago(4) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => nurse.call('POST', urlOf(patient), body)));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    await expect(kept()).resolves.toBe(1);
  });

  it('come the newest first, in pages, from a window that ends before its end', async () => {
    for (const level of [1, 3, 2]) {
      await report({ breathlessness: level, reportedAt: ago(9 - level) });
    }
    const levels = async (query: string): Promise<(number | null)[]> =>
      (await nurse.call('GET', `${urlOf(patient)}?${query}`))
        .json<{ items: SymptomReport[] }>()
        .items.map((one) => one.breathlessness);
    await expect(levels('')).resolves.toEqual([3, 2, 1]);
    await expect(levels('pageSize=2&page=2')).resolves.toEqual([1]);
    await expect(levels(`from=${ago(7)}&to=${ago(6)}`)).resolves.toEqual([2]);
  });

  describe('that were entered in error', () => {
    const strike = (id: number, reason: string, who = nurse) =>
      who.call('POST', `/api/v2/symptoms/${id}/entered-in-error`, { reason });
    const raised = () =>
      test.server.alerts
        .listOpen(site)
        .filter(({ patientId }) => patientId === patient)
        .map(({ alert }) => [alert.rule, alert.condition]);

    it('are refused without a reason, out of reach, and a second time for another reason', async () => {
      const { id } = await report({ answers: { cough: 'mild' } });
      expect((await strike(id, ' ')).statusCode).toBe(422);
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      expect((await strike(id, 'Not this one', stranger)).statusCode).toBe(404);
      expect((await strike(999_999_999, 'Not this one')).statusCode).toBe(404);
      expect((await strike(id, 'Another patient')).statusCode).toBe(200);
      const lead = await test.signIn(site, 'ward_lead');
      const late = await strike(id, 'Typing error', lead);
      expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'in_error', id } }]);
      expect((await strike(id, 'Another patient')).statusCode).toBe(200);
      const rows = await test.store.db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'mark_symptoms_in_error')
        .where('object_id', '=', patient)
        .execute();
      expect(rows).toMatchObject([{ actor_id: nurse.userId, details: `{"report":${id}}` }]);
    });

    it('stay on record, and leave their moment free for the right one', async () => {
      const body = { answers: { cough: 'severe' }, reportedAt: ago(4) };
      const wrong = await report(body);
      await strike(wrong.id, 'Typing error');
      const right = await report({ ...body, answers: { cough: 'mild' } });
      const { items } = (await nurse.call('GET', urlOf(patient))).json<{ items: SymptomReport[] }>();
      expect(items).toEqual([
        right,
        {
          ...wrong,
          inError: {
            at: toInstant(test.now()),
            by: { id: nurse.userId, name: expect.any(String) as unknown },
            reason: 'Typing error',
          },
        },
      ]);
    });

    it('are not brought back when they are sent again, with or without the right one beside them', async () => {
      await test.startRules(site);
      const body = { redFlags: ['blueLips'], reportedAt: toInstant(test.now()) };
      const wrong = await report(body);
      const physician = await test.signIn(site, 'physician');
      const struck = (await strike(wrong.id, 'Another patient', physician)).json<SymptomReport>();
      await expect(report(body)).resolves.toEqual(struck);
      const listed = await nurse.call('GET', '/api/v2/alerts');
      expect(listed.body).toMatch(/Blue lips or face, reported at [0-9:]+, entered in error: resolve it to end it/);
      const right = await report({ ...body, redFlags: ['seizure'] });
      await expect(report(body)).resolves.toEqual(struck);
      await expect(report({ ...body, redFlags: ['seizure'] })).resolves.toEqual(right);
      await expect(kept()).resolves.toBe(2);
      const rows = test.store.db.selectFrom('audit').select('id').where('action', '=', 'report_symptoms');
      await expect(rows.where('object_id', '=', patient).execute()).resolves.toHaveLength(2);
    });

    it('end what is milder, and no red flag', async () => {
      await test.startRules(site);
      const worse = await report({ sinceYesterday: 'worse' });
      expect(raised()).toEqual([['symptoms.amber', 'active']]);
      await strike(worse.id, 'Another patient');
      expect(raised()).toEqual([['symptoms.amber', 'ended']]);
      test.advance(600_000);
      const flagged = await report({ redFlags: ['blueLips'] });
      await strike(flagged.id, 'Another patient');
      await test.server.alerts.evaluateClock();
      expect(raised()).toEqual([['symptoms.red_flag', 'active']]);
      const listed = await nurse.call('GET', '/api/v2/alerts');
      expect(listed.body).toMatch(/Blue lips or face, reported at [0-9:]+, entered in error: resolve it to end it/);
      await test.restart();
      expect(raised()).toEqual([['symptoms.red_flag', 'active']]);
    });
  });

  describe('that cannot be read', () => {
    const damage = async (id: number, change: object): Promise<void> => {
      await test.store.db.updateTable('symptom_reports').set(change).where('id', '=', id).execute();
    };
    const entry = (id: number) => ({
      id,
      patientId: patient,
      reportedAt: expect.any(String) as unknown,
      recordedAt: expect.any(String) as unknown,
      inError: null,
      isUnreadable: true,
    });

    it.each([
      { answers: '[["cough","mil' },
      { answers: '[["cough","terrible"]]' },
      { answers: '' },
      { red_flags: '["hunger"]' },
      { readings: '{"spo2":95}' },
      { breathlessness: 99 },
    ])('say so in the list, and stop no other one: %j', async (change) => {
      const sound = await report({ answers: { cough: 'mild' }, reportedAt: ago(4) });
      const { id } = await report({ answers: { cough: 'absent' }, reportedAt: ago(3) });
      await damage(id, change);
      const before = test.server.faults.unreadable.get('symptoms') ?? 0;
      for (let reading = 0; reading < 3; reading += 1) {
        const listed = await nurse.call('GET', urlOf(patient));
        expect([listed.statusCode, listed.json()]).toEqual([200, { items: [entry(id), sound], total: 2 }]);
      }
      expect(test.server.faults.unreadable.get('symptoms')).toBe(before + 1);
    });

    it('are listed without a time that is none', async () => {
      const { id } = await report({ answers: { cough: 'mild' } });
      await damage(id, { answers: '', reported_at: 9_000_000_000_000_000 });
      const listed = await nurse.call('GET', urlOf(patient));
      expect(listed.json()).toEqual({ items: [{ ...entry(id), reportedAt: null }], total: 1 });
    });

    it('are listed as entered in error, also without the time at which they were', async () => {
      const { id } = await report({ answers: { cough: 'mild' } });
      await nurse.call('POST', `/api/v2/symptoms/${id}/entered-in-error`, { reason: 'Another patient' });
      await damage(id, { in_error_at: 9_000_000_000_000_000 });
      const inError = {
        at: null,
        by: expect.objectContaining({ id: nurse.userId }) as unknown,
        reason: 'Another patient',
      };
      const listed = await nurse.call('GET', urlOf(patient));
      expect([listed.statusCode, listed.json()]).toEqual([200, { items: [{ ...entry(id), inError }], total: 1 }]);
      const physician = await test.signIn(site, 'physician');
      const file = await physician.call('GET', `/api/v2/patients/${patient}/export?kind=symptoms`);
      const [head = [], row = []] = parseCsv(file.body.slice(1));
      expect([row[head.indexOf('status')], row[head.indexOf('in_error_utc')]]).toEqual([
        'cannot be read, entered in error',
        'cannot be read',
      ]);
    });

    it('are marked as entered in error, and then raise nothing', async () => {
      await test.startRules(site);
      const { id } = await report({ answers: { cough: 'mild' } });
      await damage(id, { answers: 'gone', readings: 'gone' });
      await test.server.alerts.reported(patient);
      const failed = () =>
        test.server.alerts
          .listOpen(site)
          .filter(({ patientId, alert }) => patientId === patient && alert.rule === 'rules.failed')
          .map(({ alert }) => alert.condition);
      expect(failed()).toEqual(['active']);
      const marked = await nurse.call('POST', `/api/v2/symptoms/${id}/entered-in-error`, { reason: 'Damaged' });
      expect([marked.statusCode, marked.json()]).toEqual([
        200,
        {
          ...entry(id),
          inError: {
            at: toInstant(test.now()),
            by: { id: nurse.userId, name: expect.any(String) as unknown },
            reason: 'Damaged',
          },
        },
      ]);
      expect(failed()).not.toContain('active');
      expect(test.server.liveState.symptoms.shown(patient)).toBeNull();
    });
  });

  it('leave rows of the audit without what was said', async () => {
    await report({ answers: { haemoptysis: 'severe' } });
    await nurse.call('GET', urlOf(patient));
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'details', 'object_id'])
      .where('object_type', '=', 'patient')
      .where('object_id', '=', patient)
      .where('action', 'like', '%symptoms')
      .execute();
    expect(rows).toEqual([
      { action: 'report_symptoms', details: null, object_id: patient },
      { action: 'read_symptoms', details: null, object_id: patient },
    ]);
  });
});

describe.each(apiEngines)('the newest symptoms on %s', (engine) => {
  const url = '/api/v2/symptoms/today';

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    patient = await test.addPatient(site);
  });

  const report = async (body: object, ago = 0): Promise<number> => {
    const reportedAt = toInstant(test.now() - ago);
    const response = await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, { ...body, reportedAt });
    expect(response.statusCode).toBe(201);
    return response.json<{ id: number }>().id;
  };
  const today = async (query = '', who = nurse): Promise<SymptomsTodayPage> =>
    symptomsTodayPage.parse((await who.call('GET', `${url}${query}`)).json());
  const listed = async () => {
    const { items } = (await nurse.call('GET', `/api/v2/patients?ids=${patient}`)).json<PatientsPage>();
    return items[0]?.symptoms;
  };

  it('are counted in no other site', async () => {
    await report({ answers: { cough: 'mild' } });
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    await expect(today('', stranger)).resolves.toMatchObject({ total: 0, reported: 0, symptoms: [] });
  });

  it('are counted for all patients, whether or not they reported, and only those of the filter', async () => {
    await test.addPatient(site);
    await report({ answers: { cough: 'severe', fever: 'absent' }, redFlags: ['blueLips'] });
    await report({ answers: { cough: 'mild' } }, 1_000);
    await expect(today()).resolves.toMatchObject({
      total: 2,
      reported: 1,
      redFlags: [{ flag: 'blueLips', patients: 1 }],
      symptoms: [
        { symptom: 'cough', severe: 1, mild: 0 },
        { symptom: 'fever', absent: 1 },
      ],
    });
    await expect(today('?mine=true')).resolves.toMatchObject({ total: 0, reported: 0 });
    await expect(today('?unit=999')).resolves.toMatchObject({ total: 0 });
  });

  it('are not read again until something changes, and are one view in the audit', async () => {
    const { version } = await today();
    expect((await nurse.call('GET', `${url}?after=${version}`)).json()).toEqual({ unchanged: true, version });
    await report({ answers: { cough: 'mild' } });
    await expect(today(`?after=${version}`)).resolves.toMatchObject({ reported: 1 });
    const views = await test.store.db
      .selectFrom('audit')
      .select('action')
      .where('actor_id', '=', nurse.userId)
      .where('action', '=', 'list_patients')
      .execute();
    expect(views).toHaveLength(1);
  });

  it('are of the site’s day: yesterday’s report is in the list, and not counted', async () => {
    await report({ answers: { cough: 'moderate' } }, 20 * hour);
    await expect(today()).resolves.toMatchObject({ total: 1, reported: 0 });
    await expect(listed()).resolves.toMatchObject({ worst: { symptom: 'cough', grade: 2 } });
  });

  it('are those before a report that was entered in error', async () => {
    await report({ answers: { cough: 'mild' } }, hour);
    const wrong = await report({ answers: { cough: 'severe' } });
    await expect(listed()).resolves.toMatchObject({ worst: { grade: 3 }, change: 'worse' });
    const marked = await nurse.call('POST', `/api/v2/symptoms/${wrong}/entered-in-error`, {
      reason: 'Mixed up',
    });
    expect(marked.statusCode).toBe(200);
    // The list is built again once a second.
    test.advance(1_000);
    await expect(listed()).resolves.toMatchObject({ worst: { grade: 1 }, change: 'new' });
  });

  it('keep a red flag of the day, and show a score of breathlessness alone, also after a start', async () => {
    await report({ breathlessness: 10 });
    await expect(listed()).resolves.toMatchObject({ worst: null, breathlessness: 10, redFlags: [] });
    patient = await test.addPatient(site);
    await report({ redFlags: ['blueLips'] }, 2 * hour);
    await report({ answers: { cough: 'absent' } }, hour);
    await expect(listed()).resolves.toMatchObject({
      worst: { grade: 0 },
      redFlags: ['blueLips'],
      redFlagsAt: toInstant(test.now() - 2 * hour),
    });
    const loaded = await loadWard(test.store, new AlertFaults(test.server.log), test.now());
    expect(loaded.symptoms.shown(patient)).toEqual(test.server.liveState.symptoms.shown(patient));
  });

  it.each([
    ['in the list of answers', { answers: '[["cough","unan' }],
    ['within an intact list', { answers: '[["cough","unanswered"],["fever"]]' }],
    ['in one answer', { answers: '[["cough","sev?re"]]' }],
    ['in its red flags', { red_flags: '["blue' }],
    ['in its time as well', { answers: '[["cough"]]', reported_at: 9_000_000_000_000_000 }],
  ])('say that a report is damaged %s and cannot be read, never that there is none', async (_, damage) => {
    const id = await report({ answers: { cough: 'severe' } });
    await test.store.db.updateTable('symptom_reports').set(damage).where('id', '=', id).execute();
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await expect(listed()).resolves.toMatchObject({ worst: null, unreadable: true });
    await expect(today()).resolves.toMatchObject({ total: 1, reported: 1, unreadable: 1 });
    await test.store.db.deleteFrom('symptom_reports').where('id', '=', id).execute();
  });

  it('are shown after a start although a report of another patient is damaged, which is counted', async () => {
    const load = async () => {
      const faults = new AlertFaults(test.server.log);
      const { symptoms } = await loadWard(test.store, faults, test.now());
      return { symptoms, unreadable: faults.unreadable.get('symptoms') ?? 0 };
    };
    const { unreadable: before } = await load();
    const damaged = patient;
    const id = await report({ answers: { cough: 'severe' } });
    await test.store.db
      .updateTable('symptom_reports')
      .set({ answers: '[["cough","severe"' })
      .where('id', '=', id)
      .execute();
    patient = await test.addPatient(site);
    await report({ answers: { cough: 'mild' } });
    const loaded = await load();
    expect(loaded.symptoms.shown(patient)).toMatchObject({ worst: { symptom: 'cough', grade: 1 } });
    expect(loaded.symptoms.shown(damaged)).toMatchObject({ worst: null, unreadable: true });
    expect(loaded.symptoms.since(damaged, test.now() - hour)).toMatchObject([{ isUnreadable: true }]);
    expect(loaded.unreadable).toBe(before + 1);
    await test.store.db.deleteFrom('symptom_reports').where('id', '=', id).execute();
  });

  it('are the same after a start', async () => {
    for (const waited of [0, 18_000, 1_800, 180, 19]) {
      test.advance(waited * hour);
      // The session ends with the time.
      nurse = await test.signIn(site, 'nurse');
      await report({ answers: { cough: waited === 19 ? 'severe' : 'mild' } });
    }
    const loaded = await loadWard(test.store, new AlertFaults(test.server.log), test.now());
    expect(loaded.symptoms.shown(patient)).toEqual(test.server.liveState.symptoms.shown(patient));
    expect(loaded.symptoms.shown(patient)).toMatchObject({ worst: { grade: 3 }, change: 'worse' });
  });
});
