import type { FastifyRequest } from 'fastify';
import type { Permission } from '../../lib/session/permissions';
import type { Server } from '../server';
import { HttpError, notFound } from '../http/httpError';
import type { AlertRecord } from './alertWrites';
import { alertsInReach } from './listAlerts';
import { readAlert } from './queries';

/**
 * Resolves with an alert within the caller's reach, open or closed. Rejects with 404 if the caller may not see it, and
 * with 403 `emergency_access` if they see it by emergency access alone and may only acknowledge it.
 */
export async function knownAlert(
  server: Server,
  request: FastifyRequest,
  id: number,
  permission: Permission,
): Promise<AlertRecord> {
  const isInReach = alertsInReach(server, request, permission);
  const isVisible = alertsInReach(server, request, 'readAlerts');
  const record = server.alerts.find(id) ?? (await readAlert(server.store.db, id));
  if (record === null || !isVisible(record)) {
    throw notFound();
  }
  if (!isInReach(record)) {
    throw new HttpError(403, 'emergency_access', 'Emergency access allows reading and acknowledging, nothing else.');
  }
  return record;
}
