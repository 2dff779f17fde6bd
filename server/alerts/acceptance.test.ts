import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe.each(apiEngines)('an accepted alert on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let unitName: string;
  let device: { token: string };
  let lead: Caller;
  let nurse: Caller;
  let other: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    // The test's clock starts at 11:00 of the site; a shift begins at 19:30.
    test.advance(24 * hour);
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    unitName = 'West';
    unit = await test.addUnit(site, unitName);
    patient = await test.addPatient(site, { location: { unit: unitName, bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    other = await test.signIn(site, 'nurse');
    lead = await test.signIn(site, 'ward_lead');
    await test.server.alerts.siteChanged(site);
  });

  async function assign(role: AssignmentRole, userId: number, version = 0, unitId = unit): Promise<void> {
    const patientId = role === 'nurse' || role === 'buddy' ? patient : null;
    const body = { unitId, shift: 'current', role, patientId, userId, version };
    expect((await lead.call('PUT', '/api/v2/assignments', body)).statusCode).toBe(200);
  }
  async function pass(ms: number): Promise<void> {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  }
  /** A HIGH alert that is raised at this moment. */
  async function raise(): Promise<AlertItem> {
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(16 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    return await alertOf();
  }
  async function alertOf(): Promise<AlertItem> {
    const reader = await test.signIn(site, 'physician');
    const { items } = (await reader.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  }
  async function logOf({ id }: Pick<AlertItem, 'id'>): Promise<LoggedEvent[]> {
    const reader = await test.signIn(site, 'physician');
    return (await reader.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  }
  async function accept(who: Caller, { id }: AlertItem): Promise<void> {
    const version = test.server.alerts.find(id)?.alert.version;
    expect((await who.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(200);
  }
  /** The users whom the last step asked, and what the log said before. */
  async function lastAsked(alert: AlertItem): Promise<{ step: number; users: number[]; before: string | undefined }> {
    const log = await logOf(alert);
    const last = log.findLast((event) => event.is === 'asked');
    if (last?.is !== 'asked') {
      throw new Error('No one was asked');
    }
    return { step: last.step, users: last.to.users.map(({ id }) => id), before: log[log.indexOf(last) - 1]?.is };
  }

  it('is asked for again when its holder is disabled', async () => {
    await assign('nurse', other.userId);
    const alert = await raise();
    await accept(nurse, alert);
    await pass(11 * second);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } }, released: null });
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', nurse.userId).execute();
    await pass(11 * second);
    await expect(alertOf()).resolves.toMatchObject({
      accepted: null,
      released: { by: { id: nurse.userId }, because: 'disabled' },
    });
    await expect(lastAsked(alert)).resolves.toEqual({ step: 0, users: [other.userId], before: 'released' });
    // The next step is one interval later, and no sooner.
    await pass(minute - 1);
    await expect(lastAsked(alert)).resolves.toMatchObject({ step: 0 });
    await pass(1);
    await expect(lastAsked(alert)).resolves.toMatchObject({ step: 1 });
  });

  it('is asked for in the unit to which the patient moves, if its holder does not cover it', async () => {
    await test.addUnit(site, unitName, [nurse.userId]);
    const east = await test.addUnit(site, 'East', [other.userId]);
    const alert = await raise();
    await accept(nurse, alert);
    await pass(11 * second);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    const version = test.server.liveState.patients.get(patient)?.version;
    const moved = await lead.call('PATCH', `/api/v2/patients/${patient}`, {
      version,
      location: { unit: 'East', bed: '2' },
    });
    expect(moved.statusCode).toBe(200);
    await assign('charge_nurse', other.userId, 0, east);
    await expect(alertOf()).resolves.toMatchObject({
      accepted: null,
      released: { because: 'moved' },
      escalation: { asked: [{ step: 0, wholeUnit: true, unheld: ['nurse'] }] },
    });
    await expect(lastAsked(alert)).resolves.toEqual({ step: 0, users: [], before: 'released' });
    await pass(minute);
    await expect(lastAsked(alert)).resolves.toMatchObject({ step: 1, users: [other.userId] });
  });

  it('is asked for with the move itself, even if it was accepted a moment before', async () => {
    await test.addUnit(site, unitName, [nurse.userId]);
    await test.addUnit(site, 'East', [other.userId]);
    const alert = await raise();
    await accept(nurse, alert);
    test.advance(second);
    const version = test.server.liveState.patients.get(patient)?.version;
    await lead.call('PATCH', `/api/v2/patients/${patient}`, { version, location: { unit: 'East', bed: '2' } });
    await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'moved' } });
  });

  it('stays with a holder who covers the whole site when the patient moves', async () => {
    await test.addUnit(site, 'East');
    const alert = await raise();
    await accept(nurse, alert);
    const version = test.server.liveState.patients.get(patient)?.version;
    await lead.call('PATCH', `/api/v2/patients/${patient}`, { version, location: { unit: 'East', bed: '2' } });
    await pass(15 * second);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
  });

  it('is asked for again half an hour into a shift in which others look after the unit', async () => {
    const alert = await raise();
    await accept(nurse, alert);
    const answered = async (): Promise<void> => {
      lead = await test.signIn(site, 'ward_lead');
      await accept(lead, alert);
      nurse = lead;
    };
    // Until 19:25 of the site, the owner is asked every half hour and answers.
    for (let time = 0; time < 16; time += 1) {
      await pass(30 * minute);
      await answered();
    }
    await pass(20 * minute);
    await answered();
    const holder = nurse.userId;
    // 19:35: the other nurse has the patient in this shift.
    await pass(15 * minute);
    lead = await test.signIn(site, 'ward_lead');
    await assign('nurse', other.userId);
    await pass(5 * minute);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: holder } } });
    await pass(20 * minute);
    await expect(alertOf()).resolves.toMatchObject({
      accepted: null,
      released: { by: { id: holder }, because: 'previous_shift' },
    });
    await expect(lastAsked(alert)).resolves.toMatchObject({ step: 0, users: [other.userId], before: 'released' });
  });

  it('asks its holder to accept again when its priority rises, and shows until when', async () => {
    await feedFor(5 * minute + 2 * second, 90);
    const alert = await alertOf();
    expect(alert).toMatchObject({ priority: 'medium' });
    await accept(nurse, alert);
    await feedFor(20 * second, 80);
    const worse = await alertOf();
    expect(worse).toMatchObject({ priority: 'high', accepted: { by: { id: nurse.userId } } });
    expect(worse.escalation.answerBy).not.toBeNull();
    expect((await logOf(alert)).find(({ is }) => is === 'owner_asked')).toMatchObject({
      user: { id: nurse.userId },
      because: 'upgraded',
    });
    await accept(nurse, alert);
    await expect(alertOf()).resolves.toMatchObject({ escalation: { answerBy: null, nextAt: null } });
  });

  it('of a patient without a unit is for everyone on duty in the site, by name', async () => {
    patient = await test.addPatient(site);
    await test.server.alerts.siteChanged(site);
    const [asked] = (await raise()).escalation.asked;
    expect(asked).toMatchObject({ step: 0, wholeUnit: true, unheld: ['nurse'] });
    expect(asked?.users.map(({ id }) => id).sort()).toEqual([nurse.userId, other.userId, lead.userId].sort());
    await assign('charge_nurse', other.userId);
    test.advance(20 * second);
    await test.server.alerts.evaluateClock();
    await pass(minute);
    const [, next] = (await alertOf()).escalation.asked;
    expect(next?.users.map(({ id }) => id)).toEqual([other.userId]);
  });

  async function feedFor(ms: number, value: number): Promise<void> {
    for (let left = ms; left > 0; left -= 2 * second) {
      const samples = [1, 2].map((place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + place * second),
        quality: 'good',
      }));
      test.advance(2 * second);
      await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    }
  }
});
