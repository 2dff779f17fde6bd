import { startTestServer } from '../test/testServer';
import { atMost } from './lines';

const count = 10_000;
const rounds = 7;

/**
 * Measures the server's time of the first page of a patient's 10,000 notes, and of what a user has not read of them. In
 * one process on SQLite, without the network.
 */
export async function benchNotes(): Promise<void> {
  const test = await startTestServer('sqlite');
  try {
    const site = await test.addSite();
    const patientId = await test.addPatient(site);
    const reader = await test.signIn(site, 'nurse');
    const { id: author } = await test.addUser(site, 'physician');
    const now = test.now();
    const notes = Array.from({ length: count }, (_, place) => ({
      site_id: site,
      patient_id: patientId,
      author_id: author,
      author_type: 'physician' as const,
      client_id: `${place}`,
      type: 'medical' as const,
      text: 'Slept well, SpO2 stable on room air. '.repeat(8),
      alert_ids: '[]',
      event_at: now + place,
      written_at: now + place,
      signed_at: now + place,
      changed_at: now + place,
      changed_by: author,
    }));
    for (let from = 0; from < count; from += 500) {
      await test.store.db
        .insertInto('notes')
        .values(notes.slice(from, from + 500))
        .execute();
    }
    const timed = async (path: string, isRight: (body: unknown) => boolean): Promise<number[]> => {
      const took: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const begun = performance.now();
        const response = await reader.call('GET', path);
        took.push(performance.now() - begun);
        if (!isRight(response.json<unknown>())) {
          throw new Error(`${path} answered ${response.statusCode} and not what was expected`);
        }
      }
      return took;
    };
    const first = await timed(`/api/v2/patients/${patientId}/notes`, (body) =>
      JSON.stringify(body).includes(`"total":${count}`),
    );
    const unread = await timed('/api/v2/notes/own', (body) => JSON.stringify(body).includes('"count":'));
    atMost('notes: first page of 10,000 (longest)', first, 50, 'ms');
    atMost('notes: what a user has not read of 10,000 (longest)', unread, 50, 'ms');
  } finally {
    await test.stop();
  }
}
