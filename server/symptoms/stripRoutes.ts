import { stripFrom, symptomStrip } from '../../lib/symptoms/symptomStrip';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import { chartWindow } from '../vitals/chartWindow';
import { readGradedReports } from './gradedReports';

/** How many reports are marked on the charts. */
const mostMarks = 200;

/** What a patient reported over the time of their charts. It is one view with the list of reports. */
export function symptomStripRoutes(app: App, { store, liveState, auditView, faults, now }: Server): void {
  on(app, 'getSymptomStrip', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    const { from, to } = chartWindow(request.query, now());
    await auditView(request, { action: 'read_symptoms', patientId: patient.id });
    const { timeZone } = sessionOf(request).user.site;
    const window = { from: stripFrom({ from, to }, timeZone), to };
    const { inWindow, before, truncated } = await readGradedReports(store.db, patient.id, window, faults);
    const { isDaily, columns, rows } = symptomStrip([...inWindow, ...before], { from, to }, timeZone);
    return {
      patientId: patient.id,
      from: toInstant(from),
      to: toInstant(to),
      isDaily,
      columns: columns.map(({ at, ...column }) => ({ at: toInstant(at), ...column })),
      rows,
      reported: inWindow
        .flatMap((report) => ('isUnreadable' in report || report.reportedAt < from ? [] : [report]))
        .slice(0, mostMarks)
        .map(({ reportedAt, redFlags }) => ({ at: toInstant(reportedAt), hasRedFlag: redFlags.length > 0 })),
      truncated,
    };
  });
}
