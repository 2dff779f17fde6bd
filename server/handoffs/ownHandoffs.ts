import type { Kysely } from 'kysely';
import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import type { OwnHandoffs } from '../../lib/handoffs/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { shiftOf } from '../assignments/shiftOf';
import type { HandoffActionsTable } from '../db/handoffTables';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { readOpenActions } from './actions';

type Owner = Pick<HandoffActionsTable, 'owner_id' | 'owner_role'>;

/**
 * Resolves with the open actions of `patients` that are a user's own, the first due first: theirs by name, or those of
 * a role that they have in this shift. With them how many handoffs wait for the user to receive them: a role can be
 * taken by each user who may have it, because the next shift may not be assigned yet.
 */
export async function readOwnHandoffs(
  db: Kysely<Database>,
  liveState: LiveState,
  user: User,
  patients: readonly PatientRow[],
  now: EpochMs,
): Promise<OwnHandoffs> {
  const { start } = shiftOf(user.site, 'current', now);
  const unitOf = (row: PatientRow): number => liveState.unitOf(row)?.id ?? 0;
  const has = (row: PatientRow, wanted: NonNullable<Owner['owner_role']>): boolean =>
    holders(liveState.assignmentsOf(unitOf(row)), start).some(
      ({ role, patientId, userId }) =>
        role === wanted && userId === user.id && (patientId === null || patientId === row.id),
    );
  const byId = new Map(patients.map((row) => [row.id, row]));
  const actions = [...(await readOpenActions(db, [...byId.keys()]))].flatMap(([patientId, ofPatient]) =>
    ofPatient
      .filter(({ owner }) => {
        const row = byId.get(patientId);
        return (
          owner !== null && row !== undefined && ('name' in owner ? owner.userId === user.id : has(row, owner.role))
        );
      })
      .map((action) => ({ ...action, patientId })),
  );
  const dueOf = ({ dueAt }: { dueAt: string | null }): number =>
    dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt);
  const given = await db
    .selectFrom('handoffs')
    .select(['patient_id', 'receiver_id', 'receiver_role'])
    .where('state', '=', 'given')
    .where('site_id', '=', user.siteId)
    .where('giver_id', '!=', user.id)
    .execute();
  const waiting = given.filter(({ patient_id, receiver_id, receiver_role }) => {
    const row = byId.get(patient_id);
    return (
      row !== undefined &&
      (receiver_role === null ? receiver_id === user.id : canHold(receiver_role, user, unitOf(row)))
    );
  });
  return {
    actions: actions.toSorted((one, other) => firstDifference(dueOf(one) - dueOf(other), one.id - other.id)),
    waiting: waiting.length,
  };
}
