import type { PatientsPage } from '../../lib/patients/schema';
import { symptomsTodayPage, type SymptomsTodayPage } from '../../lib/symptoms/todaySchema';
import { toInstant } from '../../lib/time/schema';
import { AlertFaults } from '../alerts/alertFaults';
import { loadWard } from '../loadWard';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const hour = 3_600_000;
const url = '/api/v2/symptoms/today';

describe.each(apiEngines)('the newest symptoms on %s', (engine) => {
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
