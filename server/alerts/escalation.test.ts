import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('escalation on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { id: number; token: string };
  let lead: Caller;
  let nurse: Caller;
  let buddy: Caller;
  let charge: Caller;
  let physician: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
  });
  beforeEach(async () => {
    test.advance(10 * minute);
    // A unit of its own for each test: what is assigned in one is nothing to another.
    const name = `Unit ${test.now()}`;
    unit = await test.addUnit(site, name);
    patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
    lead = await test.signIn(site, 'ward_lead');
    nurse = await test.signIn(site, 'nurse');
    buddy = await test.signIn(site, 'nurse');
    charge = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    // The users of a site are read again after at most ten seconds.
    await test.server.alerts.evaluateClock();
  });

  const assign = async (role: AssignmentRole, to: Caller): Promise<void> => {
    const patientId = role === 'nurse' || role === 'buddy' ? patient : null;
    const answer = await lead.call('PUT', '/api/v2/assignments', {
      unitId: unit,
      shift: 'current',
      role,
      patientId,
      userId: to.userId,
      version: 0,
    });
    expect(answer.statusCode).toBe(200);
  };
  const assignAll = async (): Promise<void> => {
    await assign('nurse', nurse);
    await assign('buddy', buddy);
    await assign('charge_nurse', charge);
    await assign('on_call_physician', physician);
  };

  /** Sends a value a second that were measured up to now. */
  const feed = async (value: number, seconds: number): Promise<void> => {
    const samples = Array.from({ length: seconds }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(seconds * second);
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ accepted: seconds });
  };
  const alertOf = async (who = nurse): Promise<AlertItem> => {
    const { items } = (await who.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  };
  /** A HIGH alert that is raised at this moment. */
  const raise = async (): Promise<AlertItem> => {
    await feed(86, 16);
    const alert = await alertOf();
    expect(alert).toMatchObject({ priority: 'high', raisedAt: toInstant(test.now()) });
    return alert;
  };
  const logOf = async (id: number): Promise<LoggedEvent[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  const wordsOf = async (id: number): Promise<string[]> => (await logOf(id)).map(({ is }) => is);
  /** Who was asked: how long after `raisedAt`, in seconds, and whom. */
  const askedOf = async ({ id, raisedAt }: AlertItem) =>
    (await logOf(id)).flatMap((event) => {
      if (event.is !== 'asked') {
        return [];
      }
      const { users, wholeUnit, unheld, contact } = event.to;
      const after = (Date.parse(event.at) - Date.parse(raisedAt)) / second;
      return [{ after, to: users.map(({ id: user }) => user), wholeUnit, unheld, contact }];
    });
  const act = async (who: Caller, id: number, name: string, body?: object): Promise<void> => {
    const version = test.server.alerts.find(id)?.alert.version;
    const response = await who.call('POST', `/api/v2/alerts/${id}/${name}`, { version, ...body });
    expect(response.statusCode).toBe(200);
  };
  /** Lets time pass and the server look at its clock. */
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  };
  /** The server is not there for so long. */
  const beAway = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.restart();
    await test.server.alerts.evaluateClock();
  };

  const inUnit = { wholeUnit: true, contact: null };
  const byName = { wholeUnit: false, contact: null, unheld: [] };

  it('asks nurse at once, buddy and charge nurse at 60 s, physician at 120 s, rapid response at 300 s', async () => {
    await assignAll();
    const alert = await raise();
    const expected: object[] = [{ after: 0, to: [nurse.userId], ...byName }];
    for (const [wait, step] of [
      [60, { after: 60, to: [buddy.userId, charge.userId], ...byName }],
      [60, { after: 120, to: [physician.userId], ...inUnit, unheld: [] }],
      [180, { after: 300, to: [], wholeUnit: false, unheld: [], contact: 'rapid_response' }],
    ] as const) {
      await pass(wait * second - 1);
      await expect(askedOf(alert)).resolves.toEqual(expected);
      await pass(1);
      expected.push(step);
      await expect(askedOf(alert)).resolves.toEqual(expected);
    }
    await expect(alertOf()).resolves.toMatchObject({ escalationStep: 4 });
    await pass(9 * minute);
    await expect(askedOf(alert)).resolves.toHaveLength(4);
  });

  it('goes to the whole unit at once if no role of a step has a holder, and names these roles', async () => {
    const alert = await raise();
    await pass(60 * second);
    await pass(60 * second);
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [], ...inUnit, unheld: ['nurse'] },
      { after: 60, to: [], ...inUnit, unheld: ['buddy', 'charge_nurse'] },
      { after: 120, to: [], ...inUnit, unheld: ['on_call_physician'] },
    ]);
  });

  it('asks whom there is where one of two roles is held, and says which is not', async () => {
    await assign('nurse', nurse);
    await assign('charge_nurse', charge);
    const alert = await raise();
    await pass(60 * second);
    expect((await askedOf(alert))[1]).toEqual({
      after: 60,
      to: [charge.userId],
      wholeUnit: false,
      contact: null,
      unheld: ['buddy'],
    });
  });

  it('treats a role as unheld if the nurse’s account is disabled', async () => {
    await assign('nurse', nurse);
    await assign('buddy', buddy);
    await assign('charge_nurse', charge);
    await test.store.db
      .updateTable('users')
      .set({ disabled_at: test.now() })
      .where('id', 'in', [nurse.userId, buddy.userId])
      .execute();
    await pass(10 * second);
    const alert = await raise();
    await pass(60 * second);
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [], ...inUnit, unheld: ['nurse'] },
      { after: 60, to: [charge.userId], wholeUnit: false, contact: null, unheld: ['buddy'] },
    ]);
  });

  it('stops when a user accepts, who keeps the alert when it gets worse', async () => {
    await assignAll();
    const { id } = await raise();
    await pass(30 * second);
    await act(nurse, id, 'accept');
    await pass(10 * minute);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted']);
    await feed(70, 2);
    await expect(alertOf()).resolves.toMatchObject({
      id,
      rule: 'spo2.desat',
      accepted: { by: { id: nurse.userId } },
      lastRaisedAt: toInstant(test.now()),
      escalation: { nextAt: null, next: { roles: ['buddy', 'charge_nurse'] } },
    });
    await pass(60 * second);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'upgraded']);
  });

  it('is not stopped by acknowledging: the next step is asked all the same, and has heard nothing yet', async () => {
    await assignAll();
    const alert = await raise();
    await pass(30 * second);
    await act(nurse, alert.id, 'acknowledge');
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: { by: { id: nurse.userId } }, escalationStep: 1 });
    await pass(30 * second);
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: null, escalationStep: 2 });
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 60]);
  });

  it('asks the next step at once when somebody cannot, and the one after it at its time', async () => {
    await assignAll();
    const alert = await raise();
    await pass(10 * second);
    await act(nurse, alert.id, 'reject', { reason: 'With another patient' });
    await expect(askedOf(alert)).resolves.toEqual([
      { after: 0, to: [nurse.userId], ...byName },
      { after: 10, to: [buddy.userId, charge.userId], ...byName },
    ]);
    await pass(50 * second);
    await expect(askedOf(alert)).resolves.toHaveLength(2);
    await pass(60 * second);
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 10, 120]);
  });

  it('reminds of an acknowledged HIGH alert after two minutes, once, until somebody acknowledges again', async () => {
    await assignAll();
    const { id } = await raise();
    await act(nurse, id, 'accept');
    await act(nurse, id, 'acknowledge');
    await pass(2 * minute - 1);
    await expect(alertOf()).resolves.toMatchObject({ remindedAt: null });
    await pass(1);
    await expect(alertOf()).resolves.toMatchObject({ remindedAt: toInstant(test.now()) });
    await pass(5 * minute);
    const soFar = ['raised', 'asked', 'accepted', 'acknowledged', 'reminded'];
    await expect(wordsOf(id)).resolves.toEqual(soFar);
    await act(nurse, id, 'acknowledge');
    await pass(2 * minute);
    await expect(wordsOf(id)).resolves.toEqual([...soFar, 'acknowledged', 'reminded']);
  });

  it('asks one step of those that were due while the server was down, and the next one an interval later', async () => {
    await assignAll();
    const alert = await raise();
    await beAway(130 * second);
    const due = [
      { after: 0, to: [nurse.userId], ...byName },
      { after: 130, to: [buddy.userId, charge.userId], ...byName },
    ];
    await expect(askedOf(alert)).resolves.toEqual(due);
    await test.server.alerts.evaluateClock();
    await beAway(0);
    await expect(askedOf(alert)).resolves.toEqual(due);
    await pass(minute - 1);
    await expect(askedOf(alert)).resolves.toEqual(due);
    await pass(1);
    await expect(askedOf(alert)).resolves.toEqual([
      ...due,
      { after: 190, to: [physician.userId], ...inUnit, unheld: [] },
    ]);
    await beAway(10 * minute);
    expect((await askedOf(alert)).map(({ after }) => after)).toEqual([0, 130, 190, 790]);
  });

  it('reminds once of what was due while the server was down, and keeps who accepted an alert', async () => {
    await assignAll();
    const { id } = await raise();
    await act(nurse, id, 'accept');
    await act(nurse, id, 'acknowledge');
    await beAway(7 * minute);
    await beAway(minute);
    await expect(wordsOf(id)).resolves.toEqual(['raised', 'asked', 'accepted', 'acknowledged', 'reminded']);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } }, escalationStep: 1 });
  });
});
