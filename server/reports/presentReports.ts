import { fullName } from '../../lib/patients/fullName';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { mrnEnd } from '../../lib/devices/mrnEnd';
import { isAlarming } from '../../lib/reports/changeOf';
import { reachedAt } from '../../lib/reports/reachedAt';
import { statusesAfter } from '../../lib/reports/reportStatuses';
import {
  reportContext,
  reportedDevice,
  type IssueReport,
  type ListedReport,
  type ReportEntry,
  type Sight,
} from '../../lib/reports/schema';
import { readJson } from '../../lib/readJson';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { Alerts } from '../alerts/alerts';
import { reportsOf } from '../alerts/reportSubject';
import type { IssueReportEntriesTable } from '../db/reportTables';
import type { Database } from '../db/schema';
import { readNames, type Person } from '../users/readNames';
import { fieldsOfReport, sightOfReport, type ReportReader, type ReportRow } from './findReport';
import type { ListedRow } from './queries';
import { readAssignees } from './readAssignees';

type EntryRow = Selectable<IssueReportEntriesTable>;

/** A row, how much of it the reader sees, and whether they manage it. */
interface Seen {
  row: ListedRow;
  sight: Sight;
  isManager: boolean;
  entries: readonly EntryRow[];
  nameOf: (id: number) => Person;
}

/** Resolves with reports as a list shows them to the reader. One that they may not see is left out. */
export async function presentReports(
  db: Kysely<Database>,
  alerts: Alerts,
  reader: ReportReader,
  rows: readonly ListedRow[],
): Promise<ListedReport[]> {
  const ids = rows.map(({ id }) => id);
  const entries = await readEntries(db, ids, 'status');
  return (await seenOf(db, reader, rows, entries)).map((seen) => listed(reader, alerts, seen));
}

/** Resolves with one report as the reader sees it, with its history. Throws if they see nothing of it. */
export async function presentReport(
  db: Kysely<Database>,
  alerts: Alerts,
  reader: ReportReader,
  row: ReportRow,
): Promise<IssueReport> {
  const [seen] = await seenOf(db, reader, [row], await readEntries(db, [row.id], null));
  if (seen === undefined) {
    throw new Error('a report was to be shown to a user who may not see it');
  }
  const { sight, isManager } = seen;
  const shown = sight === 'software' ? null : row;
  const whole = sight === 'whole' ? row : null;
  const fields = fieldsOfReport(reader, row);
  return {
    ...listed(reader, alerts, seen),
    whatHappened: shown?.what_happened ?? null,
    expected: shown?.expected ?? null,
    immediateAction: shown?.immediate_action ?? null,
    occurredAt: instantOrNull(row.occurred_at),
    discoveredAt: instantOrNull(row.discovered_at),
    alertIds: whole === null ? [] : z.array(z.int()).parse(JSON.parse(whole.alert_ids)),
    device: shown === null ? null : await deviceOf(db, shown),
    externalReference: row.external_reference,
    context: row.context === null ? null : readJson(reportContext, row.context),
    entries: seen.entries.map((entry) => presentEntry(reader, seen, entry)),
    mayChange: [...fields],
    nextStatuses: fields.length === 0 ? [] : [...statusesAfter(row.status)],
    mayComment: isManager || row.author_id === reader.user.id,
    assignees:
      fields.length === 0 ? [] : (await readAssignees(db, row.site_id)).filter(({ kinds }) => kinds.includes(row.kind)),
  };
}

async function readEntries(db: Kysely<Database>, ids: readonly number[], is: 'status' | null): Promise<EntryRow[]> {
  const query = db.selectFrom('issue_report_entries').selectAll().where('report_id', 'in', ids).orderBy('id');
  return ids.length === 0 ? [] : await (is === null ? query : query.where('is', '=', is)).execute();
}

async function seenOf(
  db: Kysely<Database>,
  reader: ReportReader,
  rows: readonly ListedRow[],
  entries: readonly EntryRow[],
): Promise<Seen[]> {
  const assigned = entries.flatMap(({ is, from_value, to_value }) =>
    is === 'assignee' ? [from_value, to_value].flatMap((id) => (id === null ? [] : Number(id))) : [],
  );
  const nameOf = await readNames(db, [
    ...rows.flatMap(({ author_id, assignee_id }) => (assignee_id === null ? author_id : [author_id, assignee_id])),
    ...entries.map(({ author_id }) => author_id),
    ...assigned,
  ]);
  return rows.flatMap((row) => {
    const sight = sightOfReport(reader, row);
    return sight === null
      ? []
      : {
          row,
          sight,
          isManager: fieldsOfReport(reader, row).length > 0,
          entries: entries.filter(({ report_id }) => report_id === row.id),
          nameOf,
        };
  });
}

