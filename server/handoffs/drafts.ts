import { sql, type Kysely, type Selectable } from 'kysely';
import type { HandoffChange } from '../../lib/handoffs/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { HandoffActionsTable } from '../db/handoffTables';
import type { Database } from '../db/schema';
import { invalid } from '../http/httpError';
import { requireVersion } from '../notes/documents';
import { requireActivePatient } from '../patients/requirePatient';
import { activeUsers } from '../users/activeUsers';
import { columnsOf } from './actions';
import { changeHandoff, holdHandoff, wrongState, type HandoffRow, type HandoffWriter } from './findHandoff';

/**
 * Starts a patient's handoff and resolves with it. One that is written already is the same: every user who hands
 * patients on sees it. The text of the last handoff is taken over, to be confirmed. Rejects with 404 and with 409
 * `patient_discharged`.
 */
export async function startHandoff(writer: HandoffWriter, patientId: number): Promise<HandoffRow> {
  const { store, liveState, now, user, scope } = writer;
  const patient = requireActivePatient(liveState, patientId, scope);
  return await store.db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('handoffs')
      .selectAll()
      .where('patient_id', '=', patient.id)
      .where('state', '!=', 'withdrawn')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    const written = rows.find(({ state }) => state === 'draft' || state === 'returned');
    if (written !== undefined) {
      return written;
    }
    const [last] = rows;
    const added = await transaction
      .insertInto('handoffs')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        state: 'draft',
        severity: null,
        summary: last?.summary ?? '',
        contingencies: last?.contingencies ?? '[]',
        receiver_role: 'nurse',
        carried_from: last?.id ?? null,
        created_at: now,
        created_by: user.id,
        changed_at: now,
        changed_by: user.id,
      })
      .onConflict((conflict) =>
        conflict
          .column('patient_id')
          .where(sql<boolean>`state = 'draft'`)
          .doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (added !== undefined) {
      return added;
    }
    // Two users started it at once.
    const ofPatient = transaction.selectFrom('handoffs').selectAll().where('patient_id', '=', patient.id);
    return await ofPatient.where('state', '=', 'draft').executeTakeFirstOrThrow();
  });
}

/**
 * Stores what was typed and resolves with the handoff. Rejects with 404, 409 `handoff_changed` or `handoff_given` and
 * the like, and 422 for a receiver or an owner who is not of the site.
 */
export async function saveHandoff(writer: HandoffWriter, id: number, wanted: HandoffChange): Promise<HandoffRow> {
  const { store, now } = writer;
  return await store.db.transaction().execute(async (transaction) => {
    const row = await holdHandoff(writer, transaction, id);
    if (row.state !== 'draft' && row.state !== 'returned') {
      throw wrongState(row);
    }
    await requireVersion(writer, transaction, 'handoff', row, wanted.version);
    await requirePeople(transaction, row.site_id, wanted);
    const receiver = columnsOf(wanted.receiver);
    const changed = await changeHandoff(writer, transaction, row, {
      severity: wanted.severity,
      summary: wanted.summary,
      contingencies: JSON.stringify(wanted.contingencies),
      receiver_id: receiver.userId,
      receiver_role: receiver.role,
      reviewed_at: wanted.isReviewed ? (row.reviewed_at ?? now) : null,
    });
    await putActions(transaction, row, wanted.actions);
    return changed;
  });
}

/** Stores the open actions of a handoff. One that is as before keeps its id, under which its owner may see it. */
async function putActions(
  transaction: Kysely<Database>,
  { id, site_id, patient_id }: HandoffRow,
  wanted: HandoffChange['actions'],
): Promise<void> {
  const before = await transaction
    .selectFrom('handoff_actions')
    .select(['id', 'text', 'owner_id', 'owner_role', 'due_at'])
    .where('handoff_id', '=', id)
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
  const added = wanted
    .map(({ text, owner, dueAt }) => {
      const { userId: owner_id, role: owner_role } = columnsOf(owner);
      return { text, owner_id, owner_role, due_at: dueAt === null ? null : parseInstant(dueAt) };
    })
    .filter((row) => {
      const place = before.findIndex((known) => saysTheSame(known, row));
      return place === -1 || before.splice(place, 1).length === 0;
    });
  if (before.length > 0) {
    const dropped = before.map((known) => known.id);
    await transaction.deleteFrom('handoff_actions').where('id', 'in', dropped).execute();
  }
  if (added.length > 0) {
    const rows = added.map((row) => ({ ...row, site_id, patient_id, handoff_id: id, done_at: null, done_by: null }));
    await transaction.insertInto('handoff_actions').values(rows).execute();
  }
}

type ActionColumns = Pick<Selectable<HandoffActionsTable>, 'text' | 'owner_id' | 'owner_role' | 'due_at'>;

const saysTheSame = (one: ActionColumns, other: ActionColumns): boolean =>
  one.text === other.text &&
  one.owner_id === other.owner_id &&
  one.owner_role === other.owner_role &&
  one.due_at === other.due_at;

async function requirePeople(
  transaction: Kysely<Database>,
  siteId: number,
  { receiver, actions }: HandoffChange,
): Promise<void> {
  const named = [
    { field: 'receiver', to: receiver },
    ...actions.map(({ owner: to }, place) => ({ field: `actions.${place}.owner`, to })),
  ].flatMap(({ field, to }) => {
    const { userId } = columnsOf(to);
    return userId === null ? [] : [{ field, userId }];
  });
  if (named.length === 0) {
    return;
  }
  const wantedIds = named.map(({ userId }) => userId);
  const known = await activeUsers(transaction, siteId).select('id').where('id', 'in', wantedIds).execute();
  const wrong = named.filter(({ userId }) => !known.some(({ id }) => id === userId));
  if (wrong.length > 0) {
    const fields = Object.fromEntries(wrong.map(({ field }) => [field, 'is no user of this site']));
    throw invalid(fields, 'A handoff names a user of the site.');
  }
}
