import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('a device that does not send its own time, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  let device: { id: number; token: string };

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    nurse = await test.signIn(site, 'nurse');
    patient = await test.addPatient(site);
    device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: second });
  });

  /** Sends a value that was measured just now by a clock that is `slowMs` behind. */
  const send = async (value: number, slowMs: number, to = patient, from = device): Promise<void> => {
    const takenAt = toInstant(test.now() - slowMs);
    const answer = await test.ingest(from.token, [{ patientId: to, kind: 'spo2', value, takenAt, quality: 'good' }]);
    expect(answer.json()).toMatchObject({ accepted: 1 });
    await test.server.alerts.evaluateClock();
  };
  const stored = () =>
    test.store.db.selectFrom('samples').select('taken_at').where('patient_id', '=', patient).execute();
  const shown = async (id = patient) => (await nurse.call('GET', `/api/v2/patients/${id}`)).json<Patient>().latest.spo2;
  const alertOf = async (id = patient): Promise<AlertItem | undefined> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${id}`))
      .json<AlertsPage>()
      .items.find(({ parameter }) => parameter === 'spo2');

  it('shows its first value with an unknown age, and knows its clock from the second call on', async () => {
    await send(97, 5 * minute);
    await expect(shown()).resolves.toMatchObject({
      ageUnknown: true,
      quality: 'questionable',
      asOf: toInstant(test.now()),
    });
    test.advance(6 * second);
    await send(97, 5 * minute);
    const after = await shown();
    expect(after).toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
    expect(after).not.toHaveProperty('ageUnknown');
  });

  it('has the offset of its clock stored once, and again when it has changed', async () => {
    const devices = () => test.server.store.db.updateTable('devices').where('id', '=', device.id);
    const stored = async () =>
      (await devices().set({ name: 'Monitor' }).returning('clock_offset_ms').executeTakeFirstOrThrow()).clock_offset_ms;
    // As the values of an HL7 sender come, without a call of the device.
    const record = async (slowMs: number): Promise<void> => {
      const [receivedAt, takenAt] = [test.now(), toInstant(test.now() - slowMs)];
      const samples = [{ patientId: patient, kind: 'spo2', value: 97, takenAt, quality: 'good' }];
      const call = { deviceId: device.id, siteId: site, receivedAt, sentAt: undefined, battery: null, samples };
      await expect(test.server.recorder.record(call)).resolves.toMatchObject({ accepted: 1 });
      test.advance(6 * second);
    };
    await send(97, 5 * minute);
    test.advance(6 * second);
    await record(5 * minute);
    await expect(stored()).resolves.toBe(5 * minute);
    // What is stored here only shows whether it is stored again.
    await devices().set({ clock_offset_ms: 1 }).execute();
    await record(5 * minute);
    await expect(stored()).resolves.toBe(1);
    await record(5 * minute - 2 * second);
    await expect(stored()).resolves.toBe(5 * minute - 2 * second);
  });

  it('5 min slow with a value a minute raises HIGH with the second low value, also after each restart', async () => {
    device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: minute });
    for (let count = 0; count < 3; count += 1) {
      await send(84, 5 * minute);
      test.advance(minute);
      await send(84, 5 * minute);
      await expect(alertOf()).resolves.toMatchObject({ priority: 'high', condition: 'active' });
      for (let value = 0; value < 6; value += 1) {
        test.advance(minute);
        await send(97, 5 * minute);
      }
      expect((await alertOf())?.condition ?? 'ended').toBe('ended');
      await test.restart();
      test.advance(10 * minute);
      nurse = await test.signIn(site, 'nurse');
      await send(97, 5 * minute);
      await expect(shown()).resolves.toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
      test.advance(minute);
    }
  });

  it('takes no sample of a back-fill as just measured but the first, whose age stays unknown', async () => {
    const start = test.now();
    for (let call = 0; call < 6; call += 1) {
      test.advance(5 * second);
      // Ten minutes of the night in each call.
      const takenAt = toInstant(start - (60 - call * 10) * minute);
      await test.ingest(device.token, [{ patientId: patient, kind: 'spo2', value: 97, takenAt, quality: 'good' }]);
    }
    await expect(shown()).resolves.toMatchObject({ ageUnknown: true, asOf: toInstant(start + 5 * second) });
  });

  it.each([
    ['back', 30 * minute],
    ['forward', -4 * minute],
  ])('that sets its clock %s hides no alert of its own and none of another device', async (_, jumpMs) => {
    const other = await test.addPatient(site);
    const steady = await test.addDevice(site);
    const both = async (value: number, slowMs: number): Promise<void> => {
      test.advance(second);
      await send(value, slowMs);
      await send(value, 0, other, steady);
    };
    for (let count = 0; count < 30; count += 1) {
      await both(97, 0);
    }
    let [own, steadyAfter] = [Infinity, Infinity];
    for (let count = 1; count <= 40; count += 1) {
      await both(70, jumpMs);
      own = own === Infinity && (await alertOf()) !== undefined ? count : own;
      steadyAfter = steadyAfter === Infinity && (await alertOf(other)) !== undefined ? count : steadyAfter;
    }
    expect(steadyAfter).toBeLessThan(30);
    expect(own).toBeLessThanOrEqual(steadyAfter + 7);
  });

  describe.each([
    ['sends its own time', true],
    ['does not', false],
  ])('one that %s', (_, hasSentAt) => {
    /** The device's clock; no call is older than the second before. */
    let slowMs = 0;
    const bodyOf = (value: number): [object[], { sentAt?: string }] => {
      const at = toInstant(test.now() - slowMs);
      return [
        [{ patientId: patient, kind: 'spo2', value, takenAt: at, quality: 'good' }],
        hasSentAt ? { sentAt: at } : {},
      ];
    };
    const run = async (seconds: number, value: number): Promise<Record<string, number>> => {
      const sum: Record<string, number> = { accepted: 0, duplicates: 0, corrections: 0 };
      for (let count = 0; count < seconds; count += 1) {
        test.advance(second);
        const answer = (await test.ingest(device.token, ...bodyOf(value))).json<Record<string, number>>();
        for (const key of Object.keys(sum)) {
          sum[key] = (sum[key] ?? 0) + (answer[key] ?? 0);
        }
        await test.server.alerts.evaluateClock();
      }
      return sum;
    };
    beforeEach(() => {
      slowMs = 0;
    });

    it('and sets its clock back shows the same times again: its values are new, and replace none', async () => {
      await run(60, 97);
      await run(30, 84);
      const first = await alertOf();
      expect(first).toMatchObject({ priority: 'high', condition: 'active' });
      await run(510, 97);
      await expect(alertOf()).resolves.toMatchObject({ id: first?.id, condition: 'ended' });
      slowMs += 600 * second;
      // Until two calls agree about the clock the times may be those of calls that are sent again.
      await run(60, 97);
      await expect(shown()).resolves.toMatchObject({ quality: 'good', asOf: toInstant(test.now()) });
      await expect(run(30, 84)).resolves.toEqual({ accepted: 30, duplicates: 0, corrections: 0 });
      await expect(alertOf()).resolves.toMatchObject({ priority: 'high', condition: 'active' });
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      expect((await run(30, 97)).accepted).toBeGreaterThanOrEqual(24);
      const rows = await stored();
      // At most the first six of the sixty, and of those after the restart, are taken for repeats.
      expect(rows.length).toBeGreaterThanOrEqual(600 + 54 + 30 + 24);
    });

    it('and sends a call again and again is not one whose clock was set back', async () => {
      await run(20, 97);
      test.advance(second);
      const call = bodyOf(84);
      expect((await test.ingest(device.token, ...call)).json()).toMatchObject({ accepted: 1 });
      for (let count = 0; count < 30; count += 1) {
        test.advance(2 * second);
        expect((await test.ingest(device.token, ...call)).json()).toMatchObject({ accepted: 0, duplicates: 1 });
      }
      const again = hasSentAt ? { sentAt: toInstant(test.now()) } : {};
      const answer = await test.ingest(device.token, call[0], again);
      expect(answer.json()).toMatchObject({ accepted: 0, duplicates: 1 });
      await expect(stored()).resolves.toHaveLength(21);
    });
  });
});

describe.each(apiEngines)(
  'a gateway that stamps its calls by another clock than the monitor its samples, on %s',
  (engine) => {
    it.each([
      ['calls are 10 min ahead', -10 * minute, 0],
      ['calls are 90 s ahead', -90 * second, 0],
      ['calls are 10 min behind', 10 * minute, 0],
      ['samples are 10 min behind', 0, 10 * minute],
    ])('hides no alert: %s', async (_, gatewaySlowMs, monitorSlowMs) => {
      const test = await sharedTestServer(engine);
      const site = await test.addSite();
      await test.startRules(site);
      const nurse = await test.signIn(site, 'nurse');
      const patient = await test.addPatient(site);
      const device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: second });
      const send = async (value: number): Promise<void> => {
        test.advance(second);
        const takenAt = toInstant(test.now() - monitorSlowMs);
        const sentAt = toInstant(test.now() - gatewaySlowMs);
        const sample = { patientId: patient, kind: 'spo2', value, takenAt, quality: 'good' };
        await test.ingest(device.token, [sample], { sentAt });
        await test.server.alerts.evaluateClock();
      };
      for (let count = 0; count < 45; count += 1) {
        await send(97);
      }
      for (let count = 0; count < 60; count += 1) {
        await send(70);
      }
      const { latest } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
      expect(latest.spo2).toMatchObject({ value: 70, ageUnknown: true, asOf: toInstant(test.now()) });
      const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
      expect(items.find(({ parameter }) => parameter === 'spo2')).toMatchObject({
        priority: 'high',
        condition: 'active',
      });
    });
  },
);
