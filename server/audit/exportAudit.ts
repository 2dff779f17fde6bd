import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { csvHead, csvLine } from '../../lib/csvLine';
import type { AuditFilter } from '../../lib/audit/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import { auditRows, nameOf, shownRow, type AuditPlace, type AuditReach, type AuditRowWithName } from './queries';

const rowsAtOnce = 500;
const columns = [
  'id',
  'at',
  'actor',
  'actor_id',
  'actor_name',
  'action',
  'object_type',
  'object_id',
  'outcome',
  'details',
  'session',
  'ip',
  'request_id',
  'hash',
] as const;

/**
 * Yields the rows that a reader may see as a CSV file, newest first. Reads them in pages while the file is sent, and
 * lets others have the thread after each.
 */
export async function* exportAudit(
  db: Kysely<Database>,
  reach: AuditReach,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let behind: AuditPlace | null = null;
  for (let isMore = true; isMore;) {
    const rows: AuditRowWithName[] = await auditRows(db, reach, filter, behind, rowsAtOnce).execute();
    yield rows.map((row) => lineOf(shownRow(row))).join('');
    const last = rows.at(-1);
    behind = last === undefined ? null : { at: last.at, id: last.id };
    isMore = rows.length === rowsAtOnce;
    await turn();
  }
}

function lineOf(row: AuditRowWithName): string {
  const cells = { ...row, at: toInstant(row.at), actor_name: nameOf(row) };
  return csvLine(columns.map((column) => cells[column]));
}
