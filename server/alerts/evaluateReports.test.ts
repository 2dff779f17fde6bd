import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { AlertSound } from '../../lib/sound/soundSchema';
import type { AlertStrip } from '../../lib/alerts/stripSchema';
import type { IssueReport, NewReport } from '../../lib/reports/schema';
import { apiEngines } from '../../test/database';
import { newReport } from '../../test/newReport';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const minute = 60_000;
const s1 = { severity: 'S1', alarmsUnit: true } as const;

describe.each(apiEngines)('an S1 report on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let nurse: Caller;
  let elsewhere: Caller;
  let lead: Caller;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    elsewhere = await test.signIn(site, 'nurse');
    lead = await test.signIn(site, 'ward_lead');
    unit = await test.addUnit(site, 'Ward 4', [nurse.userId]);
    await test.addUnit(site, 'Ward 5', [elsewhere.userId]);
    await test.startRules(site);
    // The users of a site are read every 10 s.
    await look(10_000);
  });
  afterAll(() => test.stop());

  async function look(ms: number): Promise<void> {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  }
  const file = async (more: Partial<NewReport> = {}, by = nurse): Promise<IssueReport> => {
    const body = { ...newReport({ ...s1, unitId: unit, kind: 'data', ...more }), authorId: by.userId };
    const response = await by.call('POST', '/api/v2/reports', body);
    expect([response.statusCode, response.body]).toEqual([201, expect.stringContaining('{"id"')]);
    return response.json<IssueReport>();
  };
  const change = async ({ id }: IssueReport, body: object, by = lead): Promise<IssueReport> => {
    const { version } = (await by.call('GET', `/api/v2/reports/${id}`)).json<IssueReport>();
    const response = await by.call('PATCH', `/api/v2/reports/${id}`, { version, authorId: by.userId, ...body });
    expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('{"id"')]);
    return response.json<IssueReport>();
  };
  const read = async ({ id }: IssueReport, by = lead): Promise<IssueReport> =>
    (await by.call('GET', `/api/v2/reports/${id}`)).json<IssueReport>();
  const open = async (by = nurse): Promise<AlertItem[]> =>
    (await by.call('GET', '/api/v2/alerts')).json<AlertsPage>().items;
  const sound = async (by: Caller): Promise<AlertSound['priority']> =>
    (await by.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;
  const alerts = async (): Promise<number> =>
    (await test.store.db.selectFrom('alerts').select('id').where('site_id', '=', site).execute()).length;

  it('alarms no one while the site’s rules are off, and says so, until they are on', async () => {
    const quiet = await test.addSite();
    const reporter = await test.signIn(quiet, 'nurse');
    const report = await file({ unitId: null }, reporter);
    expect([report.alarm, report.alertId]).toEqual(['rules_off', null]);
    await expect(open(reporter)).resolves.toEqual([]);
    await test.startRules(quiet);
    await look(1_000);
    expect((await open(reporter)).map(({ rule }) => rule)).toEqual(['report.s1']);
    expect((await read(report, reporter)).alarm).toBe('open');
  });

  it('of S2 to S4 alarms no one', async () => {
    for (const severity of ['S2', 'S3', 'S4'] as const) {
      await expect(file({ severity, alarmsUnit: false })).resolves.toMatchObject({ alarm: 'none' });
    }
    await look(minute);
    await expect(open(lead)).resolves.toEqual([]);
  });

  it('alarms its unit before its page is answered: one HIGH alert, without a word of the report', async () => {
    const report = await file({ title: 'Bed 3 shows bed 4' });
    const [alert, ...more] = await open();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      id: report.alertId,
      priority: 'high',
      parameter: 'report',
      rule: 'report.s1',
      patientId: null,
      deviceName: 'Ward 4',
      unitId: unit,
      headline: 'Issue report: monitoring lost or wrong patient data',
    });
    expect(report.alarm).toBe('open');
    expect(JSON.stringify(alert)).not.toContain('Bed 3');
    const strip = (await nurse.call('GET', '/api/v2/alerts/strip')).json<AlertStrip>();
    expect(strip.items).toMatchObject([{ unit: 'Ward 4', bed: null, priority: 'high' }]);
    await expect(sound(nurse)).resolves.toBe('high');
    await expect(sound(lead)).resolves.toBe('high');
  });

  it('is not seen or heard in another unit', async () => {
    await file();
    await expect(open(elsewhere)).resolves.toEqual([]);
    await expect(sound(elsewhere)).resolves.toBeNull();
  });

  it('asks by name the ward leads of the site, if no one is ward lead of the shift', async () => {
    await file();
    await look(5 * minute);
    const [alert] = await open();
    expect(
      alert?.escalation.asked.map(({ roles, wholeUnit, users }) => [roles, wholeUnit, users.map(({ id }) => id)]),
    ).toEqual([
      [['charge_nurse'], true, []],
      [['ward_lead'], false, [lead.userId]],
    ]);
  });

  it('without a unit is for the ward leads of the site, and sounds for no one else', async () => {
    const report = await file({ unitId: null });
    expect(report.unit).toBeNull();
    await expect(open(lead)).resolves.toMatchObject([{ deviceName: 'Whole site', unitId: null }]);
    expect([await sound(lead), await sound(nurse), await sound(elsewhere)]).toEqual(['high', null, null]);
  });

  it('adds to the alert of its unit and makes it sound again, and the last one that is triaged ends it', async () => {
    const first = await file();
    const [alert] = await open();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/acknowledge`, { version: alert?.version });
    await expect(sound(nurse)).resolves.toBeNull();
    await look(minute);
    const second = await file();
    expect((await open()).map(({ id, episodes }) => [id, episodes])).toEqual([[alert?.id, 2]]);
    expect(second.alertId).toBe(first.alertId);
    await expect(sound(nurse)).resolves.toBe('high');
    await expect(change(first, { status: 'triaged' })).resolves.toMatchObject({ alarm: 'ended' });
    await look(minute);
    await expect(open()).resolves.toHaveLength(1);
    await expect(change(second, { severity: 'S3' })).resolves.toMatchObject({ alarm: 'ended' });
    await expect(open()).resolves.toEqual([]);
    await expect(alerts()).resolves.toBe(1);
  });

  it('that is sent twice alarms once', async () => {
    const body = { ...newReport({ ...s1, unitId: unit }), authorId: nurse.userId };
    await Promise.all([nurse.call('POST', '/api/v2/reports', body), nurse.call('POST', '/api/v2/reports', body)]);
    await expect(open()).resolves.toMatchObject([{ episodes: 1 }]);
  });

  it('made of another report by a manager alarms as well', async () => {
    const report = await file({ severity: 'S3', alarmsUnit: false });
    await change(report, { status: 'triaged' });
    await expect(open()).resolves.toEqual([]);
    await expect(change(report, s1)).resolves.toMatchObject({ alarm: 'open' });
    await expect(open()).resolves.toHaveLength(1);
  });

  it('made of another report alarms where its patient is by then, and stays there when they move on', async () => {
    const patient = await test.addPatient(site, { location: { unit: 'Ward 4', bed: '7' } });
    const move = async (name: string, bed: string): Promise<void> => {
      const { version } = (await lead.call('GET', `/api/v2/patients/${patient}`)).json<{ version: number }>();
      const location = { unit: name, bed };
      expect((await lead.call('PATCH', `/api/v2/patients/${patient}`, { version, location })).statusCode).toBe(200);
    };
    const report = await file({ severity: 'S3', alarmsUnit: false, unitId: null, patientId: patient });
    expect(report).toMatchObject({ unit: { name: 'Ward 4' }, bed: '7' });
    await move('Ward 5', '2');
    const raised = await change(report, s1);
    expect(raised).toMatchObject({ unit: { name: 'Ward 5' }, bed: '2', alarm: 'open' });
    expect(raised.entries.map(({ is, from, to }) => [is, from, to])).toEqual([
      ['filed', null, null],
      ['unit', 'Ward 4', 'Ward 5'],
      ['severity', 'S3', 'S1'],
      ['alarm', 'off', 'on'],
    ]);
    await expect(open(elsewhere)).resolves.toMatchObject([{ deviceName: 'Ward 5' }]);
    await expect(open()).resolves.toEqual([]);
    await move('Ward 4', '8');
    await look(minute);
    await expect(open(elsewhere)).resolves.toMatchObject([{ deviceName: 'Ward 5', condition: 'active' }]);
    await expect(open()).resolves.toEqual([]);
  });

  it('made of a report whose unit is gone alarms the ward leads of the site', async () => {
    const admin = await test.signIn(site, 'administrator', true);
    const empty = await test.addUnit(site, 'Closing');
    const report = await file({ severity: 'S3', alarmsUnit: false, unitId: empty });
    expect((await admin.call('DELETE', `/api/v2/units/${empty}`)).statusCode).toBe(204);
    await expect(change(report, s1)).resolves.toMatchObject({ unit: null, alarm: 'open' });
    await expect(open(lead)).resolves.toMatchObject([{ deviceName: 'Whole site' }]);
  });

  it('keeps its unit from being deleted until it alarms no more', async () => {
    const admin = await test.signIn(site, 'administrator', true);
    const empty = await test.addUnit(site, 'Closing');
    const report = await file({ unitId: empty });
    const remove = () => admin.call('DELETE', `/api/v2/units/${empty}`);
    const refused = await remove();
    expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([409, 'unit_alarmed']);
    await expect(open(lead)).resolves.toMatchObject([{ unitId: empty, deviceName: 'Closing' }]);
    await change(report, { status: 'triaged' });
    expect((await remove()).statusCode).toBe(204);
  });

  it('is ended by the user who resolves its alert, and its history says who', async () => {
    const report = await file();
    const [alert] = await open();
    const response = await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/resolve`, {
      version: alert?.version,
      outcome: 'intervention',
      note: 'Monitors changed',
    });
    expect(response.statusCode).toBe(200);
    await look(2_000);
    await expect(open()).resolves.toEqual([]);
    const after = await read(report);
    expect(after).toMatchObject({ alarm: 'ended', status: 'new', severity: 'S1' });
    expect(after.entries.at(-1)).toMatchObject({ is: 'alarm', from: 'on', to: 'off', by: { id: nurse.userId } });
    await file();
    await expect(open()).resolves.toHaveLength(1);
  });

  it.each(['accept', 'acknowledge'])('goes on after someone has done this to its alert: %s', async (action) => {
    await file();
    const [alert] = await open();
    const body = { version: alert?.version };
    expect((await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/${action}`, body)).statusCode).toBe(200);
    await look(minute);
    await expect(open()).resolves.toMatchObject([{ condition: 'active' }]);
  });

  it('taken by a ward lead of no unit stays theirs', async () => {
    await file();
    const [alert] = await open(lead);
    await lead.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/accept`, { version: alert?.version });
    await look(11_000);
    await expect(open(lead)).resolves.toMatchObject([{ accepted: { by: { id: lead.userId } } }]);
  });

  it('alarms over a restart, and over a step of the clock, without a second alert', async () => {
    await file();
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await look(1_000);
    await expect(open()).resolves.toMatchObject([{ episodes: 1, condition: 'active' }]);
    for (const step of [-3_600_000, 7_200_000]) {
      test.setWallClock(step);
      await test.server.clockWatch.check();
      await look(1_000);
      const ofReports = (await open()).filter(({ parameter }) => parameter === 'report');
      expect(ofReports).toMatchObject([{ episodes: 1, condition: 'active' }]);
    }
    await expect(alerts()).resolves.toBeLessThanOrEqual(2);
  });

  it('alarms at the next tick after a crash between the report and its alert', async () => {
    const report = await file({ severity: 'S3', alarmsUnit: false });
    await test.store.db
      .updateTable('issue_reports')
      .set({ severity: 'S1', alarm_at: test.now() })
      .where('id', '=', report.id)
      .execute();
    expect((await read(report)).alarm).toBe('opening');
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await look(1_000);
    expect((await open()).map(({ parameter }) => parameter)).toContain('report');
  });
});
