import fc from 'fast-check';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { qualities } from '../../lib/vitals/schema';
import { engines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { startTestServer, type TestServer } from '../../test/testServer';
import { isInvalid, qualityOf } from '../vitals/qualityCode';
import type { Latest } from '../vitals/sample';

const streamKinds = ['spo2', 'heartRate'] as const;

/**
 * One sample of a stream; `second` counts from the start of the run, `device` and `patient` are places in its lists.
 */
const entry = fc.record({
  patient: fc.nat(1),
  kind: fc.constantFrom(...streamKinds),
  device: fc.nat(1),
  second: fc.integer({ min: -200, max: 0 }),
  value: fc.constantFrom(0, 60, 90, 95, 100),
  quality: fc.constantFrom(...qualities),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
const keyOf = ({ patient, kind, device, second }: Entry): string => `${patient} ${kind} ${device} ${second}`;
const distinct = fc.uniqueArray(entry, { minLength: 1, maxLength: 60, selector: keyOf });

/** How a stream is cut into calls, and what happens after each. */
const step = fc.record({
  size: fc.integer({ min: 1, max: 20 }),
  then: fc.constantFrom('nothing', 'seconds', 'minute', 'rollup'),
});
const plan = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), restartAfter: fc.option(fc.nat(6)) });
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
const simplePlan: Plan = { steps: [{ size: 1_000, then: 'nothing' }], restartAfter: null };

