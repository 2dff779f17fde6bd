import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('a device that does not send its own time, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  let device: { id: number; token: string };

  beforeEach(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
    nurse = await test.signIn(site, 'nurse');
    patient = await test.addPatient(site);
    device = await test.addDevice(site, { isClockKnown: false, expectedEveryMs: second });
  });
  afterEach(() => test.stop());

  /** Sends a value that was measured just now by a clock that is `slowMs` behind. */
  const send = async (value: number, slowMs: number, to = patient, from = device): Promise<void> => {
    const takenAt = toInstant(test.now() - slowMs);
    const answer = await test.ingest(from.token, [{ patientId: to, kind: 'spo2', value, takenAt, quality: 'good' }]);
    expect(answer.json()).toMatchObject({ accepted: 1 });
    await test.server.alerts.evaluateClock();
  };
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
});
