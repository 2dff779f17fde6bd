import { parseInstant } from '../../lib/time/parseInstant';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { withdrawReadings } from '../checkIn/reportReadings';
import { requirePatient } from '../patients/requirePatient';
import { actorOf } from '../audit/actor';
import { addSymptomReport } from './commands';
import { markInError } from './markInError';
import { showReport } from './newestReports';
import { listReports, presentListed, presentReport } from './queries';

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
    const { user } = sessionOf(request);
    const scope = requireScope(request, 'recordObservations', now());
    const { reason } = request.body;
    const row = await markInError(
      store,
      liveState,
      now(),
      actorOf(request),
      scope,
      { id: request.params.id, by: user.id },
      reason,
    );
    await showReport(server, row);
    await alerts.reported(row.patient_id);
    // Also if it was marked already: the server may have stopped between the two.
    await withdrawReadings(server, now(), row);
    return presentListed(row, user.site.emergencyNumber, faults);
  });
}
