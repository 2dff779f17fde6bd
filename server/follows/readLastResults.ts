import type { Kysely } from 'kysely';
import type { HandoffResultName } from '../../lib/follows/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { HandoffRow } from '../handoffs/findHandoff';

interface LastResult {
  /** The handoff. */
  id: number;
  result: HandoffResultName;
  at: EpochMs;
  by: number | null;
}

/** Resolves with the last result of a handoff of each patient who has one, by patient. */
export async function readLastResults(
  db: Kysely<Database>,
  patientIds: readonly number[],
): Promise<ReadonlyMap<number, LastResult>> {
  const rows = await db
    .selectFrom('handoffs')
    .select(['id', 'patient_id', 'state', 'changed_at', 'given_at', 'giver_id'])
    .select(['returned_at', 'returned_by', 'received_at', 'received_by'])
    .where('id', 'in', (select) =>
      select
        .selectFrom('handoffs')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('patient_id', 'in', patientIds)
        // One that was replaced before anyone received it came to nothing.
        .where((is) => is.or([is('state', 'in', ['given', 'returned', 'received']), is('received_at', 'is not', null)]))
        .groupBy('patient_id'),
    )
    .execute();
  return new Map(rows.map((row) => [row.patient_id, { id: row.id, ...resultOf(row) }]));
}

type ResultColumns = Pick<
  HandoffRow,
  'state' | 'changed_at' | 'given_at' | 'giver_id' | 'returned_at' | 'returned_by' | 'received_at' | 'received_by'
>;

function resultOf(row: ResultColumns): Omit<LastResult, 'id'> {
  if (row.received_at !== null) {
    return { result: 'received', at: row.received_at, by: row.received_by };
  }
  return row.state === 'returned'
    ? { result: 'returned', at: row.returned_at ?? row.changed_at, by: row.returned_by }
    : { result: 'given', at: row.given_at ?? row.changed_at, by: row.giver_id };
}