/** The fields are listed explicitly: this leaves the server. */
function listed(reader: ReportReader, alerts: Alerts, seen: Seen): ListedReport {
  const { row, sight, entries, nameOf } = seen;
  const { user, liveState } = reader;
  const isOwn = row.author_id === user.id;
  const reached = reachedAt(
    row.reported_at,
    entries.filter(({ is }) => is === 'status').map(({ to_value, added_at }) => ({ to: to_value, at: added_at })),
  );
  const unitName = liveState.unitNameOf(row);
  const alertId = openAlertOf(alerts, row);
  return {
    id: row.id,
    version: row.version,
    sight,
    kind: row.kind,
    severity: row.severity,
    harm: sight === 'whole' ? { physical: row.harm_physical, psychological: row.harm_psychological } : null,
    title: sight === 'software' ? null : row.title,
    status: row.status,
    reachedAt: {
      new: instantOrNull(reached.new),
      triaged: instantOrNull(reached.triaged),
      investigating: instantOrNull(reached.investigating),
      actioned: instantOrNull(reached.actioned),
      closed: instantOrNull(reached.closed),
      reopened: instantOrNull(reached.reopened),
    },
    reportedAt: toInstant(row.reported_at),
    unit: row.unit_id === null || unitName === null ? null : { id: row.unit_id, name: unitName },
    bed: sight === 'software' ? null : row.bed,
    patient: sight === 'software' ? null : patientOf(reader, row, sight),
    reporter: isHiddenFrom(reader, seen) ? null : { ...nameOf(row.author_id), type: row.author_type },
    isReporterHidden: row.is_reporter_hidden === 1,
    isOwn,
    assignee: row.assignee_id === null ? null : nameOf(row.assignee_id),
    alarm: alarmOf(alerts, row, alertId),
    alertId: sight === 'software' ? null : alertId,
    isUnread: isOwn && row.others_version > row.seen_version,
  };
}

/** From peers: those who manage the report see the reporter. */
function isHiddenFrom({ user }: ReportReader, { row, isManager }: Seen): boolean {
  return row.is_reporter_hidden === 1 && row.author_id !== user.id && !isManager;
}

/** Who looks after equipment sees the end of an MRN, as in the list of devices, and no one more of a patient. */
function patientOf({ liveState, patients }: ReportReader, row: ListedRow, sight: Sight): ListedReport['patient'] {
  const patient = row.patient_id === null ? undefined : liveState.patients.get(row.patient_id);
  if (patient === undefined) {
    return null;
  }
  const mayKnow = sight === 'whole' && patients !== null && liveState.patientInScope(patient.id, patients) !== null;
  return {
    mrnEnd: mrnEnd(patient.mrn),
    isTrial: patient.is_trial === 1,
    identity: mayKnow
      ? { id: patient.id, name: fullName(patient.family_name, patient.given_name), mrn: patient.mrn }
      : null,
  };
}

const alarmFacts = ({ alarm_at, alarm_ended_at }: ListedRow) => ({ alarmAt: alarm_at, alarmEndedAt: alarm_ended_at });

function openAlertOf(alerts: Alerts, row: ListedRow): number | null {
  const place = reportsOf({ siteId: row.site_id, unitId: row.unit_id });
  const open = isAlarming(alarmFacts(row))
    ? alerts.listOpen(row.site_id).find(({ deviceId, alert }) => deviceId === place && alert.parameter === 'report')
    : undefined;
  return open?.id ?? null;
}

function alarmOf(alerts: Alerts, row: ListedRow, alertId: number | null): ListedReport['alarm'] {
  if (!isAlarming(alarmFacts(row))) {
    return row.alarm_at === null ? 'none' : 'ended';
  }
  return alertId !== null ? 'open' : alerts.rulesAreOn(row.site_id) ? 'opening' : 'rules_off';
}

async function deviceOf(db: Kysely<Database>, row: ReportRow): Promise<IssueReport['device']> {
  const stated = row.device === null ? null : readJson(reportedDevice.omit({ isQuarantined: true }), row.device);
  if (stated === null && row.device_id === null && row.is_quarantined === null) {
    return null;
  }
  const known =
    row.device_id === null
      ? undefined
      : await db.selectFrom('devices').select('name').where('id', '=', row.device_id).executeTakeFirst();
  return {
    id: row.device_id,
    name: known?.name ?? null,
    maker: stated?.maker ?? null,
    model: stated?.model ?? null,
    serial: stated?.serial ?? null,
    udi: stated?.udi ?? null,
    firmware: stated?.firmware ?? null,
    lot: stated?.lot ?? null,
    isQuarantined: row.is_quarantined === null ? null : row.is_quarantined === 1,
  };
}

function presentEntry(reader: ReportReader, seen: Seen, entry: EntryRow): ReportEntry {
  const { row, sight, nameOf } = seen;
  const isByReporter = entry.author_id === row.author_id;
  const isHarm = entry.is === 'harmPhysical' || entry.is === 'harmPsychological';
  const isWithheld = isHarm && sight !== 'whole';
  const valueOf = (value: string | null): string | null => {
    if (value === null || isWithheld) {
      return null;
    }
    const unitName = entry.is === 'unit' ? reader.liveState.unitNameOf({ unit_id: Number(value) }) : null;
    return unitName ?? (entry.is === 'assignee' ? nameOf(Number(value)).name : value);
  };
  // Who manages software reads no text but their own: any other may name a patient.
  const mayRead = sight !== 'software' || entry.author_id === reader.user.id;
  return {
    id: entry.id,
    at: toInstant(entry.added_at),
    by: isByReporter && isHiddenFrom(reader, seen) ? null : nameOf(entry.author_id),
    isByReporter,
    is: entry.is,
    from: valueOf(entry.from_value),
    to: valueOf(entry.to_value),
    text: mayRead ? entry.text : null,
  };
}
