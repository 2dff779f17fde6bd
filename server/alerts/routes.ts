import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import { readAlertSound } from './alertSound';
import { readAlertStrip } from './alertStrip';
import { knownAlert } from './knownAlert';
import { listAlerts } from './listAlerts';
import { readLog } from './queries';

/** Alerts as users read them: the polled list, the log of one, and who can be asked to accept one. */
export function alertRoutes(app: App, server: Server): void {
  const { store, alerts, auditView } = server;

  // Its headers are the response.
  on(app, 'checkAlertPath', () => null);

  on(app, 'readAlertStrip', (request) => readAlertStrip(server, request));

  on(app, 'readAlertSound', (request) => readAlertSound(server, request));

  on(app, 'listAlerts', (request) => listAlerts(server, request, request.query));

  on(app, 'listAlertEvents', async (request) => {
    const record = await knownAlert(server, request, request.params.id, 'readAlerts');
    if (record.patientId !== null) {
      await auditView(request, { action: 'read_alert_log', patientId: record.patientId });
    }
    return { items: await readLog(store.db, record.id, sessionOf(request).user) };
  });

  on(app, 'listAlertCandidates', async (request) => {
    const record = await knownAlert(server, request, request.params.id, 'handleAlerts');
    const { user } = sessionOf(request);
    return { items: alerts.candidates(record).filter(({ id }) => id !== user.id) };
  });
}
