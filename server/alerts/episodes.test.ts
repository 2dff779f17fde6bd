import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('an alert whose condition comes and goes on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { token: string };
  let nurse: Caller;
  let patient: number;
  let startedAt: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    test.advance(60 * minute);
    const name = `Unit ${test.now()}`;
    unit = await test.addUnit(site, name);
    device = await test.addDevice(site);
    patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    const lead = await test.signIn(site, 'ward_lead');
    await assign(lead, 'nurse', nurse.userId);
    await test.server.alerts.evaluateClock();
    startedAt = test.now();
  });

  async function assign(lead: Caller, role: AssignmentRole, userId: number): Promise<void> {
    const body = { unitId: unit, shift: 'current', role, patientId: patient, userId, version: 0 };
    expect((await lead.call('PUT', '/api/v2/assignments', body)).statusCode).toBe(200);
  }
  /** Sends a value a second, ten in a call, and lets the server look at its clock. */
  async function feed(values: readonly number[]): Promise<void> {
    for (let first = 0; first < values.length; first += 10) {
      const part = values.slice(first, first + 10);
      const samples = part.map((value, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + (place + 1) * second),
        quality: 'good',
      }));
      test.advance(part.length * second);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: part.length });
      await test.server.alerts.evaluateClock();
    }
  }
  const lasting = (value: number, seconds: number): number[] => Array.from({ length: seconds }, () => value);
  const repeated = (times: number, values: readonly number[]): number[] =>
    Array.from({ length: times }, () => values).flat();
  async function alertOf(): Promise<AlertItem> {
    // Screens are locked after some minutes without input.
    const reader = await test.signIn(site, 'physician');
    const { items } = (await reader.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  }
  async function logOf({ id }: AlertItem): Promise<LoggedEvent[]> {
    const reader = await test.signIn(site, 'physician');
    return (await reader.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  }
  /** Each step that was asked, with the seconds since the test began. */
  const stepsOf = async (alert: AlertItem): Promise<[number, number][]> =>
    (await logOf(alert)).flatMap((event): [number, number][] =>
      event.is === 'asked' ? [[event.step, (Date.parse(event.at) - startedAt) / second]] : [],
    );

  it('asks everyone of the plan about SpO2 84 for 40 s and 95 for 35 s, for 15 min', async () => {
    await feed(repeated(12, [...lasting(84, 40), ...lasting(95, 35)]));
    const alert = await alertOf();
    expect(alert).toMatchObject({ episodes: 12, escalationStep: 4 });
    const steps = await stepsOf(alert);
    expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
    const [raisedAt, next, third, fourth] = steps.map(([, at]) => at);
    // Raised by the call of the 20th second, and for the third time after two and a half minutes: then the next step
    // is due at once (E4).
    expect([raisedAt, next]).toEqual([20, 80]);
    expect(third).toBeLessThanOrEqual(170);
    expect(fourth).toBeLessThanOrEqual(500);
  });

  it('asks everyone of the plan about SpO2 74 for 8 s every 2 min', async () => {
    await feed(repeated(8, [...lasting(74, 8), ...lasting(97, 112)]));
    const steps = await stepsOf(await alertOf());
    expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3]);
    expect(steps.at(-1)?.[1]).toBeLessThan(15 * 60);
  });

  it('asks rapid response no later because SpO2 falls from 84 to 76 just before', async () => {
    // Raised at 20 s: rapid response is due at 320 s. It falls at 311 s.
    await feed([...lasting(84, 310), ...lasting(76, 20)]);
    const steps = await stepsOf(await alertOf());
    expect(steps.filter(([step]) => step === 3)).toEqual([[3, 320]]);
    expect(steps.filter(([step]) => step === 0)).toHaveLength(2);
  });

  it('leaves the alert with the nurse at the bedside at the next dip', async () => {
    await feed(lasting(84, 20));
    const { id, version } = await alertOf();
    expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(200);
    await feed([...lasting(95, 40), ...lasting(84, 120)]);
    const alert = await alertOf();
    expect(alert).toMatchObject({ id, episodes: 2, acknowledged: null, accepted: { by: { id: nurse.userId } } });
    await expect(stepsOf(alert)).resolves.toEqual([[0, 20]]);
  });

  it('writes at most 10 lines in 7 min about readings at home that alternate between 92 and 93', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    await feed(repeated(210, [92, 93]));
    const alert = await alertOf();
    const log = await logOf(alert);
    expect(log.length).toBeLessThanOrEqual(10);
    expect(alert).toMatchObject({ priority: 'high', escalationStep: 2 });
  });

  it('asks step 1 about a HIGH alert that ended unseen, also over a restart, and keeps it listed', async () => {
    await feed([...lasting(84, 20), ...lasting(97, 35)]);
    await expect(stepsOf(await alertOf())).resolves.toEqual([[0, 20]]);
    await test.restart();
    test.advance(25 * second);
    await test.server.alerts.evaluateClock();
    test.advance(10 * minute);
    await test.server.alerts.evaluateClock();
    const alert = await alertOf();
    await expect(stepsOf(alert)).resolves.toEqual([
      [0, 20],
      [1, 80],
    ]);
    expect(alert).toMatchObject({ condition: 'ended', latched: true, closedAt: null });
  });

  it('is raised for a new episode after more than 5 min, also while the old one is listed', async () => {
    await feed([...lasting(84, 20), ...lasting(97, 30)]);
    const { id, version } = await alertOf();
    expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(200);
    await feed([...lasting(97, 310), ...lasting(84, 20)]);
    const alert = await alertOf();
    expect(alert).toMatchObject({ id, accepted: null, escalationStep: 1 });
    expect([alert.raisedAt, alert.lastRaisedAt]).toEqual([alert.escalation.startedAt, alert.escalation.startedAt]);
    expect(Date.parse(alert.raisedAt) - startedAt).toBe(380 * second);
  });
});
