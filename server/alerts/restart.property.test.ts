import fc from 'fast-check';
import { toInstant } from '../../lib/time/schema';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

/** What happens to the three patients: values of a while, a standby, or nothing but time. */
type Step =
  | {
      is: 'values';
      patient: number;
      spo2: number;
      rate: number;
      seconds: number;
      every: number;
      quality: 'good' | 'questionable' | 'invalid';
    }
  | { is: 'reading'; kind: 'spo2' | 'temperature' | 'heartRate'; value: number; agoMinutes: number }
  | { is: 'standby'; patient: number; minutes: number }
  | { is: 'wait'; seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('values' as const),
      patient: fc.integer({ min: 0, max: 1 }),
      spo2: fc.constantFrom(70, 86, 91, 93, 97),
      rate: fc.constantFrom(38, 75, 115, 135, 155),
      seconds: fc.constantFrom(5, 17, 40, 58),
      every: fc.constantFrom(1, 2, 5),
      quality: fc.constantFrom('good' as const, 'good' as const, 'questionable' as const, 'invalid' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      ...(
        [
          ['spo2', [84, 91, 97]],
          ['temperature', [34, 37, 38.6, 39.5]],
          ['heartRate', [45, 75, 125]],
        ] as const
      ).map(([kind, values]) =>
        fc.record({
          is: fc.constant('reading' as const),
          kind: fc.constant(kind),
          value: fc.constantFrom(...values),
          agoMinutes: fc.constantFrom(0, 3, 50),
        }),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('standby' as const),
      patient: fc.integer({ min: 0, max: 2 }),
      minutes: fc.constantFrom(1, 5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 60, 200, 700) }),
  },
);

// Two servers of their own. Both play the same in sites of their own, so that time passes equally and the store of both
// gives the same numbers.
let whole: TestServer;
let restarted: TestServer;
beforeAll(async () => {
  whole = await startTestServer('sqlite');
  restarted = await startTestServer('sqlite');
});
afterAll(async () => {
  await whole.stop();
  await restarted.stop();
});

/**
 * Plays the steps in a new site, each with whether the server is restarted after it, and returns what the store has of
 * the site's alerts then.
 */
async function play(
  test: TestServer,
  steps: readonly (readonly [Step, boolean])[],
  restarts: boolean,
): Promise<object[]> {
  await test.stopRules();
  const site = await test.addSite();
  await test.startRules(site);
  const monitor = await test.addDevice(site);
  const meter = await test.addDevice(site, { name: 'meter' });
  // Of a patient without a unit the users of the site are asked, who are read again only every ten seconds.
  const location = { unit: 'West', bed: '1' };
  const continuous = [await test.addPatient(site, { location }), await test.addPatient(site, { location })];
  const atHome = await test.addPatient(site, { profile: 'home', location });
  for (const [one, isRestarted] of steps) {
    // An unused screen locks itself, so the user signs in again before an action.
    await take(test, await test.signIn(site, 'nurse'), one, {
      monitor: monitor.token,
      meter: meter.token,
      continuous,
      atHome,
    });
    // As the timers of the server do every second.
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    await test.server.alerts.evaluateClock();
    if (isRestarted && restarts) {
      await test.restart();
      await test.server.rollups.catchUp(test.server.recorder.inFlight);
      await test.server.alerts.evaluateClock();
    }
  }
  return await rowsOf(test, site);
}

interface Ward {
  monitor: string;
  meter: string;
  continuous: readonly number[];
  atHome: number;
}

async function take(
  test: TestServer,
  nurse: Caller,
  one: Step,
  { monitor, meter, continuous, atHome }: Ward,
): Promise<void> {
  const send = async (token: string, samples: object[]): Promise<void> => {
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(200);
  };
  switch (one.is) {
    case 'values': {
      const patientId = continuous[one.patient];
      test.advance(one.seconds * second);
      const samples: object[] = [];
      for (let ago = one.seconds - 1; ago >= 0; ago -= one.every) {
        const takenAt = toInstant(test.now() - ago * second);
        samples.push({ patientId, kind: 'spo2', value: one.spo2, takenAt, quality: one.quality });
        samples.push({ patientId, kind: 'heartRate', value: one.rate, takenAt, quality: one.quality });
      }
      await send(monitor, samples);
      return;
    }
    case 'reading': {
      test.advance(second);
      const takenAt = toInstant(test.now() - one.agoMinutes * minute);
      await send(meter, [{ patientId: atHome, kind: one.kind, value: one.value, takenAt, quality: 'good' }]);
      return;
    }
    case 'standby': {
      const patientId = [...continuous, atHome][one.patient] ?? atHome;
      const answer = await nurse.call('POST', `/api/v2/patients/${patientId}/standby`, {
        reason: 'A wash',
        minutes: one.minutes,
      });
      expect(answer.statusCode).toBe(201);
      return;
    }
    case 'wait':
      test.advance(one.seconds * second);
      return;
    default:
      one satisfies never;
  }
}

/**
 * Silence of a monitor, a probe or a gateway counts from the start of the server, so a restart delays these alerts.
 */
const silences: readonly string[] = ['reporting', 'sensor', 'gateway', 'readings', 'news2'];

async function rowsOf({ store }: TestServer, site: number): Promise<object[]> {
  const alerts = await store.db.selectFrom('alerts').selectAll().where('site_id', '=', site).orderBy('id').execute();
  const events = await store.db
    .selectFrom('alert_events')
    .select(['alert_id', 'event'])
    .where('site_id', '=', site)
    .orderBy('id')
    .execute();
  return alerts
    .filter(({ parameter }) => !silences.includes(parameter))
    .map(({ id, facts, evidence, ...row }) => ({
      ...row,
      facts: JSON.parse(facts) as unknown,
      evidence: JSON.parse(evidence) as unknown,
      log: events.filter(({ alert_id }) => alert_id === id).map(({ event }) => JSON.parse(event) as unknown),
    }));
}

/**
 * What is found only by chance: doubtful and invalid values, and nothing else, long after those that an alert rests on.
 */
const onceWrong: [Step, boolean][] = [
  [{ is: 'values', patient: 0, spo2: 97, rate: 135, seconds: 58, every: 1, quality: 'good' }, true],
  [{ is: 'values', patient: 1, spo2: 91, rate: 155, seconds: 58, every: 5, quality: 'good' }, true],
  [{ is: 'values', patient: 1, spo2: 86, rate: 115, seconds: 40, every: 5, quality: 'good' }, false],
  [{ is: 'values', patient: 0, spo2: 86, rate: 155, seconds: 58, every: 1, quality: 'good' }, false],
  [{ is: 'wait', seconds: 200 }, true],
  [{ is: 'reading', kind: 'heartRate', value: 125, agoMinutes: 0 }, true],
  [{ is: 'values', patient: 0, spo2: 86, rate: 38, seconds: 5, every: 5, quality: 'invalid' }, true],
];

it('alerts and their logs are the same whether or not the server was restarted in between', async () => {
  let change = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 8, maxLength: 14 }), async (steps) => {
      const without = await play(whole, steps, false);
      change += without.length;
      await expect(play(restarted, steps, true)).resolves.toEqual(without);
    }),
    {
      seed: Number(process.env.RESTART_SEED ?? 1),
      numRuns: Number(process.env.RESTART_RUNS ?? 5),
      endOnFailure: true,
      examples: [[onceWrong]],
    },
  );
  expect(change).toBeGreaterThan(0);
}, 600_000);
