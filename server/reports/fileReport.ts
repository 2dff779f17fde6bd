import type { Kysely } from 'kysely';
import { routePattern } from '../../lib/monitoring/routePattern';
import type { NewReport } from '../../lib/reports/schema';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { requireDevice } from '../devices/queries';
import { invalid, notFound } from '../http/httpError';
import type { Scope } from '../http/scope';
import { pastInstant, requireAlerts, requireAuthor } from '../notes/documents';
import { requirePatient } from '../patients/requirePatient';
import { addEntries, auditReport, type NewEntry, type ReportRow, type ReportWriter } from './findReport';

/**
 * Files a report and resolves with it. The same `clientId` again, after a lost response, resolves with the report that
 * it made, whatever became of its patient, unit or device. Rejects with 404 for a patient or a device out of reach,
 * 409 `another_user` if the page is another user's, and 422 for a unit that is not the site's, an alert of another
 * patient, or a time in the future. `devices`: those that the reporter may see; null: none.
 */
export async function fileReport(writer: ReportWriter, wanted: NewReport, devices: Scope | null): Promise<ReportRow> {
  const { store, liveState, now, user } = writer;
  requireAuthor(writer, wanted.authorId);
  // First: what it names may be gone since it was filed, and the page must not say that it was not sent.
  const known = await reportSentBefore(store.db, user.id, wanted.clientId).executeTakeFirst();
  if (known !== undefined) {
    return known;
  }
  const patient = patientOf(writer, wanted.patientId);
  const place = placeOf(writer, wanted, patient);
  const times = {
    occurred_at: pastInstant('occurredAt', wanted.occurredAt, now),
    discovered_at: pastInstant('discoveredAt', wanted.discoveredAt, now),
  };
  if (wanted.deviceId !== null) {
    if (devices === null) {
      throw notFound();
    }
    await requireDevice(store, liveState, devices, wanted.deviceId);
  }
  const { isQuarantined = null, ...device } = wanted.device ?? {};
  return await store.db.transaction().execute(async (transaction) => {
    await requireAlerts(transaction, user.siteId, patient?.id ?? null, wanted.alertIds, { orEquipment: true });
    const added = await transaction
      .insertInto('issue_reports')
      .values({
        site_id: user.siteId,
        reported_at: now,
        status: 'new',
        kind: wanted.kind,
        severity: wanted.severity,
        ...place,
        patient_id: patient?.id ?? null,
        author_id: user.id,
        author_type: user.type,
        client_id: wanted.clientId,
        is_reporter_hidden: wanted.isReporterHidden ? 1 : 0,
        harm_physical: wanted.harm.physical,
        harm_psychological: wanted.harm.psychological,
        device_id: wanted.deviceId,
        is_quarantined: isQuarantined === null ? null : Number(isQuarantined),
        ...times,
        alarm_at: wanted.alarmsUnit ? now : null,
        title: wanted.title,
        what_happened: wanted.whatHappened,
        expected: wanted.expected,
        immediate_action: wanted.immediateAction,
        alert_ids: JSON.stringify(wanted.alertIds),
        device: wanted.device === null ? null : JSON.stringify(device),
        context:
          wanted.context === null
            ? null
            : JSON.stringify({ ...wanted.context, page: routePattern(wanted.context.page) }),
        changed_at: now,
        changed_by: user.id,
      })
      .onConflict((conflict) => conflict.columns(['author_id', 'client_id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added === undefined) {
      return await reportSentBefore(transaction, user.id, wanted.clientId).executeTakeFirstOrThrow();
    }
    const filed: NewEntry = { is: 'filed', from: null, to: null };
    const alarm: NewEntry = { is: 'alarm', from: 'off', to: 'on' };
    await addEntries(transaction, added, wanted.alarmsUnit ? [filed, alarm] : [filed], user.id, now);
    await auditReport(writer, transaction, 'file_report', added);
    return added;
  });
}

/** Selects the report that this author's page sent before under the same id. */
const reportSentBefore = (db: Kysely<Database>, authorId: number, clientId: string) =>
  db.selectFrom('issue_reports').selectAll().where('author_id', '=', authorId).where('client_id', '=', clientId);

function patientOf({ liveState, patients }: ReportWriter, id: number | null): PatientRow | null {
  if (id === null) {
    return null;
  }
  if (patients === null) {
    throw notFound();
  }
  return requirePatient(liveState, id, patients);
}

/** Without a unit of its own a report has its patient's place, so that S1 alarms where the patient is. */
function placeOf(
  { liveState, user }: ReportWriter,
  { unitId, bed }: Pick<NewReport, 'unitId' | 'bed'>,
  patient: PatientRow | null,
): { unit_id: number | null; bed: string | null } {
  if (unitId === null) {
    const unit = patient === null ? null : liveState.unitOf(patient);
    return unit === null ? { unit_id: null, bed } : { unit_id: unit.id, bed: bed ?? patient?.bed ?? null };
  }
  if (liveState.units.get(unitId)?.site_id !== user.siteId) {
    throw invalid({ unitId: 'is not a unit of the site' }, 'This unit is not one of the site.');
  }
  return { unit_id: unitId, bed };
}
