import { kinds } from '../../lib/vitals/kinds';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { toInstant } from '../../lib/time/schema';
import { storedMinutes } from './storedMinutes';

const minute = 60_000;

describe.each(apiEngines)('storedMinutes on %s', (engine) => {
  let test: TestServer;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });

  it('names each minute of the window with a sample of this patient and kind, once', async () => {
    const site = await test.addSite();
    const [patientId, other] = [await test.addPatient(site), await test.addPatient(site)];
    const { token } = await test.addDevice(site);
    const sample = (ago: number, more: object = {}) => ({
      patientId,
      kind: 'spo2',
      value: 97,
      takenAt: toInstant(test.now() - ago),
      ...more,
    });
    const answer = await test.ingest(token, [
      sample(2 * minute),
      sample(2 * minute - 1_000),
      sample(5 * minute),
      sample(6 * minute, { kind: 'heartRate' }),
      sample(7 * minute, { patientId: other }),
      sample(20 * minute),
    ]);
    expect(answer.json()).toMatchObject({ accepted: 6 });
    const found = await storedMinutes(test.store, patientId, kinds.spo2.code, test.now() - 10 * minute, test.now());
    expect([...found].sort()).toEqual([5, 2].map((ago) => (test.now() - ago * minute) / minute));
  });
});
