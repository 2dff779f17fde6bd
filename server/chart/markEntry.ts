import type { z } from 'zod';
import type { ChartChange, entryMark } from '../../lib/chart/schema';
import { auditDone } from '../audit';
import { HttpError, invalid } from '../http/httpError';
import { patientDischarged } from '../patients/requirePatient';
import { entryOf } from './addEntry';
import { chartChanged } from './chartChanged';
import { holdChart, type ChartWriter } from './chartWriter';
import { readWrittenOf } from './readWritten';

/**
 * Marks an entry of a chart as entered in error, or ends it, and resolves with it. The same again, after a lost
 * response, changes nothing. Rejects with 409 `another_user`, `chart_changed` or `entry_in_error`. Ending rejects with
 * 409 `patient_discharged` as well, and with 422 for what is not in a list or not current; an error can be marked at
 * any time, because no one who reads the chart of a discharged patient must believe it.
 */
export async function markEntry(
  writer: ChartWriter,
  id: number,
  as: 'ended' | 'entered_in_error',
  { authorId, version, reason }: z.output<typeof entryMark>,
): Promise<ChartChange> {
  const { store, now, actor, user, patient } = writer;
  return await store.db.transaction().execute(async (transaction) => {
    const { isDischarged } = await holdChart(writer, transaction, authorId);
    const written = await readWrittenOf(transaction, patient.id);
    const entry = entryOf(written, id);
    const isOwn = entry.mark?.by?.id === user.id && entry.mark.reason === reason;
    if (entry.status === as && isOwn) {
      return { patientId: patient.id, version: written.version, entry };
    }
    const ofSection = written.entries.filter(({ section }) => section === entry.section);
    if (entry.status !== 'current' && version !== written.version) {
      throw chartChanged(ofSection, entry);
    }
    if (entry.status === 'entered_in_error') {
      throw new HttpError(409, 'entry_in_error', 'This entry is marked as entered in error.', { id });
    }
    if (as === 'ended') {
      requireEndable(entry);
      if (isDischarged) {
        throw patientDischarged();
      }
    }
    await transaction
      .insertInto('chart_marks')
      .values({
        entry_id: id,
        is_error: as === 'entered_in_error' ? 1 : 0,
        patient_id: patient.id,
        reason,
        marked_by: user.id,
        marked_at: now,
      })
      .execute();
    const stored = await readWrittenOf(transaction, patient.id);
    await auditDone(
      transaction,
      now,
      actor,
      as === 'ended' ? 'end_chart_entry' : 'mark_chart_entry_in_error',
      ['patient', patient.id],
      { section: entry.section, entryId: id },
    );
    return { patientId: patient.id, version: stored.version, entry: entryOf(stored, id) };
  });
}

function requireEndable({ section, status }: ChartChange['entry']): void {
  if (section === 'codeStatus' || section === 'oxygen') {
    throw invalid({ body: 'is about an entry that does not end' }, 'It does not end: correct it to what holds now.');
  }
  if (status !== 'current') {
    throw invalid({ body: 'is about an entry that is not current' }, 'This entry is not current.');
  }
}
