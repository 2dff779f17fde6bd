import type { ComfortCareResponse, StandbyResponse } from '../../lib/alerts/pausesSchema';
import { readAlertConflict } from '../../lib/alerts/readAlertConflict';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { ErrorBody } from '../../lib/api/errorBody';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { PatientResponse, PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { Hung } from '../db/untilHung';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('an accepted alert on %s', (engine) => {
  const hour = 60 * minute;

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
    site = await test.addSiteAlone();
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
    await expect(lastAsked(alert)).resolves.toEqual({ step: 0, users: [], before: 'moved' });
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

describe.each(apiEngines)('what users do with alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unitName: string;
  let unit: number;
  let device: { token: string };
  let nurse: Caller;
  let other: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    test.advance(10 * minute);
    site = await test.addSiteAlone();
    unitName = `Unit ${test.now()}`;
    unit = await test.addUnit(site, unitName);
    device = await test.addDevice(site);
    patient = await test.addPatient(site, { familyName: 'Sample', location: { unit: unitName, bed: '4' } });
    nurse = await test.signIn(site, 'nurse');
    other = await test.signIn(site, 'nurse');
    await test.server.alerts.siteChanged(site);
  });

  /** Sends a value a second, five in a call, and lets the server look at its clock. */
  async function feed(value: number, seconds: number, kind = 'spo2'): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 5) {
      const samples = Array.from({ length: Math.min(5, seconds - sent) }, (_, place) => ({
        patientId: patient,
        kind,
        value,
        takenAt: toInstant(test.now() + (place + 1) * second),
        quality: 'good',
      }));
      test.advance(samples.length * second);
      expect((await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(200);
      await test.server.alerts.evaluateClock();
    }
  }
  async function alertOf(parameter = 'spo2', who = nurse): Promise<AlertItem> {
    const { items } = (await who.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find((item) => item.parameter === parameter);
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  }
  const act = (who: Caller, { id, version }: Pick<AlertItem, 'id' | 'version'>, name: string, more: object = {}) =>
    who.call('POST', `/api/v2/alerts/${id}/${name}`, { version, ...more });
  const take = (who: Caller, alerts: readonly Pick<AlertItem, 'id' | 'version'>[], more: object = {}) =>
    who.call('POST', '/api/v2/alerts/take', {
      alerts: alerts.map(({ id, version }) => ({ id, version })),
      ...more,
    });
  const taken = async (who: Caller, alert: AlertItem): Promise<AlertItem> => {
    const response = await take(who, [alert]);
    expect(response.statusCode).toBe(200);
    const [item] = response.json<{ items: AlertItem[] }>().items;
    return item ?? alert;
  };
  const undo = (who: Caller, { id, undo: known }: AlertItem, eventId = known?.eventId) =>
    who.call('POST', `/api/v2/alerts/${id}/undo`, { eventId });
  const refusal = (response: { statusCode: number; json: () => ErrorBody }) => {
    const { code, alert, lastAct } = response.json().error;
    const conflict = readAlertConflict(alert, lastAct);
    return { status: response.statusCode, code, id: conflict?.alert.id, lastAct: conflict?.lastAct };
  };
  const log = async ({ id }: Pick<AlertItem, 'id'>): Promise<LoggedEvent[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  const words = async (alert: Pick<AlertItem, 'id'>): Promise<string[]> => (await log(alert)).map(({ is }) => is);
  const audited = async ({ id }: Pick<AlertItem, 'id'>): Promise<[string, number | null][]> => {
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id'])
      .where('object_type', '=', 'alert')
      .where('object_id', '=', id)
      .where('outcome', '=', 'done')
      .orderBy('id')
      .execute();
    return rows.map(({ action, actor_id }) => [action, actor_id]);
  };

  describe('an alert in an answer', () => {
    it('names its patient and the bed as they are now, and to a technician neither', async () => {
      await feed(97, 5);
      test.advance(2 * minute);
      await test.server.alerts.evaluateClock();
      const { patient: named } = await alertOf('reporting');
      const { mrn = '', given_name: givenName = '' } = test.server.liveState.patients.get(patient) ?? {};
      const place = { unit: unitName, bed: '4' };
      const whole = { familyName: 'Sample', givenName, mrn, ...place, profile: 'continuous', isTrial: false };
      expect(named).toEqual(whole);
      const technician = await test.signIn(site, 'technician');
      expect((await alertOf('reporting', technician)).patient).toBeNull();
      const lead = await test.signIn(site, 'ward_lead');
      const change = { version: 1, familyName: 'Married', location: { unit: unitName, bed: '5' } };
      expect((await lead.call('PATCH', `/api/v2/patients/${patient}`, change)).statusCode).toBe(200);
      expect((await alertOf('reporting')).patient).toMatchObject({ familyName: 'Married', bed: '5' });
    });

    it('has a version that grows when it becomes worse, ends, or a user acts, and survives a restart', async () => {
      await feed(90, 302);
      nurse = await test.signIn(site, 'nurse');
      const versions = [(await alertOf()).version];
      const grown = async (): Promise<void> => {
        versions.push((await alertOf()).version);
        expect(versions.at(-1)).toBeGreaterThan(versions.at(-2) ?? Infinity);
      };
      await act(nurse, await alertOf(), 'acknowledge');
      await grown();
      await act(nurse, await alertOf(), 'accept');
      await grown();
      await feed(86, 20);
      await grown();
      await feed(70, 2);
      await grown();
      await test.restart();
      expect((await alertOf()).version).toBe(versions.at(-1));
      await feed(97, 70);
      await grown();
    });

    it('keeps its version while values, steps and time pass, so that a click for it is not refused', async () => {
      await feed(86, 20);
      const { version } = await alertOf();
      await feed(85, 70);
      const later = await alertOf();
      expect([later.version, later.escalationStep]).toEqual([version, 2]);
      expect((await act(nurse, later, 'pause-audio', { seconds: 60 })).statusCode).toBe(200);
      expect((await act(other, later, 'reject', { reason: 'In theatre' })).statusCode).toBe(200);
      expect((await take(nurse, [later])).statusCode).toBe(200);
    });
  });

  describe('an action that was meant for an alert as it no longer is', () => {
    it.each(['acknowledge', 'resolve'] as const)('does not silence the HIGH that came meanwhile (%s)', async (name) => {
      await feed(90, 302);
      nurse = await test.signIn(site, 'nurse');
      const mild = await alertOf();
      expect(mild.priority).toBe('medium');
      await feed(86, 20);
      const refused = await act(nurse, mild, name, name === 'resolve' ? { outcome: 'artefact' } : {});
      expect(refusal(refused)).toEqual({ status: 409, code: 'alert_changed', id: mild.id, lastAct: null });
      expect(refused.json<ErrorBody>().error.alert).toMatchObject({ priority: 'high', acknowledged: null });
      await expect(alertOf()).resolves.toMatchObject({ priority: 'high', acknowledged: null, outcome: null });
      await expect(audited(mild)).resolves.toEqual([]);
    });

    it('is refused when the condition has begun again, which voids the acknowledgement (E3)', async () => {
      await feed(86, 20);
      const before = await alertOf();
      await feed(97, 35);
      const ended = await alertOf();
      await feed(86, 20);
      for (const stale of [before, ended]) {
        expect(refusal(await act(nurse, stale, 'acknowledge')).code).toBe('alert_changed');
      }
      await expect(alertOf()).resolves.toMatchObject({ condition: 'active', acknowledged: null });
    });

    it.each([
      ['acknowledge', {}],
      ['accept', {}],
      ['resolve', { outcome: 'artefact' }],
      ['pause-audio', { seconds: 60 }],
    ])('says who was first, and what they did (%s)', async (name, more) => {
      await feed(86, 20);
      const seen = await alertOf();
      await taken(other, seen);
      const refused = await act(nurse, seen, name, more);
      expect(refusal(refused)).toMatchObject({
        status: 409,
        code: 'alert_changed',
        lastAct: { by: { id: other.userId } },
      });
      expect(refused.json<ErrorBody>().error.alert).toMatchObject({ accepted: { by: { id: other.userId } } });
    });

    it('is refused on a closed alert with who closed it', async () => {
      await feed(86, 20);
      await feed(97, 35);
      const ended = await alertOf();
      expect((await act(other, ended, 'acknowledge')).statusCode).toBe(200);
      expect(refusal(await act(nurse, ended, 'acknowledge'))).toMatchObject({
        status: 409,
        code: 'alert_closed',
        lastAct: { is: 'acknowledged', by: { id: other.userId } },
      });
    });

    it('is refused without a version', async () => {
      await feed(86, 20);
      const { id } = await alertOf();
      expect((await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`, {})).statusCode).toBe(422);
      expect((await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`)).statusCode).toBe(422);
    });
  });

  describe('taking alerts', () => {
    it('acknowledges and accepts all of a patient’s alerts in one call, and both are on record', async () => {
      await feed(30, 20, 'heartRate');
      await feed(86, 20);
      const both = [await alertOf('spo2'), await alertOf('rate')];
      const response = await take(nurse, both, { comment: 'At the bedside' });
      expect(response.statusCode).toBe(200);
      const by = { by: { id: nurse.userId } };
      expect(response.json<{ items: AlertItem[] }>().items).toMatchObject(
        both.map(({ id }) => ({ id, acknowledged: by, accepted: by, undo: { eventId: expect.any(Number) as number } })),
      );
      for (const alert of both) {
        await expect(audited(alert)).resolves.toEqual([
          ['acknowledge_alert', nurse.userId],
          ['accept_alert', nurse.userId],
        ]);
        await expect(log(alert)).resolves.toContainEqual(
          expect.objectContaining({ is: 'accepted', comment: 'At the bedside' }),
        );
      }
    });

    it('takes all or none', async () => {
      await feed(30, 20, 'heartRate');
      await feed(86, 20);
      const both = [await alertOf('spo2'), await alertOf('rate')];
      await act(other, both[1] ?? both[0] ?? (await alertOf()), 'acknowledge');
      expect(refusal(await take(nurse, both))).toMatchObject({ code: 'alert_changed', id: both[1]?.id });
      await expect(alertOf('spo2')).resolves.toMatchObject({ accepted: null, acknowledged: null });
      await expect(audited(both[0] ?? { id: 0 })).resolves.toEqual([]);
    });

    it('tells the second of two people who press at once who was first', async () => {
      await feed(86, 20);
      const seen = await alertOf();
      const responses = await Promise.all([take(nurse, [seen]), take(other, [seen])]);
      const [won, lost] = responses[0].statusCode === 200 ? responses : responses.toReversed();
      expect(won?.statusCode).toBe(200);
      const winner = won?.json<{ items: AlertItem[] }>().items[0]?.accepted?.by;
      expect(lost?.statusCode).toBe(409);
      expect(lost?.json<ErrorBody>().error).toMatchObject({
        code: 'alert_changed',
        message: `This alert has changed. ${winner?.name} took it.`,
        alert: { accepted: { by: winner } },
        lastAct: { by: winner },
      });
    });

    it('takes an owned alert over only if that is meant', async () => {
      await feed(86, 20);
      const owned = await taken(other, await alertOf());
      expect(refusal(await take(nurse, [owned]))).toMatchObject({ status: 409, code: 'accepted_by_somebody_else' });
      expect((await take(nurse, [owned], { takeOver: true })).statusCode).toBe(200);
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    });

    it('succeeds again for the same user and does nothing twice, as after a lost answer', async () => {
      await feed(86, 20);
      const seen = await alertOf();
      const first = await taken(nurse, seen);
      await expect(taken(nurse, seen)).resolves.toMatchObject({ version: first.version, undo: first.undo });
      expect((await words(seen)).filter((is) => is === 'accepted')).toHaveLength(1);
      await expect(audited(seen)).resolves.toHaveLength(2);
    });

    it('does not silence what became worse since the same user took it', async () => {
      await feed(86, 20);
      const seen = await alertOf();
      await taken(nurse, seen);
      await feed(70, 2);
      expect(refusal(await take(nurse, [seen])).code).toBe('alert_changed');
      await expect(alertOf()).resolves.toMatchObject({ acknowledged: null });
    });
  });

  describe('taking an action back', () => {
    it('withdraws both parts of a take, and the next step is asked when it was due', async () => {
      await feed(86, 20);
      const before = await alertOf();
      test.advance(40 * second);
      const after = await taken(nurse, before);
      expect(after.escalation.nextAt).toBeNull();
      test.advance(10 * second);
      await test.server.alerts.evaluateClock();
      const undone = (await undo(nurse, after)).json<AlertItem>();
      expect(undone).toMatchObject({ acknowledged: null, accepted: null, undo: null });
      expect(undone.escalation).toEqual(before.escalation);
      test.advance(minute - 50 * second - 1);
      await test.server.alerts.evaluateClock();
      expect((await alertOf()).escalationStep).toBe(before.escalationStep);
      test.advance(1);
      await test.server.alerts.evaluateClock();
      expect((await alertOf()).escalationStep).toBe(before.escalationStep + 1);
      expect((await audited(before)).slice(2)).toEqual([
        ['withdraw_acknowledgement', nurse.userId],
        ['withdraw_acceptance', nurse.userId],
      ]);
      await expect(words(before)).resolves.toEqual(
        expect.arrayContaining(['acknowledgement_withdrawn', 'acceptance_withdrawn']),
      );
    });

    it('asks at once for what fell due meanwhile', async () => {
      await feed(86, 20);
      const before = await alertOf();
      test.advance(55 * second);
      const after = await taken(nurse, before);
      test.advance(10 * second);
      const undone = (await undo(nurse, after)).json<AlertItem>();
      expect(undone.escalationStep).toBe(before.escalationStep + 1);
    });

    it('gives an alert back to the user from whom it was taken over', async () => {
      await feed(86, 20);
      const owned = await taken(other, await alertOf());
      const response = await take(nurse, [owned], { takeOver: true });
      const [over] = response.json<{ items: AlertItem[] }>().items;
      expect((await undo(nurse, over ?? owned)).statusCode).toBe(200);
      await expect(alertOf()).resolves.toMatchObject({ accepted: owned.accepted, escalation: owned.escalation });
    });

    it('opens again what the acknowledgement closed', async () => {
      await feed(86, 20);
      await feed(97, 35);
      const ended = await alertOf();
      expect(ended).toMatchObject({ condition: 'ended', latched: true });
      const closed = (await act(nurse, ended, 'acknowledge')).json<AlertItem>();
      expect(closed.closedBecause).toBe('acknowledged');
      expect((await undo(nurse, closed)).statusCode).toBe(200);
      await expect(alertOf()).resolves.toMatchObject({ id: ended.id, latched: true, acknowledged: null });
      await test.restart();
      await expect(alertOf()).resolves.toMatchObject({ id: ended.id, latched: true, acknowledged: null });
    });

    it('is possible after a restart, and for 15 s', async () => {
      await feed(86, 20);
      const after = await taken(nurse, await alertOf());
      await test.restart();
      test.advance(15 * second);
      await expect(alertOf()).resolves.toMatchObject({ undo: after.undo });
      expect((await undo(nurse, after)).statusCode).toBe(200);
      const again = await taken(nurse, await alertOf());
      test.advance(15 * second + 1);
      expect((await alertOf()).undo).toBeNull();
      expect(refusal(await undo(nurse, again))).toMatchObject({ status: 409, code: 'undo_too_late' });
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    });

    it('is refused for another user, for another event, and twice', async () => {
      await feed(86, 20);
      const before = await alertOf();
      const after = await taken(nurse, before);
      expect(after.undo?.eventId).toBeGreaterThan(0);
      expect((await alertOf('spo2', other)).undo).toBeNull();
      expect((await undo(other, after)).statusCode).toBe(403);
      expect(refusal(await undo(nurse, after, (after.undo?.eventId ?? 0) - 1)).code).toBe('alert_changed');
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
      expect((await undo(nurse, after)).statusCode).toBe(200);
      expect(refusal(await undo(nurse, after)).code).toBe('alert_changed');
    });

    it('is refused when the alert became worse, or another user acted', async () => {
      await feed(86, 20);
      const after = await taken(nurse, await alertOf());
      await feed(70, 2);
      expect(refusal(await undo(nurse, after))).toMatchObject({ status: 409, code: 'alert_changed' });
      const again = await taken(nurse, await alertOf());
      expect((await act(other, again, 'pause-audio', { seconds: 60 })).statusCode).toBe(200);
      expect(refusal(await undo(nurse, again))).toMatchObject({
        code: 'alert_changed',
        lastAct: { is: 'audio_paused', by: { id: other.userId } },
      });
      await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    });

    it('does not open an alert of a patient who has left since', async () => {
      await feed(86, 20);
      await feed(97, 35);
      const closed = (await act(nurse, await alertOf(), 'acknowledge')).json<AlertItem>();
      const left = { version: 1, state: 'discharged' };
      expect((await nurse.call('PATCH', `/api/v2/patients/${patient}`, left)).statusCode).toBe(200);
      expect(refusal(await undo(nurse, closed)).code).toBe('alert_changed');
    });
  });

  describe('asking another user to take an alert', () => {
    async function assign(role: AssignmentRole, userId: number): Promise<void> {
      const lead = await test.signIn(site, 'ward_lead');
      const patientId = role === 'nurse' || role === 'buddy' ? patient : null;
      const body = { unitId: unit, shift: 'current', role, patientId, userId, version: 0 };
      expect((await lead.call('PUT', '/api/v2/assignments', body)).statusCode).toBe(200);
    }
    beforeEach(async () => {
      await assign('charge_nurse', nurse.userId);
      await assign('nurse', other.userId);
      await test.server.alerts.siteChanged(site);
    });

    it('offers users on duty who see the patient, and not the caller', async () => {
      const away = await test.signIn(site, 'nurse');
      await test.addUnit(site, 'Elsewhere', [away.userId]);
      await test.server.alerts.siteChanged(site);
      await feed(86, 20);
      const { id } = await alertOf();
      const offered = (await nurse.call('GET', `/api/v2/alerts/${id}/people`)).json<{ items: object[] }>().items;
      expect(offered).toMatchObject([{ id: other.userId, type: 'nurse', roles: ['nurse'] }]);
    });

    it('refuses a user who is not on duty, does not see the patient, or asks themselves', async () => {
      const away = await test.signIn(site, 'nurse');
      await test.addUnit(site, 'Elsewhere', [away.userId]);
      const resting = await test.signIn(site, 'nurse');
      const viewer = await test.signIn(site, 'viewer');
      await test.server.alerts.siteChanged(site);
      await feed(86, 20);
      const alert = await alertOf();
      for (const userId of [away.userId, resting.userId, viewer.userId, nurse.userId, 999_999]) {
        expect(refusal(await act(nurse, alert, 'reassign', { userId })).code).toBe('cannot_be_asked');
      }
      await expect(alertOf()).resolves.toMatchObject({ reassigned: null });
    });

    it('leaves it with its owner until the other one takes it, and asks the next step without an answer', async () => {
      await feed(86, 20);
      const owned = await taken(nurse, await alertOf());
      const asked = (await act(nurse, owned, 'reassign', { userId: other.userId })).json<AlertItem>();
      expect(asked).toMatchObject({
        version: owned.version + 1,
        accepted: { by: { id: nurse.userId } },
        reassigned: { by: { id: nurse.userId }, to: { id: other.userId } },
      });
      expect(asked.escalation.answerBy).toBe(toInstant(test.now() + minute));
      test.advance(minute - 1);
      await test.server.alerts.evaluateClock();
      expect((await alertOf()).escalationStep).toBe(owned.escalationStep);
      test.advance(1);
      await test.server.alerts.evaluateClock();
      const unanswered = await alertOf();
      expect([unanswered.escalationStep, unanswered.accepted?.by.id]).toEqual([owned.escalationStep + 1, nurse.userId]);
      expect((await take(other, [unanswered], { takeOver: true })).statusCode).toBe(200);
      await expect(alertOf()).resolves.toMatchObject({
        accepted: { by: { id: other.userId } },
        reassigned: null,
        escalation: { answerBy: null, nextAt: null },
      });
      expect((await audited(owned)).map(([action]) => action)).toContain('reassign_alert');
    });

    it('is refused to the second of two users who ask others at once: the one asked first stays asked', async () => {
      await feed(86, 20);
      const alert = await alertOf();
      const third = await test.signIn(site, 'nurse');
      expect((await act(nurse, alert, 'reassign', { userId: other.userId })).statusCode).toBe(200);
      const second = await act(other, alert, 'reassign', { userId: third.userId });
      expect([second.statusCode, refusal(second).code]).toEqual([409, 'alert_changed']);
      await expect(alertOf()).resolves.toMatchObject({ reassigned: { to: { id: other.userId } } });
    });

    it('delays no step of an alert that no one has', async () => {
      await feed(86, 20);
      const alert = await alertOf();
      expect((await act(nurse, alert, 'reassign', { userId: other.userId })).statusCode).toBe(200);
      expect((await alertOf()).escalation.nextAt).toBe(alert.escalation.nextAt);
    });

    it('can be declined by the user who was asked alone', async () => {
      await feed(86, 20);
      const owned = await taken(nurse, await alertOf());
      const asked = (await act(nurse, owned, 'reassign', { userId: other.userId })).json<AlertItem>();
      const third = await test.signIn(site, 'nurse');
      const reason = 'In theatre';
      expect(refusal(await act(third, asked, 'reject', { reason })).code).toBe('accepted_by_somebody_else');
      expect((await act(other, asked, 'reject', { reason })).statusCode).toBe(200);
      await expect(alertOf()).resolves.toMatchObject({ reassigned: null, accepted: { by: { id: nurse.userId } } });
    });
  });

  it('is undone in emergency access as well, where only an acknowledgement can be made', async () => {
    await feed(86, 20);
    const far = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Elsewhere', [far.userId]);
    await far.call('POST', '/api/v2/auth/break-glass', { reason: 'A patient next door collapsed.' });
    const alert = await alertOf('spo2', far);
    expect((await take(far, [alert])).json<ErrorBody>().error.code).toBe('emergency_access');
    const seen = (await act(far, alert, 'acknowledge')).json<AlertItem>();
    expect((await undo(far, seen)).statusCode).toBe(200);
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: null });
  });
});

