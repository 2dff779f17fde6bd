import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isOwned, type Alert } from '../../lib/alerts/alert';
import type { alertStrip } from '../../lib/alerts/stripSchema';
import { can } from '../../lib/session/can';
import { isDisplay } from '../../lib/session/isDisplay';
import { soundOf, soundsFor } from '../../lib/sound/soundOf';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import type { App, Server } from '../server';
import { readNamesOrInitials } from '../users/readNames';
import type { AlertRecord } from './alertWrites';
import { knownAlert } from './knownAlert';
import { alertsInReach, listAlerts } from './listAlerts';
import { presentAlerts, readLog } from './queries';
import { inOrder } from './rankOf';
import { unitOfReports } from './reportSubject';

/**
 * Resolves with the open alerts within the user's reach, also for a locked session: places and times, nothing else of a
 * patient. Audited as a view of its own, because a user who saw a strip saw no name.
 */
async function readAlertStrip(server: Server, request: FastifyRequest): Promise<z.output<typeof alertStrip>> {
  const { liveState, alerts, alertPath, auditView } = server;
  const { user } = sessionOf(request);
  if (!can(user, 'readAlerts')) {
    return { items: [], alertPath: alertPath.read() };
  }
  const isVisible = alertsInReach(server, request, 'readAlerts');
  const open = alerts.listOpen(user.siteId);
  const shown = inOrder(open.filter((record) => isVisible(record) && needsSomeone(record.alert)));
  await auditView(request, {
    action: 'read_alert_strip',
    patientIds: shown.flatMap(({ patientId }) => patientId ?? []),
  });
  return {
    items: shown.map(({ patientId, deviceId, alert, raisedAt }) => {
      const row = patientId === null ? undefined : liveState.patients.get(patientId);
      return {
        unit: liveState.unitNameOf(row ?? { unit_id: unitOfReports(deviceId) }),
        bed: row?.bed ?? null,
        isTrial: row?.is_trial === 1,
        priority: alert.priority,
        raisedAt: toInstant(raisedAt),
        owned: isOwned(alert),
      };
    }),
    alertPath: alertPath.read(),
  };
}

/** What has ended and is not latched stays in the list as an entry that no one has seen, but calls no one. */
function needsSomeone({ condition, latched }: Alert): boolean {
  return condition === 'active' || latched;
}

/**
 * Resolves with what the browser of a user sounds, also of a locked session. Users who handle no alerts are never
 * asked: theirs is silent, and shows a pause as everyone's does. A display sounds for the patients of its unit. No
 * patient is in it, so it is no view to audit.
 */
async function readAlertSound(server: Server, request: FastifyRequest): Promise<AlertSound> {
  const { alerts, store, liveState, now } = server;
  const { user } = sessionOf(request);
  const isOfDisplay = isDisplay(user);
  if (!isOfDisplay && !can(user, 'readAlerts')) {
    return { priority: null, pause: null, asking: [] };
  }
  const isNear = alertsInReach(server, request, isOfDisplay ? 'readWall' : 'readAlerts');
  const open = alerts
    .listOpen(user.siteId)
    .filter((alert) => isNear(alert) && !(isOfDisplay && alert.patientId === null));
  const listed = open.map(({ alert }) => alert);
  const { priority: asked, pause } = soundOf(listed, isOfDisplay ? null : user.id, now());
  const isAsked = can(user, 'handleAlerts');
  const priority = isOfDisplay || isAsked ? asked : null;
  const sounds = soundsFor(listed, user.id, now());
  const asking = inOrder(open.filter(({ alert }) => isAsked && sounds(alert))).map(({ alert, raisedAt }) => ({
    priority: alert.priority,
    raisedAt: toInstant(raisedAt),
  }));
  if (pause === null) {
    return { priority, pause, asking };
  }
  const nameOf = await readNamesOrInitials(store.db, liveState.openAlerts, [pause.by]);
  return { priority, asking, pause: { until: toInstant(pause.until), by: shortName(nameOf(pause.by).name) } };
}

/** "Noor Demo" becomes "N. Demo". */
function shortName(name: string): string {
  const [first = '', ...rest] = name.split(' ');
  return rest.length === 0 ? first : `${[...first][0] ?? ''}. ${rest.join(' ')}`;
}

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
