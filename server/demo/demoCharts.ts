import { toInstant } from '../../lib/time/schema';
import { addEntry } from '../chart/addEntry';
import type { ChartWriter } from '../chart/chartWriter';
import { markEntry } from '../chart/markEntry';
import type { Server } from '../server';
import { demoEntries } from './demoEntries';
import { wardOf, type Who } from './wardOf';

const dayMs = 86_400_000;

/**
 * Writes the charts of the demo ward through the functions that write those of users. What is written already, before a
 * restart, is not written again.
 */
export async function writeDemoCharts(server: Server, siteId: number): Promise<void> {
  const { writerOf: clinicianOf, patientOf } = wardOf(server, siteId);
  const writerOf = async (who: Who, number: number): Promise<ChartWriter> => ({
    ...(await clinicianOf(who)),
    patient: patientOf(number),
  });
  const rows = await server.store.db
    .selectFrom('chart_entries')
    .select('client_id')
    .where('site_id', '=', siteId)
    .execute();
  const known = new Set(rows.map(({ client_id }) => client_id));
  for (const [place, { patient, by, says, source, daysAgo, correction, mark }] of demoEntries.entries()) {
    const clientId = `demo ${place}`;
    if (known.has(clientId) || patientOf(patient).state === 'discharged') {
      continue;
    }
    const writer = await writerOf(by, patient);
    const facts = {
      source: source ?? null,
      effectiveAt: daysAgo === undefined ? null : toInstant(writer.now - daysAgo * dayMs),
    };
    const { entry, version } = await addEntry(writer, says, {
      ...facts,
      clientId,
      authorId: writer.user.id,
      version: 1,
      replaces: null,
      reason: null,
    });
    if (correction !== undefined) {
      const corrector = await writerOf(correction.by, patient);
      await addEntry(corrector, correction.says, {
        ...facts,
        clientId: `${clientId} corrected`,
        authorId: corrector.user.id,
        version,
        replaces: entry.id,
        reason: correction.reason,
      });
    }
    if (mark !== undefined) {
      const marker = await writerOf(mark.by, patient);
      await markEntry(marker, entry.id, mark.as, { authorId: marker.user.id, version, reason: mark.reason });
    }
  }
}
