import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import { createChainCheck, type ChainFault, type Head } from './chain';

const rowsAtOnce = 2_000;

/** Returns the newest row of the audit. If it is kept elsewhere, it proves that all rows before it are unchanged. */
export async function readHead(db: Kysely<Database>): Promise<Head> {
  const { last_id, hash } = await db
    .selectFrom('audit_head')
    .select(['last_id', 'hash'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return { id: last_id, hash };
}

/**
 * Checks the whole audit and returns its head with the first fault or null. `exported` is the hash of a head that was
 * kept elsewhere: only with it can a chain that was rewritten or cut off be detected. Rows that are added meanwhile may
 * be left out.
 */
export async function verifyAudit(
  db: Kysely<Database>,
  exported: string | null,
): Promise<{ head: Head; fault: ChainFault | null }> {
  const stored = await readHead(db);
  const check = createChainCheck(exported === null ? [stored.hash] : [stored.hash, exported]);
  for (let after = Number.MIN_SAFE_INTEGER, isMore = true; isMore;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute();
    for (const row of rows) {
      const fault = check.take(row);
      if (fault !== null) {
        return { head: check.head(), fault };
      }
      after = row.id;
    }
    isMore = rows.length === rowsAtOnce;
  }
  const head = check.head();
  if (stored.id > head.id) {
    return { head, fault: { row: head.id + 1, why: 'is missing' } };
  }
  if (stored.id > 0 && !check.passed(stored.hash)) {
    return { head, fault: { row: null, why: 'The newest row is not the one that was written last' } };
  }
  const newest = await readHead(db);
  if (newest.id < head.id) {
    return { head, fault: { row: newest.id + 1, why: 'was not written by Wardlight' } };
  }
  if (exported !== null && !check.passed(exported)) {
    return { head, fault: { row: null, why: 'No row has the exported head: rows were rewritten or cut off' } };
  }
  return { head, fault: null };
}