describe('pauses', () => {
  const day = 24 * 60 * minute;

  describe.each(apiEngines)('on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let physician: Caller;
    let patient: number;

    beforeAll(async () => {
      test = await restartableTestServer(engine);
      site = await test.addSite();
    });
    beforeEach(async () => {
      patient = await test.addPatient(site);
      await signIn();
    });

    async function signIn(): Promise<void> {
      nurse = await test.signIn(site, 'nurse');
      physician = await test.signIn(site, 'physician');
    }
    /** Lets so much time pass that screens would be locked by then. */
    async function pass(ms: number): Promise<void> {
      test.advance(ms);
      await signIn();
    }

    const urlOf = (rest: string): string => `/api/v2/patients/${patient}/${rest}`;
    const read = async (): Promise<PatientResponse> =>
      (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<PatientResponse>();
    const listed = async () => {
      const { items } = (await nurse.call('GET', '/api/v2/patients?pageSize=500&sort=familyName')).json<PatientsPage>();
      const { standby, comfortCare } = items.find(({ id }) => id === patient) ?? {};
      return { standby, comfortCare };
    };
    const codeOf = (answer: Awaited<ReturnType<Caller['call']>>): [number, string] => [
      answer.statusCode,
      answer.json<{ error: { code: string } }>().error.code,
    ];
    const audited = async () =>
      await test.store.db
        .selectFrom('audit')
        .select(['action', 'actor_id', 'details'])
        .where('object_type', '=', 'patient')
        .where('object_id', '=', patient)
        .where('action', 'in', ['set_standby', 'end_standby', 'confirm_comfort_care', 'end_comfort_care'])
        .orderBy('id')
        .execute();
    /** The queue gives the next work up while its transaction commits, which nothing can stop. */
    const giveCommitUp = (): void => {
      const { writeQueue } = test.store;
      jest.spyOn(test.store, 'writeQueue').mockImplementationOnce((work) =>
        writeQueue((givenUp) => {
          const ask = jest.spyOn(givenUp, 'throwIfAborted').mockReturnValueOnce();
          ask.mockImplementationOnce(() => {
            throw new Hung();
          });
          return work(givenUp);
        }),
      );
    };
    const discharge = () => nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });

    describe('a standby', () => {
      const start = (minutes: number, reason = 'A wash') => nurse.call('POST', urlOf('standby'), { reason, minutes });
      const end = () => nurse.call('POST', urlOf('standby/end'));

      it.each([
        [{ minutes: 0 }, 'minutes'],
        [{ minutes: 61 }, 'minutes'],
        [{ minutes: 2.5 }, 'minutes'],
        [{ minutes: null }, 'minutes'],
        [{ reason: ' no ' }, 'reason'],
        [{ until: '2026-05-01T10:00:00Z' }, 'until'],
      ])('is refused with %j', async (change, field) => {
        const answer = await nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10, ...change });
        expect(answer.statusCode).toBe(422);
        expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
        expect((await read()).standby).toBeNull();
      });

      it('takes a reason of 500 characters and no more', async () => {
        expect((await start(10, 'x'.repeat(501))).statusCode).toBe(422);
        expect((await start(10, 'x'.repeat(500))).statusCode).toBe(201);
      });

      it('is refused for a patient out of reach, and for one who is discharged', async () => {
        const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
        for (const rest of ['standby', 'standby/end']) {
          const body = rest === 'standby' ? { reason: 'A wash', minutes: 10 } : undefined;
          expect((await stranger.call('POST', urlOf(rest), body)).statusCode).toBe(404);
        }
        await discharge();
        expect(codeOf(await start(10))).toEqual([409, 'patient_discharged']);
        expect(codeOf(await end())).toEqual([409, 'patient_discharged']);
        await expect(audited()).resolves.toEqual([]);
      });

      it.each([1, 60])(
        'of %d minutes is shown on the patient and in the list until it ends by itself',
        async (minutes) => {
          const until = toInstant(test.now() + minutes * minute);
          const answer = await start(minutes, ' A wash ');
          expect(answer.statusCode).toBe(201);
          const by = { id: nurse.userId, name: expect.stringMatching(/^Robin Example/) as unknown };
          const standby = { startedAt: toInstant(test.now()), until, reason: 'A wash', by, isRenewal: false };
          expect(answer.json<StandbyResponse>()).toEqual(standby);
          await pass(minutes * minute - 1);
          expect((await read()).standby).toEqual(standby);
          await expect(listed()).resolves.toEqual({ standby: { until }, comfortCare: null });
          test.advance(1);
          expect((await read()).standby).toBeNull();
          await expect(listed()).resolves.toEqual({ standby: null, comfortCare: null });
        },
      );

      it('outlives a restart', async () => {
        await start(20);
        const before = await read();
        await test.restart();
        await expect(read()).resolves.toEqual(before);
      });

      it('is replaced by the next one, also when two begin at once', async () => {
        await start(60, 'A scan');
        const answers = await Promise.all([start(10, 'A wash'), start(20, 'A walk')]);
        expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
        const open = await test.store.db
          .selectFrom('standbys')
          .select(['reason', 'until'])
          .where('patient_id', '=', patient)
          .where('ended_at', 'is', null)
          .execute();
        const shown = (await read()).standby;
        expect(open.map(({ reason, until }) => [reason, toInstant(until)])).toEqual([[shown?.reason, shown?.until]]);
        expect(shown?.reason).not.toBe('A scan');
      });

      const left = async (who: Caller): Promise<unknown> => (await who.call('GET', urlOf('standby/left'))).json();

      it('is never longer than 120 min within 4 h, however it is split, and says what is left', async () => {
        await expect(left(nurse)).resolves.toEqual({ minutes: 60, ofBudget: 60 });
        expect((await start(60)).statusCode).toBe(201);
        await pass(30 * minute);
        expect((await start(60)).statusCode).toBe(201);
        await pass(60 * minute);
        await expect(left(nurse)).resolves.toEqual({ minutes: 30, ofBudget: 30 });
        const refused = await start(31);
        expect([refused.statusCode, refused.json()]).toMatchObject([
          422,
          { error: { fields: { minutes: 'is more than the 30 min left. A physician or ward lead can give more.' } } },
        ]);
        const answers = await Promise.all([start(30), start(30)]);
        expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
        await pass(30 * minute);
        await expect(left(nurse)).resolves.toEqual({ minutes: 0, ofBudget: 0 });
        expect((await start(1)).statusCode).toBe(422);
        await pass(119 * minute);
        await expect(left(nurse)).resolves.toEqual({ minutes: 0, ofBudget: 0 });
        // From now on each further minute leaves the four hours.
        await pass(minute);
        await expect(left(nurse)).resolves.toEqual({ minutes: 60, ofBudget: 60 });
      });

      it('is longer if a physician or ward lead starts it, for at most 60 min at once', async () => {
        for (let hours = 0; hours < 2; hours += 1) {
          await start(60);
          await pass(60 * minute);
        }
        expect((await start(10)).statusCode).toBe(422);
        for (const type of ['physician', 'ward_lead'] as const) {
          const caller = await test.signIn(site, type);
          await expect(left(caller)).resolves.toEqual({ minutes: 60, ofBudget: 0 });
          const body = { reason: 'A long scan', minutes: 60 };
          expect((await caller.call('POST', urlOf('standby'), body)).statusCode).toBe(201);
          expect((await caller.call('POST', urlOf('standby'), { ...body, minutes: 61 })).statusCode).toBe(422);
        }
      });

      it('counts the time of one that was ended early, and not what was left of it', async () => {
        await start(60);
        await pass(10 * minute);
        await end();
        await start(60);
        await pass(60 * minute);
        await expect(left(nurse)).resolves.toEqual({ minutes: 50, ofBudget: 50 });
      });

      it('is a renewal if it goes on from another one, and none if it makes that one shorter', async () => {
        const renews = async (minutes: number) => (await start(minutes)).json<StandbyResponse>().isRenewal;
        await expect(renews(20)).resolves.toBe(false);
        await expect(renews(10)).resolves.toBe(false);
        await expect(renews(20)).resolves.toBe(true);
        await test.restart();
        expect((await read()).standby?.isRenewal).toBe(true);
        await expect(renews(10)).resolves.toBe(true);
        await pass(24 * minute);
        await expect(renews(5)).resolves.toBe(true);
        await pass(20 * minute);
        await expect(renews(5)).resolves.toBe(false);
      });

      it('is ended early by any user with the permission, and only while it runs', async () => {
        expect(codeOf(await end())).toEqual([409, 'no_standby']);
        await start(10);
        test.advance(minute);
        const answers = await Promise.all([end(), end()]);
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
        expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({
          endedAt: toInstant(test.now()),
        });
        expect((await read()).standby).toBeNull();
        await start(10);
        test.advance(10 * minute);
        expect(codeOf(await end())).toEqual([409, 'no_standby']);
      });

      it('ends with a discharge, and does not apply when the patient comes back', async () => {
        await start(60);
        await discharge();
        await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'active' });
        expect((await read()).standby).toBeNull();
        await test.restart();
        expect((await read()).standby).toBeNull();
      });

      it('is on record without its reason', async () => {
        await start(10);
        await end();
        const by = { actor_id: nurse.userId, details: null };
        await expect(audited()).resolves.toEqual([
          { action: 'set_standby', ...by },
          { action: 'end_standby', ...by },
        ]);
      });
    });

    it.each<[string, 'standby' | 'comfortCare', () => ReturnType<Caller['call']>]>([
      ['standby', 'standby', () => nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10 })],
      ['end of a standby', 'standby', () => nurse.call('POST', urlOf('standby/end'))],
      ['comfort care', 'comfortCare', () => physician.call('PUT', urlOf('comfort-care'), { reason: 'Agreed on' })],
      ['end of comfort care', 'comfortCare', () => physician.call('DELETE', urlOf('comfort-care'))],
    ])('a %s that was given up while it was committed changes nothing that others see', async (name, pause, call) => {
      if (name.startsWith('end')) {
        await nurse.call('POST', urlOf('standby'), { reason: 'A wash', minutes: 10 });
        await physician.call('PUT', urlOf('comfort-care'), { reason: 'Agreed on' });
      }
      const before = (await read())[pause];
      giveCommitUp();
      expect((await call()).statusCode).toBeGreaterThanOrEqual(500);
      expect((await read())[pause]).toEqual(before);
    });

    describe('comfort care', () => {
      const confirm = (reason = 'Agreed with the family') => physician.call('PUT', urlOf('comfort-care'), { reason });
      const end = () => physician.call('DELETE', urlOf('comfort-care'));

      it.each([
        [{ reason: '' }, 'reason'],
        [{ reason: 'no' }, 'reason'],
        [{}, 'reason'],
        [{ reason: 'Agreed with the family', hours: 48 }, 'hours'],
      ])('is refused with %j', async (body, field) => {
        const answer = await physician.call('PUT', urlOf('comfort-care'), body);
        expect(answer.statusCode).toBe(422);
        expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
        expect((await read()).comfortCare).toBeNull();
      });

      it('is a physician’s to order and to end, for a patient within reach who is here', async () => {
        const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
        for (const [method, body] of [
          ['PUT', { reason: 'Agreed with the family' }] as const,
          ['DELETE', undefined] as const,
        ]) {
          expect((await nurse.call(method, urlOf('comfort-care'), body)).statusCode).toBe(403);
          expect((await stranger.call(method, urlOf('comfort-care'), body)).statusCode).toBe(404);
        }
        await discharge();
        expect(codeOf(await confirm())).toEqual([409, 'patient_discharged']);
        expect(codeOf(await end())).toEqual([409, 'patient_discharged']);
      });

      it('holds for a day from its last confirmation, over a restart', async () => {
        await confirm();
        await pass(day - 1);
        const confirmedAt = test.now();
        const answer = await confirm('Talked to the family again');
        expect(answer.statusCode).toBe(200);
        const shown: ComfortCareResponse = {
          confirmedAt: toInstant(confirmedAt),
          until: toInstant(confirmedAt + day),
          reason: 'Talked to the family again',
          by: { id: physician.userId, name: expect.stringMatching(/^Robin Example/) as string },
        };
        expect(answer.json()).toEqual(shown);
        await test.restart();
        await pass(day - 1);
        expect((await read()).comfortCare).toEqual(shown);
        await expect(listed()).resolves.toEqual({ standby: null, comfortCare: { until: shown.until } });
        test.advance(1);
        expect((await read()).comfortCare).toBeNull();
        await expect(listed()).resolves.toEqual({ standby: null, comfortCare: null });
        expect(codeOf(await end())).toEqual([409, 'no_comfort_care']);
      });

      it('ends when a physician ends it, and when the patient is discharged', async () => {
        expect(codeOf(await end())).toEqual([409, 'no_comfort_care']);
        await confirm();
        expect((await end()).statusCode).toBe(204);
        expect((await read()).comfortCare).toBeNull();
        await confirm();
        await discharge();
        await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'active' });
        expect((await read()).comfortCare).toBeNull();
      });

      it('is on record without its reason', async () => {
        await confirm();
        await end();
        const by = { actor_id: physician.userId, details: null };
        await expect(audited()).resolves.toEqual([
          { action: 'confirm_comfort_care', ...by },
          { action: 'end_comfort_care', ...by },
        ]);
      });
    });
  });
});
