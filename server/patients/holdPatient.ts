import type { Kysely } from 'kysely';
import { hold } from '../db/hold';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';

/**
 * Locks a patient until the transaction ends, so that concurrent changes, a discharge too, run one by one. Resolves
 * with the state at this moment.
 */
export async function holdPatient(transaction: Kysely<Database>, id: number): Promise<PatientRow['state']> {
  await hold(transaction, 'patients', id);
  const { state } = await transaction
    .selectFrom('patients')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return state;
}
