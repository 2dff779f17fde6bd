import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AuditTable } from '../db/schema';

export type AuditRow = Selectable<AuditTable>;

/**
 * The hash of a row: SHA-256, in hex, of the hash of the row before it (empty before the first one) and of the row's
 * columns as JSON in this order. Whoever changes a row has to change the hash of every later one, and so the newest.
 */
export function chainHash(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const {
    id,
    at,
    site_id,
    actor,
    actor_id,
    session,
    ip,
    request_id,
    action,
    object_type,
    object_id,
    outcome,
    details,
  } = row;
  const columns = [
    id,
    at,
    site_id,
    actor,
    actor_id,
    session,
    ip,
    request_id,
    action,
    object_type,
    object_id,
    outcome,
    details,
  ];
  return hash('sha256', previous + JSON.stringify(columns), 'hex');
}

export interface Head {
  /** The newest row; 0 while there is none. */
  id: number;
  hash: string;
}

/** What is wrong with the audit: the first row that is not what it was, null where it cannot be told which. */
export interface ChainFault {
  row: number | null;
  why: string;
}

/** Follows the chain row by row, in the order of ids. */
export interface ChainCheck {
  /** Takes the next row and returns what is wrong with it, or null. */
  take(row: AuditRow): ChainFault | null;
  /** The last good row. */
  head(): Head;
  /** Whether a row with this hash came by. */
  passed(hash: string): boolean;
}

/** Begins at the first row. `marks` are the hashes that `passed` may be asked about. */
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
