import type { Handoff } from '../lib/handoffs/schema';
import { kinds } from '../lib/vitals/kinds';
import { startTestServer } from '../test/testServer';
import { atMost } from './lines';

const patients = 500;
const drafted = 12;
const rounds = 5;
const minutes = 720;

/**
 * Measures the server's time of a list of 500 patients with handoffs, of one draft with the figures of 12 hours of two
 * kinds, and of twelve at once. In one process on SQLite, without the network.
 */
export async function benchHandoffs(): Promise<void> {
  const test = await startTestServer('sqlite');
  try {
    const site = await test.addSite();
    await test.startRules(site);
    await test.addUnit(site, 'Ward');
    const ids: number[] = [];
    for (let bed = 1; bed <= patients; bed += 1) {
      ids.push(await test.addPatient(site, { location: { unit: 'Ward', bed: String(bed) } }));
    }
    const last = Math.floor(test.now() / 60_000);
    for (const patientId of ids.slice(0, drafted + rounds)) {
      for (const kind of [kinds.spo2.code, kinds.heartRate.code]) {
        const rows = Array.from({ length: minutes }, (_, place) => ({
          patient_id: patientId,
          kind,
          minute: last - place,
          site_id: site,
          min: 90 + (place % 7),
          max: 97,
          last: 92 + (place % 5),
          count: 60,
          questionable: 0,
          invalid: 0,
        }));
        await test.store.db.insertInto('minutes').values(rows).execute();
      }
    }
    const giver = await test.signIn(site, 'nurse');
    const start = async (patientIds: readonly number[]): Promise<Handoff[]> => {
      const response = await giver.call('POST', '/api/v2/handoffs', { patientIds, authorId: giver.userId });
      return response.json<{ items: { handoff: Handoff | null }[] }>().items.flatMap(({ handoff }) => handoff ?? []);
    };
    const one: number[] = [];
    for (const id of ids.slice(drafted, drafted + rounds)) {
      const begun = performance.now();
      const [handoff] = await start([id]);
      one.push(performance.now() - begun);
      if (handoff?.facts?.spreads.length !== 2) {
        throw new Error('A draft without the figures of two kinds');
      }
    }
    const twelve: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      const { length } = await start(ids.slice(0, drafted));
      twelve.push(performance.now() - begun);
      if (length !== drafted) {
        throw new Error(`${length} drafts`);
      }
    }
    await start(ids.slice(0, 50));
    for (let from = 50; from < patients; from += 50) {
      await start(ids.slice(from, from + 50));
    }
    const listed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      const response = await giver.call('GET', '/api/v2/handoffs');
      listed.push(performance.now() - begun);
      if (response.json<{ total: number }>().total !== patients) {
        throw new Error('not all patients are in the list');
      }
    }
    atMost('handoffs: one draft with the figures of 12 h (longest)', one, 100, 'ms');
    atMost('handoffs: twelve drafts at once (longest)', twelve, 500, 'ms');
    atMost('handoffs: list of 500 patients with a handoff each (longest)', listed, 200, 'ms');
  } finally {
    await test.stop();
  }
}
