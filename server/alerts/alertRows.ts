import { sql, type Kysely, type Selectable } from 'kysely';
import type { Alert } from '../../lib/alerts/alert';
import { alertFacts } from '../../lib/alerts/alertFacts';
import { nextEpisode } from '../../lib/alerts/episode';
import { evidence, unreadEvidence, type Evidence } from '../../lib/alerts/evidence';
import type { Parameter } from '../../lib/alerts/parameters';
import { takeEpisode } from '../../lib/alerts/takeEpisode';
import { unreadableAlert } from '../../lib/alerts/technicalRules';
import { readJson } from '../../lib/readJson';
import type { AlertsTable } from '../db/alertTables';
import { inParts } from '../db/inParts';
import type { Database } from '../db/schema';
import type { AlertFaults } from './alertFaults';
import type { AlertRecord } from './alertWrites';

type AlertRow = Selectable<AlertsTable>;

/** Returns the alert of a row, or null if it cannot be read. */
export function recordOf(row: AlertRow): AlertRecord | null {
  const alert = readJson(alertFacts, row.facts);
  return alert === null || alert.parameter !== row.parameter
    ? null
    : recordWith(row, alert, readJson(evidence, row.evidence) ?? unreadEvidence);
}

/** Returns the alert of a row as lists show it: one that cannot be read says so, with its patient and its times. */
export function shownRecordOf(row: AlertRow): AlertRecord | null {
  const episode = nextEpisode(null, [{ ...unreadableAlert, since: row.started_at }], row.started_at, null);
  const change = takeEpisode(null, 'record', episode, row.raised_at, { isHeld: false });
  const known = recordOf(row);
  if (known !== null || change === null) {
    return known;
  }
  const { condition, closed_at } = row;
  const endedAt = condition === 'ended' ? closed_at : null;
  const closed = closed_at === null ? null : ({ at: closed_at, because: 'administrative' } as const);
  return recordWith(row, { ...change.alert, condition, endedAt, closed }, unreadEvidence);
}

function recordWith(row: AlertRow, alert: Alert, kept: Evidence): AlertRecord {
  const { id, site_id: siteId, patient_id: patientId, device_id: deviceId, raised_at: raisedAt } = row;
  return { id, siteId, patientId, deviceId, alert, evidence: kept, raisedAt };
}

export async function newestAlertId(db: Kysely<Database>): Promise<number> {
  const newest = await db
    .selectFrom('alerts')
    .select('id')
    .where('id', '>', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.id ?? 0;
}

/** Resolves with the newest line of the log of each of these alerts, by the alert's id. */
export async function newestEventId(db: Kysely<Database>, alertIds: readonly number[]): Promise<Map<number, number>> {
  const rows =
    alertIds.length === 0
      ? []
      : await db
          .selectFrom('alert_events')
          .select((select) => ['alert_id', select.fn.max('id').as('newest')])
          .where('alert_id', 'in', alertIds)
          .groupBy('alert_id')
          .execute();
  return new Map(rows.map(({ alert_id, newest }) => [alert_id, newest]));
}

/** Resolves with the patients who have an alert that is not closed. */
export async function patientsWithOpenAlerts(db: Kysely<Database>): Promise<number[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('patient_id')
    .where('closed_at', 'is', null)
    .where('unreadable_at', 'is', null)
    .where(sql<boolean>`coalesce(patient_id, -1) >= 0`)
    .execute();
  return rows.flatMap(({ patient_id }) => patient_id ?? []);
}

export type Records = Partial<Record<Parameter, AlertRecord>>;

/** An open alert that cannot be read. */
export type UnreadableAlert = Pick<AlertRecord, 'id' | 'siteId' | 'patientId' | 'deviceId'>;

/** The last alert of each parameter, by patient or device, and the open ones that cannot be read. */
export interface ReadRecords {
  records: Map<number, Records>;
  unreadable: UnreadableAlert[];
}

/** Reads the alerts of some patients, or with null of every device. */
export async function readRecords(
  db: Kysely<Database>,
  of: 'patient_id' | 'device_id',
  ids: readonly number[] | null,
  faults: AlertFaults,
): Promise<ReadRecords> {
  const groups = db
    .selectFrom('alerts')
    .select((select) => select.fn.max('id').as('newest'))
    .where('is_retrospective', '=', 0)
    .where('unreadable_at', 'is', null)
    .groupBy([of, 'parameter']);
  const newest = await (ids === null ? groups.where(of, 'is not', null) : groups.where(of, 'in', ids)).execute();
  const rows: AlertRow[] = [];
  for (const part of inParts(newest.map((row) => row.newest))) {
    rows.push(...(await db.selectFrom('alerts').selectAll().where('id', 'in', part).execute()));
  }
  const records = new Map<number, Records>();
  const unreadable: UnreadableAlert[] = [];
  for (const row of rows) {
    const id = row[of];
    const subject = { patientId: row.patient_id, deviceId: row.device_id };
    const record = recordOf(row);
    if (record === null) {
      faults.unread('alert', subject);
      if (row.closed_at === null) {
        unreadable.push({ id: row.id, siteId: row.site_id, ...subject });
      }
    } else if (id !== null) {
      if (record.evidence === unreadEvidence) {
        faults.unread('evidence', subject);
      }
      records.set(id, { ...records.get(id), [record.alert.parameter]: record });
    }
  }
  return { records, unreadable };
}
