import type { FastifyRequest } from 'fastify';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import { readAlertSound } from './alertSound';
import { readAlertStrip } from './alertStrip';
import type { AlertRecord } from './alertWrites';
import { knownAlert } from './knownAlert';
import { alertsInReach, listAlerts } from './listAlerts';
import { presentAlerts, readLog } from './queries';

/** Alerts as users read them: the polled list, the log of one, and who can be asked to accept one. */
export function alertRoutes(app: App, server: Server): void {
  const { store, alerts, auditView } = server;

  const viewedAlert = async (
    request: FastifyRequest<{ Params: { id: number } }>,
    permission: 'readAlerts' | 'handleAlerts',
    action: 'read_alerts' | 'read_alert_log',
  ): Promise<AlertRecord> => {
    const record = await knownAlert(server, request, request.params.id, permission);
    if (record.patientId !== null) {
      await auditView(request, { action, patientId: record.patientId });
    }
    return record;
  };

  // Its headers are the response.
  on(app, 'checkAlertPath', () => null);

  on(app, 'readAlertStrip', (request) => readAlertStrip(server, request));

  on(app, 'readAlertSound', (request) => readAlertSound(server, request));

  on(app, 'listAlerts', (request) => listAlerts(server, request, request.query));

  on(app, 'listHeldAlerts', async (request) => {
    const { user } = sessionOf(request);
    // Another session of theirs goes on holding them.
    const held = server.sessions.ofUser(user.id).length > 1 ? [] : alerts.afterSignOut(user.id);
    const records = held.filter(alertsInReach(server, request, 'readAlerts'));
    await auditView(request, {
      action: 'list_alerts',
      patientIds: records.flatMap(({ patientId }) => patientId ?? []),
    });
    return { items: await presentAlerts(server, records, user, server.now()) };
  });

  on(app, 'listAlertEvents', async (request) => {
    const record = await viewedAlert(request, 'readAlerts', 'read_alert_log');
    return { items: await readLog(store.db, record.id, sessionOf(request).user) };
  });

  on(app, 'listAlertCandidates', async (request) => {
    const record = await viewedAlert(request, 'handleAlerts', 'read_alerts');
    const { user } = sessionOf(request);
    return { items: alerts.candidates(record).filter(({ id }) => id !== user.id) };
  });
}
