import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/** A message that comes again within this time gets the same answer, in milliseconds. */
const keptMs = 24 * 3_600_000;
const rowsPerStep = 500;

// As text, because each message needs both: Kysely's builder takes longer than SQLite.

/** Resolves with the answer that the same bytes of the same sender got, or null. */
export async function findAnswer(
  db: Kysely<Database>,
  now: EpochMs,
  { senderId, digest }: { senderId: number; digest: string },
): Promise<Uint8Array | null> {
  const since = now - keptMs;
  const { rows } = await sql<{ answer: Uint8Array }>`SELECT answer FROM hl7_answers
    WHERE sender_id = ${senderId} AND digest = ${digest} AND answered_at > ${since} LIMIT 1`.execute(db);
  return rows[0]?.answer ?? null;
}

/** Returns the statement that keeps the answer to a message. */
export function keepAnswer(
  now: EpochMs,
  { senderId, digest, answer }: { senderId: number; digest: string; answer: Uint8Array },
): RawBuilder<unknown> {
  return sql`INSERT INTO hl7_answers (sender_id, digest, answered_at, answer)
    VALUES (${senderId}, ${digest}, ${now}, ${Buffer.from(answer)})`;
}

/** Deletes the answers that no repeat gets any more, in small steps. `signal` ends it after the current one. */
export async function deleteAnswers(db: Kysely<Database>, now: EpochMs, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const old = await db
      .selectFrom('hl7_answers')
      .select('id')
      .where('answered_at', '<', now - keptMs)
      .limit(rowsPerStep)
      .execute();
    if (old.length === 0) {
      return;
    }
    await db
      .deleteFrom('hl7_answers')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute();
    await new Promise(setImmediate);
  }
}
