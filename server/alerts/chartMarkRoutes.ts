import type { App, Server } from '../server';
import { requireScope } from '../http/access';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import { chartWindow } from '../vitals/chartWindow';
import { readChartMarks } from './chartMarks';

/** What a chart shows beside the values. It is one view of the patient with them, and recorded once. */
export function chartMarkRoutes(app: App, server: Server): void {
  const { liveState, auditView, now } = server;

  on(app, 'getChartMarks', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    const window = chartWindow(request.query, now());
    await auditView(request, { action: 'read_vitals', patientId: patient.id });
    return await readChartMarks(server, request, patient, window, now());
  });
}
