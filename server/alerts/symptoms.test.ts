import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const minute = 60_000;

describe.each(apiEngines)('a red flag among the symptoms on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
    test.advance(30 * minute);
    nurse = await test.signIn(site, 'nurse');
  });

  const report = async (body: object): Promise<void> => {
    test.advance(1_000);
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
  };
  const listed = async (state: 'open' | 'closed' = 'open'): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?state=${state}&patientId=${patient}`)).json<AlertsPage>().items;
  const sentences = async (): Promise<string[]> => (await listed()).map(({ sentence }) => sentence);
  const resolve = async (): Promise<number> => {
    const [alert] = await listed();
    const body = { version: alert?.version, outcome: 'intervention', note: '' };
    return (await nurse.call('POST', `/api/v2/alerts/${alert?.id}/resolve`, body)).statusCode;
  };
  const named = (flags: string): unknown =>
    expect.stringMatching(
      new RegExp(`^Red flag: ${flags}, reported at \\d\\d:\\d\\d(, \\d times since \\d\\d:\\d\\d)?$`),
    );

  it('stays with its words after a later report without it, over a restart', async () => {
    await report({ redFlags: ['blueLips'] });
    await report({ answers: { cough: 'absent' }, sinceYesterday: 'better' });
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await expect(listed()).resolves.toMatchObject([{ priority: 'high', condition: 'active', episodes: 1 }]);
  });

  it('is ended by a person who resolves it, and is not raised again by the same report', async () => {
    await report({ redFlags: ['blueLips'] });
    await expect(resolve()).resolves.toBe(200);
    await expect(listed()).resolves.toEqual([]);
    await expect(listed('closed')).resolves.toMatchObject([{ closedBecause: 'resolved', outcome: 'intervention' }]);
    await test.server.alerts.evaluateClock();
    await report({ answers: { cough: 'absent' } });
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(listed()).resolves.toEqual([]);
    await report({ redFlags: ['blueLips'] });
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
  });

  it('is raised again by a further one, which no one has seen yet', async () => {
    await report({ redFlags: ['blueLips'] });
    const [alert] = await listed();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
    await report({ redFlags: ['blueLips'] });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: { by: { id: nurse.userId } }, episodes: 1 }]);
    await report({ redFlags: ['seizure'] });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: null, episodes: 2 }]);
    await expect(sentences()).resolves.toEqual([named('Blue lips or face; Seizure')]);
  });

  it('is raised although another person reports at once that there is none', async () => {
    const post = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
    const other = await test.signIn(site, 'physician');
    await Promise.all([
      post({ redFlags: ['blueLips'] }),
      other.call('POST', `/api/v2/patients/${patient}/symptoms`, { answers: { cough: 'absent' } }),
    ]);
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
  });

  it('that is resolved leaves what got worse after it, which is raised at once', async () => {
    await report({ redFlags: ['blueLips'] });
    await report({ sinceYesterday: 'worse' });
    await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.red_flag', episodes: 1 }]);
    await expect(resolve()).resolves.toBe(200);
    await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.amber', condition: 'active' }]);
  });

  it('is raised although more than a hundred harmless reports came before it was evaluated', async () => {
    await report({ answers: { cough: 'mild' } });
    const { id: _, ...row } = await test.store.db
      .selectFrom('symptom_reports')
      .selectAll()
      .where('patient_id', '=', patient)
      .executeTakeFirstOrThrow();
    const at = (place: number) => ({ reported_at: row.reported_at + place, recorded_at: row.recorded_at + place });
    await test.store.db
      .insertInto('symptom_reports')
      .values([
        { ...row, ...at(1), answers: '[["cough","mild"],["syncope","mild"]]' },
        ...Array.from({ length: 600 }, (__, place) => ({ ...row, ...at(place + 2) })),
      ])
      .execute();
    await test.server.alerts.reported(patient);
    await expect(sentences()).resolves.toEqual([named('Collapse or faint')]);
  });

  it('is raised beside a report that cannot be read, which is an alert itself until it is marked', async () => {
    await report({ redFlags: ['blueLips'] });
    const damaged = test.store.db
      .updateTable('symptom_reports')
      .set({ answers: '[["cough"', red_flags: '["seizure"]' })
      .where('patient_id', '=', patient);
    await damaged.execute();
    await report({ redFlags: ['hardToRouse'] });
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await test.server.alerts.evaluateClock();
    const rules = async () => (await listed()).map(({ rule }) => rule).sort();
    await expect(rules()).resolves.toEqual(['rules.failed', 'symptoms.red_flag']);
    await test.store.db
      .updateTable('symptom_reports')
      .set({ in_error_at: test.now(), in_error_by: nurse.userId, in_error_reason: 'damaged' })
      .where('patient_id', '=', patient)
      .where('answers', '=', '[["cough"')
      .execute();
    await report({ answers: { cough: 'mild' } });
    expect((await listed()).find(({ rule }) => rule === 'rules.failed')?.condition ?? 'ended').toBe('ended');
  });

  it.each([
    '[["cough"]]',
    '[["cough","sev?re"]]',
    '[["cough","unanswered"],]',
    '[,["cough","unanswered"]]',
    '[["?","unanswered"]]',
    '[1]',
  ])('is an alert if a report is damaged within its list of answers: %s', async (answers) => {
    await report({ answers: { cough: 'mild' } });
    await test.store.db.updateTable('symptom_reports').set({ answers }).where('patient_id', '=', patient).execute();
    await test.server.alerts.reported(patient);
    expect((await listed()).map(({ rule }) => rule)).toContain('rules.failed');
  });

  it('of a second report in the same millisecond is a further one, and is not answered by the first', async () => {
    const post = async (body: object, by: Caller) => {
      expect((await by.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
    };
    const other = await test.signIn(site, 'physician');
    await post({ redFlags: ['blueLips'] }, nurse);
    await post({ redFlags: ['seizure'] }, other);
    await expect(listed()).resolves.toMatchObject([{ episodes: 2 }]);
    await expect(resolve()).resolves.toBe(200);
    await post({ redFlags: ['hardToRouse'] }, await test.signIn(site, 'ward_lead'));
    await expect(sentences()).resolves.toEqual([named('Hard to rouse')]);
  });

  it('stays when the patient goes home, and goes with a discharge', async () => {
    await report({ redFlags: ['blueLips'] });
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
    await test.server.alerts.evaluateClock();
    await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'discharged' });
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 3, state: 'active' });
    await test.server.alerts.evaluateClock();
    await expect(listed()).resolves.toEqual([]);
  });
});

describe.each(apiEngines)('symptoms that got worse on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
    test.advance(30 * minute);
    nurse = await test.signIn(site, 'nurse');
  });

  const report = async (body: object): Promise<void> => {
    test.advance(minute);
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
  };
  const listed = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const act = async (what: string, more: object = {}): Promise<number> => {
    const [alert] = await listed();
    const body = { version: alert?.version, ...more };
    return (await nurse.call('POST', `/api/v2/alerts/${alert?.id}/${what}`, body)).statusCode;
  };

  it('stay an alert after harmless reports, over a restart and days, until the patient is better', async () => {
    await report({ answers: { cough: 'mild' } });
    await report({ answers: { cough: 'severe' }, sinceYesterday: 'worse' });
    await report({ answers: { cough: 'severe', fever: 'absent' }, sinceYesterday: 'same' });
    const [alert] = await listed();
    expect(alert).toMatchObject({ rule: 'symptoms.amber', condition: 'active', episodes: 1 });
    for (let day = 0; day < 3; day += 1) {
      test.advance(24 * 60 * minute);
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await report({ answers: { fever: 'mild' } });
    }
    const [after] = await listed();
    expect(after).toMatchObject({ id: alert?.id, condition: 'active', episodes: 1 });
    expect(after?.sentence).toMatch(/^Worse than yesterday: Cough worse, reported at /);
    await report({ sinceYesterday: 'better' });
    await expect(listed()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended' }]);
  });

  it('sound again with each further worsening, also after someone has acknowledged them', async () => {
    await report({ sinceYesterday: 'worse' });
    await expect(act('acknowledge')).resolves.toBe(200);
    await report({ answers: { cough: 'mild' } });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: { by: { id: nurse.userId } }, episodes: 1 }]);
    await report({ answers: { cough: 'moderate' } });
    await expect(listed()).resolves.toMatchObject([{ acknowledged: null, episodes: 2 }]);
  });

  it('are ended by a person, and raised by the next worsening alone', async () => {
    await report({ sinceYesterday: 'worse' });
    await expect(act('resolve', { outcome: 'intervention', note: '' })).resolves.toBe(200);
    await report({ answers: { cough: 'mild' }, sinceYesterday: 'same' });
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await expect(listed()).resolves.toEqual([]);
    await report({ answers: { cough: 'moderate' } });
    await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.amber', episodes: 1 }]);
  });
});
