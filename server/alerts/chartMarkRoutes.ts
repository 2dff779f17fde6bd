import { parseInstant } from '../../lib/time/parseInstant';
import type { App, Server } from '../server';
import { requireScope } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import { readChartMarks } from './chartMarks';

/** As long as the minutes are kept, in milliseconds. */
const longestSpanMs = 400 * 86_400_000;

/** What a chart shows beside the values. It is one view of the patient with them, and recorded once. */
export function chartMarkRoutes(app: App, server: Server): void {
  const { liveState, auditView, now } = server;

  on(app, 'getChartMarks', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    const from = parseInstant(request.query.from) ?? now();
    const to = parseInstant(request.query.to) ?? now();
    if (from > to || to - from > longestSpanMs) {
      const message = from > to ? 'is after to' : 'is more than 400 days before to';
      throw new HttpError(400, 'malformed_request', `from: ${message}`, { fields: { from: message } });
    }
    await auditView(request, { action: 'read_vitals', patientId: patient.id });
    return await readChartMarks(server, request, patient, { from, to }, now());
  });
}
