import { parseInstant } from '../../lib/time/parseInstant';
import { auditDone } from '../audit';
import { actorOf } from '../audit/actor';
import { withdrawReadings, readingKindsOf } from '../checkIn/reportReadings';
import { requireScope, sessionOf } from '../http/access';
import { HttpError, notFound } from '../http/httpError';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import { writerOf, type Writer } from '../patients/writerOf';
import type { App, Server } from '../server';
import { addSymptomReport } from './commands';
import { showReport } from './newestReports';
import { listReports, presentListed, presentReport, readReport, type StoredReport } from './queries';

/**
 * Marks a report as entered in error and returns it; it stays on record. The caller withdraws its readings. The same
 * user and reason again, after a lost response, change nothing. Rejects with 404 if it is out of reach, and with 409
 * `in_error` if it is marked already: its message says by whom.
 */
async function markInError(
  { store: { db }, liveState, now, actor, user, scope }: Writer,
  id: number,
  reason: string,
): Promise<StoredReport> {
  const ofId = db.selectFrom('symptom_reports').select('patient_id').where('id', '=', id);
  requirePatient(liveState, (await ofId.executeTakeFirstOrThrow(notFound)).patient_id, scope);
  return await db.transaction().execute(async (transaction) => {
    const marked = await transaction
      .updateTable('symptom_reports')
      .set({ in_error_at: now, in_error_by: user.id, in_error_reason: reason })
      .where('id', '=', id)
      .where('in_error_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const row = await readReport(transaction, id);
    if (marked !== undefined) {
      await auditDone(transaction, now, actor, 'mark_symptoms_in_error', ['patient', row.patient_id], {
        report: id,
        ...(row.readings_at === null ? {} : { kinds: readingKindsOf(row) }),
      });
    } else if (row.in_error_by !== user.id || row.in_error_reason !== reason) {
      const message = `${row.strikerName ?? 'Another user'} has marked this as entered in error.`;
      throw new HttpError(409, 'in_error', message, { id });
    }
    return row;
  });
}

/** Reports of symptoms by patients. */
export function symptomRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, faults, now } = server;
  on(app, 'listSymptomReports', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_symptoms', patientId: patient.id });
    const { from, to, page, pageSize } = request.query;
    const window = {
      from: from === undefined ? null : parseInstant(from),
      to: to === undefined ? null : parseInstant(to),
    };
    const { rows, total } = await listReports(store.db, patient.id, { ...window, page, pageSize });
    const { emergencyNumber } = sessionOf(request).user.site;
    return { items: rows.map((row) => presentListed(row, emergencyNumber, faults)), total };
  });

  on(app, 'addSymptomReport', async (request) => {
    const { user } = sessionOf(request);
    const scope = requireScope(request, 'recordObservations', now());
    const who = { userId: user.id, patientId: request.params.id };
    const row = await addSymptomReport(store, liveState, now(), actorOf(request), scope, who, request.body);
    await showReport(server, row);
    await alerts.reported(row.patient_id);
    return presentReport(row, user.site.emergencyNumber);
  });

  on(app, 'markSymptomsInError', async (request) => {
    const writer = writerOf(server, request, 'recordObservations');
    const row = await markInError(writer, request.params.id, request.body.reason);
    await showReport(server, row);
    await alerts.reported(row.patient_id);
    // Also if it was marked already: the server may have stopped between the two.
    await withdrawReadings(server, now(), row);
    return presentListed(row, writer.user.site.emergencyNumber, faults);
  });
}
