import type { Kysely } from 'kysely';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireAuthor } from '../notes/documents';
import { holdPatient } from '../patients/holdPatient';
import type { Writer } from '../patients/writerOf';

/** Who writes in the chart of a patient within their reach. */
export interface ChartWriter extends Writer {
  patient: PatientRow;
}

/**
 * Locks a chart until the transaction ends, so that concurrent changes run one after another. Resolves with whether the
 * patient is discharged. Rejects with 409 `another_user` if the page is another user's than the session's.
 */
export async function holdChart(
  { user, patient }: ChartWriter,
  transaction: Kysely<Database>,
  authorId: number,
): Promise<{ isDischarged: boolean }> {
  requireAuthor({ user }, authorId);
  return { isDischarged: (await holdPatient(transaction, patient.id)) === 'discharged' };
}
