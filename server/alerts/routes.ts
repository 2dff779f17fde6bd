import type { FastifyRequest } from 'fastify';
import { accept, acknowledge, pauseAudio, reject, resolve, type ActionFault } from '../../lib/alerts/actions';
import { isOpen, type Alert, type AlertChange } from '../../lib/alerts/alert';
import type { AlertItem } from '../../lib/alerts/schema';
import type { AuditAction } from '../../lib/audit/actions';
import type { Permission } from '../../lib/session/permissions';
import type { EpochMs } from '../../lib/time/epochMs';
import type { App, Server } from '../server';
import { audit } from '../audit';
import { sessionOf } from '../http/access';
import { notFound, HttpError } from '../http/httpError';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import type { AlertRecord } from './alertWrites';
import { alertsInReach, listAlerts } from './listAlerts';
import { presentAlerts, readAlert, readLog } from './queries';

/** Alerts: the polled list, the log of one, and users' actions. */
export function alertRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, now } = server;

  // Its headers are the response.
  on(app, 'checkAlertPath', () => null);

  on(app, 'listAlerts', (request) => listAlerts(server, request, request.query));

  on(app, 'listAlertEvents', async (request) => {
    const record = await known(request, request.params.id, 'readAlerts');
    if (record.patientId !== null) {
      await auditView(request, { action: 'list_alerts', patientIds: [record.patientId] });
    }
    return { items: await readLog(store.db, record.id, sessionOf(request).user) };
  });

  /** Returns an alert within reach, open or closed. Rejects with 404. */
  const known = async (request: FastifyRequest, id: number, permission: Permission): Promise<AlertRecord> => {
    const isVisible = alertsInReach(server, request, permission);
    const record = alerts.find(id) ?? (await readAlert(store.db, id));
    if (record === null || !isVisible(record)) {
      throw notFound();
    }
    return record;
  };

  /** Runs a user's action on an open alert, with its audit in the same transaction, and returns the alert after it. */
  const carryOut = async (
    request: FastifyRequest,
    id: number,
    action: AuditAction,
    change: (alert: Alert, by: number, at: EpochMs, patientId: number | null) => AlertChange | ActionFault,
  ): Promise<AlertItem> => {
    const record = await known(request, id, 'handleAlerts');
    const { user } = sessionOf(request);
    const actor = actorOf(request);
    const after = isOpen(record.alert)
      ? await alerts.handle(
          id,
          (alert, at) => change(alert, user.id, at, record.patientId),
          async (transaction) => {
            await audit(transaction, now(), actor, { action, outcome: 'done', objectType: 'alert', objectId: id });
          },
        )
      : 'alert_closed';
    if (after === null || typeof after === 'string') {
      throw errorOf(after ?? 'alert_closed');
    }
    const [item] = await presentAlerts(server, [after], user, now());
    if (item === undefined) {
      throw notFound();
    }
    return item;
  };

  on(app, 'acknowledgeAlert', (request) => carryOut(request, request.params.id, 'acknowledge_alert', acknowledge));

  on(app, 'acceptAlert', (request) =>
    carryOut(request, request.params.id, 'accept_alert', (alert, by, at, patientId) =>
      accept(alert, by, patientId === null ? null : (liveState.patients.get(patientId)?.unit_id ?? null), at),
    ),
  );

  on(app, 'rejectAlert', (request) => {
    const { reason } = request.body;
    return carryOut(request, request.params.id, 'reject_alert', (alert, by, at) => reject(alert, by, reason, at));
  });

  on(app, 'pauseAlertAudio', (request) => {
    const forMs = request.body.seconds * 1_000;
    return carryOut(request, request.params.id, 'pause_alert_audio', (alert, by, at) =>
      pauseAudio(alert, by, forMs, at),
    );
  });

  on(app, 'resolveAlert', (request) => {
    const { outcome, note } = request.body;
    return carryOut(request, request.params.id, 'resolve_alert', (alert, by, at) =>
      resolve(alert, by, { is: outcome, note }, at),
    );
  });
}

function errorOf(code: ActionFault): HttpError {
  switch (code) {
    case 'alert_closed':
      return new HttpError(409, code, 'This alert is closed. Look at the list again.');
    case 'accepted_by_somebody_else':
      return new HttpError(409, code, 'Another user has accepted this alert.');
    case 'pause_too_long':
      return new HttpError(422, 'invalid', 'The sound cannot be paused for so long.', {
        fields: { seconds: 'is longer than 120' },
      });
    default:
      return code satisfies never;
  }
}
