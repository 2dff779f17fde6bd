import type { SymptomReport } from '../../lib/symptoms/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { parseCsv } from '../../test/parseCsv';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

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
