import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type followedResponse, mostFollowed, type FollowSeen, type HandoffResultName } from '../../lib/follows/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { HandoffRow } from '../handoffs/findHandoff';
import { requireScope, sessionOf } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { readReader, type Reader } from '../notes/queries';
import { readUnread } from '../notes/readUnread';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import { writerOf, type Writer } from '../patients/writerOf';
import type { App, Server } from '../server';

interface LastResult {
  /** The handoff. */
  id: number;
  result: HandoffResultName;
  at: EpochMs;
  by: number | null;
}

/** Resolves with the last result of a handoff of each patient who has one, by patient. */
async function readLastResults(
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

/** Returns whether a user who follows a patient sees them in their list: within reach, and not discharged. */
function isInList(liveState: LiveState, scope: Scope, patientId: number): boolean {
  const patient = liveState.patients.get(patientId);
  return patient !== undefined && patient.state === 'active' && inScope(scope, patient);
}

/**
 * Stores that a user follows a patient, from now on. Again it changes nothing: what they saw stays seen. Rejects with
 * 409 `too_many_followed` beyond 50 patients in the user's list: they cannot stop following one who is not in it.
 */
async function followPatient({ store, liveState, now, user, scope }: Writer, patientId: number): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('patient_follows')
      .select('patient_id')
      .where('user_id', '=', user.id)
      .execute();
    if (rows.some(({ patient_id }) => patient_id === patientId)) {
      return;
    }
    if (rows.filter(({ patient_id }) => isInList(liveState, scope, patient_id)).length >= mostFollowed) {
      const message = `You follow ${mostFollowed} patients already. Stop following one of them first.`;
      throw new HttpError(409, 'too_many_followed', message);
    }
    const { last } = await transaction
      .selectFrom('alert_history')
      .select(({ fn }) => fn.max<number | null>('alert_id').as('last'))
      .where('patient_id', '=', patientId)
      .executeTakeFirstOrThrow();
    const handoff = (await readLastResults(transaction, [patientId])).get(patientId);
    await transaction
      .insertInto('patient_follows')
      .values({
        user_id: user.id,
        patient_id: patientId,
        followed_at: now,
        seen_alert_id: last ?? 0,
        seen_handoff_id: handoff?.id ?? 0,
        seen_handoff_result: handoff?.result ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Stores that a user follows a patient no longer, and resolves with whether they did before. */
async function unfollowPatient({ db }: Store, userId: number, patientId: number): Promise<boolean> {
  const ended = await db
    .deleteFrom('patient_follows')
    .where('user_id', '=', userId)
    .where('patient_id', '=', patientId)
    .returning('patient_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/**
 * Stores what a user has seen of a patient whom they follow. An alert that is older than the last one seen, or another
 * patient's, changes nothing, and a result of a handoff only if it is still the last: the newer one is not seen.
 */
async function markFollowedSeen(
  { db }: Store,
  userId: number,
  patientId: number,
  { alertId, handoff }: FollowSeen,
): Promise<void> {
  const row = db.updateTable('patient_follows').where('user_id', '=', userId).where('patient_id', '=', patientId);
  if (alertId !== undefined) {
    await row
      .set({ seen_alert_id: alertId })
      .where('seen_alert_id', '<', alertId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('alert_history')
            .select('alert_id')
            .where('alert_id', '=', alertId)
            .where('alert_history.patient_id', '=', patientId),
        ),
      )
      .execute();
  }
  if (handoff !== undefined) {
    const last = (await readLastResults(db, [patientId])).get(patientId);
    if (last?.id === handoff.id && last.result === handoff.result) {
      await row.set({ seen_handoff_id: last.id, seen_handoff_result: last.result }).execute();
    }
  }
}

/**
 * Resolves with the patients whom a user follows, is allowed to see now and are not discharged, and what is new about
 * each: numbers and times.
 */
async function readFollowed(
  db: Kysely<Database>,
  liveState: LiveState,
  reader: Reader,
): Promise<z.input<typeof followedResponse>> {
  const follows = (
    await db.selectFrom('patient_follows').selectAll().where('user_id', '=', reader.userId).execute()
  ).filter(({ patient_id }) => isInList(liveState, reader.scope, patient_id));
  if (follows.length === 0) {
    return { items: [] };
  }
  const patientIds = follows.map(({ patient_id }) => patient_id);
  const earliest = Math.min(...follows.map(({ followed_at }) => followed_at));
  const unread = await readUnread(db, patientIds, { ...reader, since: Math.max(reader.since, earliest) });
  const alerts = await db
    .selectFrom('patient_follows')
    .innerJoin('alert_history', (join) =>
      join
        .onRef('alert_history.patient_id', '=', 'patient_follows.patient_id')
        .onRef('alert_history.alert_id', '>', 'patient_follows.seen_alert_id'),
    )
    .select('patient_follows.patient_id')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max('alert_history.alert_id').as('last_id'),
      fn.max('alert_history.raised_at').as('last_at'),
    ])
    .where('patient_follows.user_id', '=', reader.userId)
    .where('patient_follows.patient_id', 'in', patientIds)
    .groupBy('patient_follows.patient_id')
    .execute();
  const results = await readLastResults(db, patientIds);
  const items = follows.map((follow) => {
    const notes = unread.filter(({ patientId, at }) => patientId === follow.patient_id && at >= follow.followed_at);
    const raised = alerts.find(({ patient_id }) => patient_id === follow.patient_id);
    const last = results.get(follow.patient_id);
    const isNew =
      last !== undefined &&
      last.by !== reader.userId &&
      (last.id > follow.seen_handoff_id ||
        (last.id === follow.seen_handoff_id && last.result !== follow.seen_handoff_result));
    const handoff = isNew ? last : null;
    const noted = Math.max(...notes.map(({ at }) => at));
    return {
      newestAt: Math.max(noted, raised?.last_at ?? 0, handoff?.at ?? 0),
      item: {
        patientId: follow.patient_id,
        notes: notes.length === 0 ? null : { count: notes.length, at: toInstant(noted) },
        alerts:
          raised === undefined
            ? null
            : { count: Number(raised.count), at: toInstant(raised.last_at), lastId: raised.last_id },
        handoff: handoff === null ? null : { id: handoff.id, result: handoff.result, at: toInstant(handoff.at) },
      },
    };
  });
  items.sort((one, other) => firstDifference(other.newestAt - one.newestAt, one.item.patientId - other.item.patientId));
  return { items: items.map(({ item }) => item) };
}

/** The patients whom a user follows: each user's own, and only those whom they may see now. */
export function followRoutes(app: App, server: Server): void {
  const { store, liveState, now, auditView } = server;
  const scopeOfReader = (request: FastifyRequest) => requireScope(request, 'readNotes', now());

  on(app, 'listFollowed', async (request) => {
    const followed = await readFollowed(store.db, liveState, await readReader(store, request, now()));
    const patientIds = followed.items.map(({ patientId }) => patientId);
    await auditView(request, { action: 'read_followed', patientIds });
    return followed;
  });

  on(app, 'followPatient', async (request) => {
    const writer = writerOf(server, request, 'readNotes');
    const { id } = requireActivePatient(liveState, request.params.id, writer.scope);
    await followPatient(writer, id);
  });

  on(app, 'unfollowPatient', async (request) => {
    const scope = scopeOfReader(request);
    const hasEnded = await unfollowPatient(store, sessionOf(request).user.id, request.params.id);
    if (!hasEnded) {
      // Their own row goes wherever the patient is; of one whom they do not follow they learn nothing.
      requirePatient(liveState, request.params.id, scope);
    }
  });

  on(app, 'markFollowedSeen', async (request) => {
    const { id } = requirePatient(liveState, request.params.id, scopeOfReader(request));
    await markFollowedSeen(store, sessionOf(request).user.id, id, request.body);
  });
}
