import { symptomStripResponse, type SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

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
