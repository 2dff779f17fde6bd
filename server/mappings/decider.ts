import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit, type AuditEvent } from '../audit';
import type { Actor } from '../audit/actor';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';

/** A user of a site, who decides. */
export interface Decider {
  siteId: number;
  userId: number;
}

/** Throws 409 `mapping_ended` or 403 `own_proposal` if a user may not confirm a mapping. */
export function requireConfirmable(
  { ended_at, proposed_by }: { ended_at: EpochMs | null; proposed_by: number },
  userId: number,
): void {
  if (ended_at !== null) {
    throw new HttpError(409, 'mapping_ended', 'This mapping has ended.');
  }
  if (proposed_by === userId) {
    throw new HttpError(403, 'own_proposal', 'Another person has to confirm what you proposed.');
  }
}

/** Writes the audit row of a decision on a mapping, and returns the mapping. */
export async function recordDecision<Row extends { id: number; sender_id: number }>(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  action: AuditEvent['action'],
  row: Row,
): Promise<Row> {
  const of = { objectType: 'sender', objectId: row.sender_id, details: { mapping: row.id } } as const;
  await audit(transaction, now, actor, { action, outcome: 'done', ...of });
  return row;
}
