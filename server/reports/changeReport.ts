import type { Kysely } from 'kysely';
import { changeOf, type ReportFacts, type WantedChange } from '../../lib/reports/changeOf';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import { changeableFields, type NewComment, type ReportChange } from '../../lib/reports/schema';
import type { Database } from '../db/schema';
import { forbidden, HttpError, invalid } from '../http/httpError';
import { requireAuthor } from '../notes/documents';
import {
  auditReport,
  fieldsOfReport,
  holdReport,
  requireReportVersion,
  writeReport,
  type NewEntry,
  type ReportRow,
  type ReportWriter,
} from './findReport';
import { readAssignees } from './readAssignees';

/**
 * Changes a report for a user who manages it, and resolves with it. What is wanted already, after a lost response,
 * changes nothing. One that becomes S1 moves to where it alarms now. Rejects with 404, 403 for a report or a field that
 * the user does not manage, 409 `another_user`, 409 `report_changed` if the user saw another version, and 422 for a
 * status that cannot follow, an assignee who cannot manage it, and an S1 that was not confirmed.
 */
export async function changeReport(
  writer: ReportWriter,
  id: number,
  { version, authorId, comment, ...wanted }: ReportChange,
): Promise<ReportRow> {
  return await writer.store.db.transaction().execute(async (transaction) => {
    const row = await holdReport(writer, transaction, id);
    requireAuthor(writer, authorId);
    requireFields(writer, row, wanted);
    const before = factsOf(row);
    const change = changeOf(before, wanted, writer.now);
    const isDone = typeof change !== 'string' && change.lines.length === 0;
    if (isDone && (await isRepeated(writer, transaction, row, { version, comment }))) {
      return row;
    }
    await requireReportVersion(writer, transaction, row, version);
    if (typeof change === 'string') {
      throw refusalOf(change, before);
    }
    const { after, lines } = await withAssignee(writer, transaction, before, wanted);
    const isRaised = after.severity === 'S1' && before.severity !== 'S1';
    const place = isRaised ? placeToAlarm(writer, row) : { unit_id: row.unit_id, bed: row.bed };
    const entries: NewEntry[] = [
      ...unitLines(row.unit_id, place.unit_id),
      ...lines,
      ...(comment === undefined ? [] : [{ ...commented, text: comment }]),
    ];
    if (entries.length === 0) {
      return row;
    }
    const changed = await writeReport(writer, transaction, row, { ...columnsOf(after), ...place }, entries);
    await auditReport(writer, transaction, 'change_report', changed, [...new Set(entries.map(({ is }) => is))]);
    return changed;
  });
}

/**
 * Adds a comment of the reporter or of a user who manages the report, and resolves with it. The same `clientId` again
 * adds nothing. Rejects with 404, 403 `not_reporter` for everyone else, and 409 `another_user`.
 */
export async function commentReport(
  writer: ReportWriter,
  id: number,
  { clientId, authorId, text }: NewComment,
): Promise<ReportRow> {
  const { user } = writer;
  return await writer.store.db.transaction().execute(async (transaction) => {
    const row = await holdReport(writer, transaction, id);
    requireAuthor(writer, authorId);
    if (row.author_id !== user.id && fieldsOfReport(writer, row).length === 0) {
      throw new HttpError(403, 'not_reporter', 'Only the reporter and those who manage this report can comment.');
    }
    const known = await transaction
      .selectFrom('issue_report_entries')
      .select('id')
      .where('report_id', '=', row.id)
      .where('author_id', '=', user.id)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (known !== undefined) {
      return row;
    }
    const commentedRow = await writeReport(writer, transaction, row, {}, [{ ...commented, text, clientId }]);
    await auditReport(writer, transaction, 'comment_report', commentedRow);
    return commentedRow;
  });
}

/**
 * Returns where a report alarms that becomes S1 now: where its patient is, who may have moved since it was filed; and
 * for the site, if its unit is gone.
 */
