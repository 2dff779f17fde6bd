import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AuditTable } from '../db/schema';

export type AuditRow = Selectable<AuditTable>;

/**
 * Returns the hash of a row: SHA-256, in hex, of the previous row's hash (empty before the first one) and of the row's
 * columns as JSON in this order. A changed row changes the hash of every later row, and so the newest one.
 */
export function chainHash(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const columns = [
    ...[row.id, row.at, row.site_id, row.actor, row.actor_id, row.session, row.ip, row.request_id],
    ...[row.action, row.object_type, row.object_id, row.outcome, row.details],
  ];
  return hash('sha256', previous + JSON.stringify(columns), 'hex');
}

export interface Head {
  /** The id of the newest row; 0 if there is none. */
  id: number;
  hash: string;
}

/** What is wrong with the audit. `row` is the first row that was changed, or null if it cannot be determined. */
export interface ChainFault {
  row: number | null;
  why: string;
}

/** Checks the chain row by row, in the order of ids. */
export interface ChainCheck {
  /** Checks the next row and returns its fault, or null. */
  take(row: AuditRow): ChainFault | null;
  /** Returns the last good row. */
  head(): Head;
  /** Returns whether a row with this hash was seen. */
  passed(hash: string): boolean;
}

/** Creates a check that begins at the first row. `marks` are the hashes that `passed` can recognise. */
export function createChainCheck(marks: readonly string[]): ChainCheck {
  let head: Head = { id: 0, hash: '' };
  const passed = new Set<string>();
  return {
    take: (row) => {
      if (row.id > head.id + 1) {
        return { row: head.id + 1, why: 'is missing' };
      }
      if (row.id !== head.id + 1 || chainHash(head.hash, row) !== row.hash) {
        return { row: row.id, why: 'is not what was written' };
      }
      head = { id: row.id, hash: row.hash };
      if (marks.includes(row.hash)) {
        passed.add(row.hash);
      }
      return null;
    },
    head: () => head,
    passed: (hash) => passed.has(hash),
  };
}
