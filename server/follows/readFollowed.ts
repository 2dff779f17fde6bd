import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { followedResponse } from '../../lib/follows/schema';
import { firstDifference } from '../../lib/sortOrder';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import type { Reader } from '../notes/queries';
import { readUnread } from '../notes/readUnread';
import { isInList } from './follows';
import { readLastResults } from './readLastResults';

/**
 * Resolves with the patients whom a user follows, is allowed to see now and are not discharged, and what is new about
 * each: numbers and times.
 */
export async function readFollowed(
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
