import type { AlertsPage, AlertItem } from '../../lib/alerts/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import type { applyClock } from './applyClock';
import type { applySamples } from './applySamples';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';

/** The patients whose evaluation throws, each with what throws. */
const mockBroken = { samples: new Set<number>(), clock: new Set<number>() };
jest.mock('./applySamples', () => {
  const actual = jest.requireActual<{ applySamples: typeof applySamples }>('./applySamples');
  return {
    applySamples: (...given: Parameters<typeof applySamples>) => {
      if (mockBroken.samples.has(given[0].patientId)) {
        throw new TypeError('spo2 of Jane Example is 61');
      }
      return actual.applySamples(...given);
    },
  };
});
jest.mock('./applyClock', () => {
  const actual = jest.requireActual<{ applyClock: typeof applyClock }>('./applyClock');
  return {
    ...actual,
    applyClock: (...given: Parameters<typeof applyClock>) => {
      if (mockBroken.clock.has(given[0].patientId)) {
        throw new TypeError('spo2 of Jane Example is 61');
      }
      return actual.applyClock(...given);
    },
  };
});

describe.each(apiEngines)('a subject that throws, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let token: string;
  let poisoned: number;
  let well: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
  });
  beforeEach(async () => {
    ({ token } = await test.addDevice(site));
    poisoned = await test.addPatient(site);
    well = await test.addPatient(site);
    test.advance(3_600_000);
  });
  afterEach(() => {
    mockBroken.samples.clear();
    mockBroken.clock.clear();
  });

  const open = async (of: number): Promise<AlertItem[]> => {
    // An unused screen locks itself.
    const nurse = await test.signIn(site, 'nurse');
    return (await nurse.call('GET', `/api/v2/alerts?patientId=${of}`)).json<AlertsPage>().items;
  };
  const metric = async (evaluating: string): Promise<number> => {
    const text = await test.server.metrics.registry.metrics();
    const [, value] =
      new RegExp(`^wardlight_rule_failures_total\\{evaluating="${evaluating}"\\} (.*)$`, 'm').exec(text) ?? [];
    return Number(value ?? 0);
  };
  /** Sends a value a second of both patients in one call for each ten seconds, and lets the time pass. */
  async function feed(value: number, seconds: number): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const samples = Array.from({ length: 10 }, (_, place) =>
        [poisoned, well].map((patientId) => ({
          patientId,
          kind: 'spo2',
          value,
          takenAt: toInstant(test.now() + place * 1_000),
          quality: 'good',
        })),
      ).flat();
      test.advance(10_000);
      const answer = await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length, rejected: [] });
      await test.server.alerts.evaluateClock();
    }
  }

  it('by its samples raises "rules failed", and the others of the call are stored and raise theirs', async () => {
    const before = await metric('samples');
    mockBroken.samples.add(poisoned);
    await feed(84, 20);
    await expect(open(poisoned)).resolves.toMatchObject([
      { parameter: 'rules', rule: 'rules.failed', priority: 'high', condition: 'active', escalationStep: 1 },
    ]);
    expect((await open(poisoned))[0]?.sentence).toMatch(/^Rules failed for this patient, /);
    await expect(open(well)).resolves.toMatchObject([{ parameter: 'spo2', rule: 'spo2.low' }]);
    const { count } = await test.store.db
      .selectFrom('samples')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('patient_id', '=', poisoned)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(20);
    expect((await metric('samples')) - before).toBe(2);
  });

  it('says so once in the log, with its number and nothing of the patient', async () => {
    mockBroken.samples.add(poisoned);
    await feed(84, 30);
    const lines = test.logLines.filter(({ patientId }) => patientId === poisoned);
    expect(lines).toMatchObject([{ evaluating: 'samples', fault: 'TypeError', msg: 'the rules failed for a subject' }]);
    expect(JSON.stringify(lines)).not.toContain('Jane');
  });

  it('ends its alert when the same does not throw any more, and not because the clock is well', async () => {
    mockBroken.samples.add(poisoned);
    await feed(84, 10);
    await test.server.alerts.evaluateClock();
    await expect(open(poisoned)).resolves.toMatchObject([{ rule: 'rules.failed', episodes: 1 }]);
    mockBroken.samples.clear();
    await feed(97, 10);
    await expect(open(poisoned)).resolves.toEqual([]);
  });

  it('by the clock still asks the next steps of its alerts, and the others are evaluated', async () => {
    await feed(84, 20);
    await expect(open(poisoned)).resolves.toMatchObject([{ rule: 'spo2.low', escalationStep: 1 }]);
    mockBroken.clock.add(poisoned);
    await test.server.alerts.evaluateClock();
    test.advance(600_000);
    await test.server.alerts.evaluateClock();
    const steps = new Map((await open(poisoned)).map(({ rule, escalationStep }) => [rule, escalationStep]));
    expect(steps.get('spo2.low')).toBeGreaterThan(1);
    expect(steps.get('rules.failed')).toBeGreaterThan(1);
    const [other] = await open(well);
    expect(other?.rule).toBe('spo2.low');
    expect(other?.escalationStep).toBeGreaterThan(1);
  });

  it('does not make the heartbeat heard', async () => {
    mockBroken.samples.add(0);
    let changes = 0;
    const stop = test.server.alerts.onChange((siteId) => {
      changes += siteId === 0 ? 1 : 0;
    });
    await test.server.recorder.record({
      deviceId: 0,
      siteId: 0,
      receivedAt: test.now(),
      sentAt: toInstant(test.now()),
      battery: null,
      samples: [{ mrn: 'heartbeat', kind: 'spo2', value: 50, takenAt: toInstant(test.now() - 1_000), quality: 'good' }],
    });
    stop();
    expect(changes).toBe(0);
  });

  it('by its setting or its report leaves the call of the user answered', async () => {
    mockBroken.clock.add(poisoned);
    await test.server.alerts.siteChanged(site);
    await test.server.alerts.reconsider(poisoned);
    await test.server.alerts.reported(poisoned);
    await expect(open(poisoned)).resolves.toMatchObject([{ rule: 'rules.failed' }]);
  });
});
