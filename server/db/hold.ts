import { sql, type Kysely } from 'kysely';
import type { Database } from './schema';

/**
 * Holds a row until the transaction ends, so that of several who do the same only one looks and acts at a time. It is
 * an update that changes nothing, because both engines know that.
 */
export async function hold(
  transaction: Kysely<Database>,
  table: 'sites' | 'users' | 'units',
  id: number,
): Promise<void> {
  await sql`UPDATE ${sql.table(table)} SET created_at = created_at WHERE id = ${id}`.execute(transaction);
}