function placeToAlarm({ liveState }: ReportWriter, row: ReportRow): Pick<ReportRow, 'unit_id' | 'bed'> {
  const patient = row.patient_id === null ? undefined : liveState.patients.get(row.patient_id);
  const unit = patient?.state === 'active' ? liveState.unitOf(patient) : null;
  if (patient !== undefined && unit !== null && unit.id !== row.unit_id) {
    return { unit_id: unit.id, bed: patient.bed };
  }
  return liveState.unitOf(row) === null ? { unit_id: null, bed: row.bed } : { unit_id: row.unit_id, bed: row.bed };
}

function unitLines(from: number | null, to: number | null): NewEntry[] {
  const idOf = (id: number | null): string | null => (id === null ? null : String(id));
  return from === to ? [] : [{ is: 'unit', from: idOf(from), to: idOf(to) }];
}

const commented = { is: 'comment', from: null, to: null } as const;

/** Resolves with whether the user has changed the version that they saw, with this comment if there is one. */
async function isRepeated(
  { user }: ReportWriter,
  transaction: Kysely<Database>,
  row: ReportRow,
  { version, comment }: Pick<ReportChange, 'version' | 'comment'>,
): Promise<boolean> {
  if (row.version !== version + 1 || row.changed_by !== user.id) {
    return false;
  }
  const texts = await transaction
    .selectFrom('issue_report_entries')
    .select('text')
    .where('report_id', '=', row.id)
    .where('version', '=', row.version)
    .execute();
  return comment === undefined || texts.some(({ text }) => text === comment);
}

function requireFields(writer: ReportWriter, row: ReportRow, wanted: WantedChange): void {
  const allowed = fieldsOfReport(writer, row);
  const refused = changeableFields.filter((field) => wanted[field] !== undefined && !allowed.includes(field));
  if (allowed.length === 0 || refused.length > 0) {
    throw forbidden();
  }
}

function refusalOf(fault: 'status' | 'alarm', { status }: ReportFacts): HttpError {
  return fault === 'status'
    ? invalid({ status: `cannot follow "${reportStatuses[status]}"` }, 'This status cannot follow.')
    : invalid({ alarmsUnit: 'has to be confirmed for S1' }, 'S1 alarms the unit now: confirm it.');
}

/**
 * Resolves with the change, in which an assignee can manage the report: one who cannot is refused, and one whom
 * another kind leaves without the right is taken off.
 */
async function withAssignee(
  { now, user }: ReportWriter,
  transaction: Kysely<Database>,
  before: ReportFacts,
  wanted: WantedChange,
): Promise<Exclude<ReturnType<typeof changeOf>, string>> {
  const { assigneeId = before.assigneeId, kind = before.kind } = wanted;
  const isAsked = (wanted.assigneeId ?? null) !== null || (wanted.kind !== undefined && assigneeId !== null);
  const assignees = isAsked ? await readAssignees(transaction, user.siteId) : [];
  const canManage = assignees.some(({ id, kinds }) => id === assigneeId && kinds.includes(kind));
  if ((wanted.assigneeId ?? null) !== null && !canManage) {
    throw invalid({ assigneeId: 'cannot manage reports of this kind' }, 'This user cannot manage this report.');
  }
  const change = changeOf(before, isAsked && !canManage ? { ...wanted, assigneeId: null } : wanted, now);
  if (typeof change === 'string') {
    throw refusalOf(change, before);
  }
  return change;
}

/** Returns what of a row changes, as the rules see it. */
function factsOf(row: ReportRow): ReportFacts {
  return {
    status: row.status,
    severity: row.severity,
    kind: row.kind,
    harmPhysical: row.harm_physical,
    harmPsychological: row.harm_psychological,
    assigneeId: row.assignee_id,
    externalReference: row.external_reference,
    isQuarantined: row.is_quarantined === null ? null : row.is_quarantined === 1,
    alarmAt: row.alarm_at,
    alarmEndedAt: row.alarm_ended_at,
  };
}

function columnsOf(facts: ReportFacts) {
  return {
    status: facts.status,
    severity: facts.severity,
    kind: facts.kind,
    harm_physical: facts.harmPhysical,
    harm_psychological: facts.harmPsychological,
    assignee_id: facts.assigneeId,
    external_reference: facts.externalReference,
    is_quarantined: facts.isQuarantined === null ? null : Number(facts.isQuarantined),
    alarm_at: facts.alarmAt,
    alarm_ended_at: facts.alarmEndedAt,
  };
}
