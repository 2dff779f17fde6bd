import { readAlertConflict } from '../../lib/alerts/readAlertConflict';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { ErrorBody } from '../../lib/api/errorBody';
import type { AssignmentRole } from '../../lib/assignments/roles';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

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
    await test.stopRules();
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
    await test.stopRules();
    site = await test.addSite();
    await test.startRules(site);
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