describe.each(engines)('a stream of samples on %s', (engine) => {
  let test: TestServer;
  let site: number;

  // A server of its own for each engine: it is restarted dozens of times.
  beforeAll(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
  });
  afterAll(() => test.stop());

  const rollUp = (): Promise<void> => test.server.rollups.catchUp(test.server.recorder.inFlight);

  /** Delivers a stream to two new patients from two new devices and returns them. */
  async function deliver(stream: readonly Entry[], { steps, restartAfter }: Plan, start: number) {
    const patients = [await test.addPatient(site), await test.addPatient(site)];
    const devices = [await test.addDevice(site), await test.addDevice(site)];
    let at = 0;
    for (let call = 0; at < stream.length; call += 1) {
      const { size, then } = steps[call % steps.length] ?? { size: 1, then: 'nothing' };
      const part = stream.slice(at, at + size);
      at += size;
      const answers = await Promise.all(
        devices.map(({ token }, device) => {
          const samples = part
            .filter((one) => one.device === device)
            .map(({ patient, kind, value, quality, second }) => ({
              patientId: patients[patient],
              kind,
              value,
              quality,
              takenAt: toInstant(start + second * 1_000),
            }));
          return test.ingest(token, samples, { sentAt: toInstant(test.now()) });
        }),
      );
      expect(answers.map((answer) => [answer.statusCode, answer.json<{ rejected: unknown[] }>().rejected])).toEqual([
        [200, []],
        [200, []],
      ]);
      test.advance(then === 'minute' ? 70_000 : then === 'seconds' ? 3_000 : 0);
      if (then === 'rollup') {
        await rollUp();
      }
      if (call === restartAfter) {
        await test.restart();
      }
    }
    return { patients, devices: devices.map(({ id }) => id) };
  }
  type Delivered = Awaited<ReturnType<typeof deliver>>;

  /** Everything that is kept of a delivered stream, without what names its patients, devices and times of arrival. */
  async function kept({ patients, devices }: Delivered) {
    const { db } = test.store;
    const samples = await db.selectFrom('samples').selectAll().where('patient_id', 'in', patients).execute();
    const minutes = await db.selectFrom('minutes').selectAll().where('patient_id', 'in', patients).execute();
    const deviceOf = (id: number): number => devices.indexOf(id);
    return {
      samples: samples
        .map((row) =>
          [
            patients.indexOf(row.patient_id),
            row.kind,
            row.taken_at,
            deviceOf(row.device_id),
            row.value,
            qualityOf(row.quality),
          ].join(' '),
        )
        .sort(),
      minutes: minutes
        .map((row) =>
          [
            patients.indexOf(row.patient_id),
            row.kind,
            row.minute,
            row.min,
            row.max,
            row.last,
            row.count,
            row.questionable,
            row.invalid,
          ].join(' '),
        )
        .sort(),
      latest: patients.flatMap((id) =>
        streamKinds.map((kind) => shown(test.server.liveState.latestOf(id).get(kinds[kind].code), deviceOf)),
      ),
      ofDevices: patients.flatMap((id) =>
        streamKinds.flatMap((kind) =>
          test.server.liveState
            .latestOfDevices(id, kinds[kind].code)
            .map((latest) => shown(latest, deviceOf)?.value.join(' '))
            .sort(),
        ),
      ),
    };
  }

  /** What `kept` must be, worked out from the stored samples alone. */
  async function derived({ patients, devices }: Delivered) {
    const deviceOf = (id: number): number => devices.indexOf(id);
    const samples = await test.store.db.selectFrom('samples').selectAll().where('patient_id', 'in', patients).execute();
    const inOrder = samples.sort((a, b) =>
      a.taken_at === b.taken_at ? a.device_id - b.device_id : a.taken_at - b.taken_at,
    );
    const groups = new Map<string, typeof samples>();
    for (const row of inOrder) {
      const name = `${patients.indexOf(row.patient_id)} ${row.kind} ${row.minute}`;
      groups.set(name, [...(groups.get(name) ?? []), row]);
    }
    const minutes = [...groups].map(([name, rows]) => {
      const values = rows.filter((row) => !isInvalid(row.quality)).map((row) => row.value);
      const extremes = values.length === 0 ? ['', '', ''] : [Math.min(...values), Math.max(...values), values.at(-1)];
      const questionable = rows.filter((row) => qualityOf(row.quality) === 'questionable').length;
      return [name, ...extremes, values.length, questionable, rows.length - values.length].join(' ');
    });
    const latest = patients.flatMap((id) =>
      streamKinds.map((kind) => {
        // Every sample came after it was taken and with its clock's time, so its age counts from takenAt.
        const rows = inOrder.filter((row) => row.patient_id === id && row.kind === kinds[kind].code);
        const newest = rows.at(-1);
        const valid = rows.findLast((row) => !isInvalid(row.quality));
        return newest === undefined
          ? null
          : {
              value: [newest.value, qualityOf(newest.quality), newest.taken_at, deviceOf(newest.device_id)],
              valid: valid === undefined ? null : [valid.value, valid.taken_at, deviceOf(valid.device_id)],
            };
      }),
    );
    const ofDevices = patients.flatMap((id) =>
      streamKinds.flatMap((kind) =>
        devices
          .map((device) =>
            inOrder.findLast(
              (row) => row.patient_id === id && row.kind === kinds[kind].code && row.device_id === device,
            ),
          )
          .filter((row) => row !== undefined)
          .map((row) => [row.value, qualityOf(row.quality), row.taken_at, deviceOf(row.device_id)].join(' '))
          .sort(),
      ),
    );
    return { minutes: minutes.sort(), latest, ofDevices };
  }

  function shown(latest: Latest | undefined, deviceOf: (id: number) => number) {
    if (latest === undefined) {
      return null;
    }
    const { sample, valid } = latest;
    return {
      value: [sample.value, qualityOf(sample.quality), sample.takenAt, deviceOf(sample.deviceId)],
      valid: valid === null ? null : [valid.value, valid.takenAt, deviceOf(valid.deviceId)],
    };
  }

  async function closeEverything(): Promise<void> {
    test.advance(130_000);
    await rollUp();
  }

  /** One of so many of the usual runs. PostgreSQL has a third of them: each takes longer, and finds the same. */
  const runsOf = (share: number): number => Math.ceil(fuzzRuns.numRuns / (engine === 'sqlite' ? share : 3 * share));

  it('ends the same however it is shuffled, split, repeated and cut by a restart', async () => {
    const deliveries = distinct.chain((stream) =>
      fc.record({
        stream: fc.constant(stream),
        again: fc.shuffledSubarray([...stream, ...stream.slice(0, 10)], {
          minLength: stream.length + Math.min(10, stream.length),
        }),
        plan,
      }),
    );
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ stream, again, plan: chosen }) => {
        // Some of its minutes are still open then, unless the plan closes them.
        test.advance(300_000);
        const start = test.now();
        const once = await deliver(stream, simplePlan, start);
        const often = await deliver(again, chosen, start);
        await closeEverything();
        const [first, second] = [await kept(once), await kept(often)];
        expect(second).toEqual(first);
        expect(first.samples).toHaveLength(stream.length);
        expect({ minutes: first.minutes, latest: first.latest, ofDevices: first.ofDevices }).toEqual(
          await derived(once),
        );
      }),
      { ...fuzzRuns, numRuns: runsOf(15) },
    );
  });

  it('is what its minutes and latest values say, whatever was corrected, before and after a restart', async () => {
    const contradicting = fc.array(fc.record({ one: entry, near: fc.nat(5) }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(contradicting, plan, fc.boolean(), async (entries, chosen, isClosedFirst) => {
        // Few keys, so that samples contradict each other often and the newest ones above all.
        const stream = entries.map(({ one, near }) => ({ ...one, second: near === 5 ? one.second : -near }));
        test.advance(300_000);
        const delivered = await deliver(stream, chosen, test.now());
        const expected = await derived(delivered);
        const latestNow = async () => {
          const { latest, ofDevices } = await kept(delivered);
          return { latest, ofDevices };
        };
        const { latest, ofDevices } = expected;
        await expect(latestNow()).resolves.toEqual({ latest, ofDevices });
        // A start reads what is open still, or what closed minutes say; one of the two for each stream.
        if (isClosedFirst) {
          await closeEverything();
        }
        await test.restart();
        await expect(latestNow()).resolves.toEqual({ latest, ofDevices });
        await closeEverything();
        expect((await kept(delivered)).minutes).toEqual(expected.minutes);
      }),
      { ...fuzzRuns, numRuns: runsOf(18) },
    );
  });
});
