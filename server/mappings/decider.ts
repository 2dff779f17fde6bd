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

/** What a decision writes into a mapping. */
export type MappingChange = Partial<
  Record<'confirmed_at' | 'confirmed_by' | 'ended_at' | 'ended_by' | 'undone_at' | 'undone_by', number>
>;

/**
 * Returns what is written into a mapping that a user ends, or undoes because it was wrong (`wasWrong`), also where it
 * has ended before; null: nothing. A proposal is undone too: a restore takes the confirmation away, and values came by
 * it before.
 */
export function endingOf(
  { ended_at, undone_at }: { ended_at: EpochMs | null; undone_at: EpochMs | null },
  now: EpochMs,
  userId: number,
  wasWrong: boolean,
): { change: MappingChange; isUndone: boolean } | null {
  const isUndone = wasWrong && undone_at === null;
  return ended_at !== null && !isUndone
    ? null
    : {
        change: {
          ...(ended_at === null ? { ended_at: now, ended_by: userId } : {}),
          ...(isUndone ? { undone_at: now, undone_by: userId } : {}),
        },
        isUndone,
      };
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
