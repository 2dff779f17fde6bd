import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isOwned, type Alert } from '../../lib/alerts/alert';
import { inOrderOfUrgency } from '../../lib/alerts/inOrderOfUrgency';
import type { alertStrip } from '../../lib/alerts/stripSchema';
import { can } from '../../lib/session/can';
import { toInstant } from '../../lib/time/schema';
import { sessionOf } from '../http/access';
import type { Server } from '../server';
import { alertsInReach } from './listAlerts';
import { rankOf } from './rankOf';
import { unitOfReports } from './reportSubject';

/**
 * Resolves with the open alerts within the user's reach, also for a locked session: places and times, nothing else of a
 * patient. Audited as a view of its own, because a user who saw a strip saw no name.
 */
export async function readAlertStrip(server: Server, request: FastifyRequest): Promise<z.output<typeof alertStrip>> {
  const { liveState, alerts, alertPath, auditView } = server;
  const { user } = sessionOf(request);
  if (!can(user, 'readAlerts')) {
    return { items: [], alertPath: alertPath.read() };
  }
  const isVisible = alertsInReach(server, request, 'readAlerts');
  const shown = alerts
    .listOpen(user.siteId)
    .filter((record) => isVisible(record) && needsSomeone(record.alert))
    .map((record) => ({ record, rank: rankOf(record) }))
    .sort((a, b) => inOrderOfUrgency(a.rank, b.rank))
    .map(({ record }) => record);
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
