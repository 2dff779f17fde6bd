import type { Kysely, Selectable } from 'kysely';
import { groupBy } from '../../lib/groupBy';
import type { Addressee, HandoffAction, NamedAddressee } from '../../lib/handoffs/schema';
import type { HandoffState } from '../../lib/handoffs/severities';
import { instantOrNull } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { HandoffActionsTable } from '../db/handoffTables';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { requireAuthor } from '../notes/documents';
import { requirePatient } from '../patients/requirePatient';
import { readNames, type Person } from '../users/readNames';
import type { HandoffWriter } from './findHandoff';

type ActionRow = Selectable<HandoffActionsTable>;

/** The states of handoffs whose actions count: not what is still written, and not what was withdrawn. */
const counted: readonly HandoffState[] = ['given', 'returned', 'received', 'superseded'];

/** Resolves with the actions of patients that are not done, from whichever handoff, by patient. */
export async function readOpenActions(
  db: Kysely<Database>,
  patientIds: readonly number[],
): Promise<Map<number, HandoffAction[]>> {
  const rows =
    patientIds.length === 0
      ? []
      : await db
          .selectFrom('handoff_actions')
          .innerJoin('handoffs', 'handoffs.id', 'handoff_actions.handoff_id')
          .selectAll('handoff_actions')
          .where('handoff_actions.patient_id', 'in', patientIds)
          .where('done_at', 'is', null)
          .where('handoffs.state', 'in', counted)
          .orderBy('handoff_actions.id')
          .execute();
  const present = await presenter(db, rows);
  return new Map([...groupBy(rows, ({ patient_id }) => patient_id)].map(([id, own]) => [id, own.map(present)]));
}

/** Resolves with the actions that handoffs name, done or not, by handoff. */
export async function readActionsOf(
  db: Kysely<Database>,
  handoffIds: readonly number[],
): Promise<Map<number, HandoffAction[]>> {
  const rows =
    handoffIds.length === 0
      ? []
      : await db
          .selectFrom('handoff_actions')
          .selectAll()
          .where('handoff_id', 'in', handoffIds)
          .orderBy('id')
          .execute();
  const present = await presenter(db, rows);
  return new Map([...groupBy(rows, ({ handoff_id }) => handoff_id)].map(([id, own]) => [id, own.map(present)]));
}

/**
 * Marks an action as done, or as not done again. A handoff that was returned is being written: it has changed then, so
 * that a save of its former text does not bring the action back. Rejects with 404, and with 409 `another_user` and
 * `action_not_given`.
 */
export async function finishAction(writer: HandoffWriter, id: number, isDone: boolean): Promise<void> {
  const { store, liveState, now, actor, user, scope } = writer;
  await store.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('handoff_actions')
      .innerJoin('handoffs', 'handoffs.id', 'handoff_actions.handoff_id')
      .select(['handoff_actions.patient_id', 'handoff_id', 'handoffs.state', 'done_at'])
      .where('handoff_actions.id', '=', id)
      .executeTakeFirstOrThrow(notFound);
    requirePatient(liveState, row.patient_id, scope);
    requireAuthor(writer, writer.authorId);
    if (!counted.includes(row.state)) {
      throw new HttpError(409, 'action_not_given', 'The handoff of this action is not given.');
    }
    if ((row.done_at !== null) === isDone) {
      return;
    }
    await transaction
      .updateTable('handoff_actions')
      .set(isDone ? { done_at: now, done_by: user.id } : { done_at: null, done_by: null })
      .where('id', '=', id)
      .execute();
    if (row.state === 'returned') {
      await transaction
        .updateTable('handoffs')
        .set((before) => ({ version: before('version', '+', 1), changed_at: now, changed_by: user.id }))
        .where('id', '=', row.handoff_id)
        .execute();
    }
    await auditDone(transaction, now, actor, 'finish_handoff_action', ['patient', row.patient_id], {
      handoffActionId: id,
      isDone,
    });
  });
}

async function presenter(db: Kysely<Database>, rows: readonly ActionRow[]): Promise<(row: ActionRow) => HandoffAction> {
  const nameOf = await readNames(
    db,
    rows.flatMap(({ owner_id, done_by }) => [owner_id ?? [], done_by ?? []].flat()),
  );
  return (row) => ({
    id: row.id,
    text: row.text,
    owner: presentAddressee(row.owner_id, row.owner_role, nameOf),
    dueAt: instantOrNull(row.due_at),
    doneAt: instantOrNull(row.done_at),
    doneBy: row.done_by === null ? null : nameOf(row.done_by),
  });
}

/** Returns whom a row names, or null. */
export function presentAddressee(
  userId: number | null,
  role: ActionRow['owner_role'],
  nameOf: (id: number) => Person,
): NamedAddressee | null {
  if (userId !== null) {
    return { userId, name: nameOf(userId).name };
  }
  return role === null ? null : { role };
}

/** Returns the user and the role of an addressee, one of them null. */
export function columnsOf(to: Addressee | null): { userId: number | null; role: ActionRow['owner_role'] } {
  return {
    userId: to !== null && 'userId' in to ? to.userId : null,
    role: to !== null && 'role' in to ? to.role : null,
  };
}
