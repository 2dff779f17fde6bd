import { sql, type Kysely, type Selectable } from 'kysely';
import type { FastifyRequest } from 'fastify';
import type { HistoryFilter, HistoryItem } from '../../lib/alerts/historySchema';
import type { AlertItem } from '../../lib/alerts/schema';
import { sentenceAsOf } from '../../lib/alerts/sentenceAsOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { AlertHistoryTable } from '../db/alertTables';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { sessionOf } from '../http/access';
import type { Server } from '../server';
import { shownRecordOf } from './alertRows';
import type { AlertSubject } from './queries';
import { presentAlerts } from './queries';

const dayMs = 86_400_000;
/** What is looked through if the caller names no time, and at most: in milliseconds. */
const usualSpanMs = 14 * dayMs;
const longestSpanMs = 92 * dayMs;

export type HistoryRow = Selectable<AlertHistoryTable>;

/** The last row of a page. The next page begins after it. */
export interface HistoryPlace {
  raisedAt: EpochMs;
  alertId: number;
}

/** What the store selects; reach and unit are looked at afterwards. */
export type RowFilter = Omit<HistoryFilter, 'from' | 'to' | 'unitId'> & { from: EpochMs; to: EpochMs };

/**
 * Takes the filter of a call and returns the time that it selects: two weeks, unless it says so. Throws 400 if that is
 * no time or more than 92 days.
 */
export function spanOf({ from, to }: Pick<HistoryFilter, 'from' | 'to'>, now: EpochMs): { from: EpochMs; to: EpochMs } {
  const end = (to === undefined ? null : parseInstant(to)) ?? now + 1;
  const begin = (from === undefined ? null : parseInstant(from)) ?? end - usualSpanMs;
  if (begin > end || end - begin > longestSpanMs) {
    const [field, message] =
      begin > end
        ? ['is after to', 'The time ends before it begins.']
        : ['is more than 92 days before to', 'The history shows at most 92 days at once.'];
    throw new HttpError(400, 'malformed_request', message, { fields: { from: field } });
  }
  return { from: begin, to: end };
}

/** Returns the query of the newest rows after a place (null: from the newest row on), at most `limit`. */
export function historyRows(
  db: Kysely<Database>,
  siteId: number,
  { from, to, patientId, priority, rule, state, person }: RowFilter,
  behind: HistoryPlace | null,
  limit: number,
) {
  let query = db.selectFrom('alert_history').selectAll().where('raised_at', '>=', from);
  // One upper end: of two, SQLite may take the one from which it has to pass over every row of the pages before.
  query =
    behind === null || behind.raisedAt >= to
      ? query.where('raised_at', '<', to)
      : query.where(sql<boolean>`(raised_at, alert_id) < (${behind.raisedAt}, ${behind.alertId})`);
  // A patient belongs to one site. With both conditions the engine may choose the wrong index.
  query = patientId === undefined ? query.where('site_id', '=', siteId) : query.where('patient_id', '=', patientId);
  query = query.where((is) => is.and({ priority, rule }));
  if (state !== undefined) {
    query = query.where('closed_at', state === 'open' ? 'is' : 'is not', null);
  }
  if (person !== undefined) {
    query = query.where(
      'alert_id',
      'in',
      db.selectFrom('alert_actors').select('alert_id').where('user_id', '=', person),
    );
  }
  return query.orderBy('raised_at', 'desc').orderBy('alert_id', 'desc').limit(limit);
}

const rowsAtOnce = 1_000;

/** Yields rows that the caller may see, the newest first. Reads them in parts, and lets others go on in between. */
export async function* visibleRows(
  { store }: Pick<Server, 'store'>,
  siteId: number,
  filter: RowFilter,
  isVisible: (row: HistoryRow) => boolean,
  behind: HistoryPlace | null = null,
): AsyncGenerator<HistoryRow[]> {
  let place = behind;
  for (let isMore = true; isMore;) {
    const rows = await historyRows(store.db, siteId, filter, place, rowsAtOnce).execute();
    const last = rows.at(-1);
    place = last === undefined ? null : placeOf(last);
    isMore = rows.length === rowsAtOnce;
    yield rows.filter(isVisible);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const placeOf = ({ raised_at, alert_id }: HistoryRow): HistoryPlace => ({
  raisedAt: raised_at,
  alertId: alert_id,
});

/** Returns whether a row is within the caller's reach and, if the filter names a unit, about a patient of that unit. */
export function isShown(
  { liveState }: Pick<Server, 'liveState'>,
  isInReach: (alert: AlertSubject) => boolean,
  unitId: number | undefined,
): (row: HistoryRow) => boolean {
  return ({ site_id, patient_id, parameter }) => {
    const unit = patient_id === null ? null : liveState.patients.get(patient_id)?.unit_id;
    return (
      // Those without a patient name no one: the history shows them to the whole site.
      isInReach({ siteId: site_id, patientId: patient_id, deviceId: null, alert: { parameter } }) &&
      (unitId === undefined || unit === unitId)
    );
  };
}

/** Resolves with rows as responses show them. One whose alert is gone is left out. */
export async function presentHistory(
  server: Server,
  request: FastifyRequest,
  rows: readonly HistoryRow[],
): Promise<HistoryItem[]> {
  const ids = rows.map(({ alert_id }) => alert_id);
  const found =
    ids.length === 0 ? [] : await server.store.db.selectFrom('alerts').selectAll().where('id', 'in', ids).execute();
  const records = found.flatMap((row) => server.alerts.find(row.id) ?? shownRecordOf(row) ?? []);
  const now = server.now();
  const items = await presentAlerts(server, records, sessionOf(request).user, now);
  const byId = new Map(items.map((item) => [item.id, item]));
  return rows.flatMap((row) => {
    const item = byId.get(row.alert_id);
    // The list is read minutes later: a sentence of an open alert must not say "now" then.
    const readAt = formatTime(now, server.alerts.timeZoneOf(row.site_id));
    return item === undefined ? [] : [itemOf(row, { ...item, sentence: sentenceAsOf(item.sentence, readAt) })];
  });
}

/** Of the alert, the response keeps what its schema names. */
function itemOf(row: HistoryRow, item: AlertItem): HistoryItem {
  return {
    ...item,
    raisedAt: toInstant(row.raised_at),
    priority: row.priority,
    acknowledgedAt: instantOrNull(row.acknowledged_at),
    acceptedAt: instantOrNull(row.accepted_at),
    highestStep: row.highest_step,
  };
}
