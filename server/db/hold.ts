import { sql, type Kysely } from 'kysely';
import type { Database } from './schema';

/**
 * Locks a row until the transaction ends, so that concurrent transactions which lock it check and write one after
 * another. It is an update that changes nothing, which both engines support.
 */
export async function hold(
  transaction: Kysely<Database>,
  table: 'sites' | 'users' | 'units' | 'patients' | 'check_in_links',
  id: number,
): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET created_at = created_at WHERE id = ${id}`.execute(transaction);
}
