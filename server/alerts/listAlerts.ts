import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isOfEquipment } from '../../lib/alerts/parameters';
import type { alertsResponse, AlertsQuery } from '../../lib/alerts/schema';
import type { Permission } from '../../lib/session/permissions';
import type { Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { inScope } from '../http/scope';
import type { AlertRecord } from './alertWrites';
import { listClosed, presentAlerts, readAlerts, type AlertSubject } from './queries';
import { inOrder } from './rankOf';
import { unitOfReports } from './reportSubject';

/**
 * How long a response is current although its sentences contain times and values, in milliseconds: each poll brings
 * new ones.
 */
const wordsLastMs = 4_000;

/**
 * Returns a function that says whether the caller may see an alert: one about a patient or a unit within reach, or
 * about equipment. A technician sees equipment only. For a moment the unit sees it that the patient has just left
 * (`FormerUnit`). Throws 403 if the caller lacks the permission.
 */
export function alertsInReach(
  { liveState, now }: Server,
  request: FastifyRequest,
  act: Permission,
): (alert: AlertSubject) => boolean {
  const scope = requireScope(request, act, now());
  const isTechnician = sessionOf(request).user.type === 'technician';
  return ({ siteId, patientId, deviceId, alert }) => {
    const row =
      patientId === null ? { site_id: siteId, unit_id: unitOfReports(deviceId) } : liveState.patients.get(patientId);
    const former = act === 'handleAlerts' || alert.closed !== null ? null : (alert.escalation?.former ?? null);
    const isNear =
      row !== undefined &&
      (inScope(scope, row) || (former !== null && inScope(scope, { site_id: row.site_id, unit_id: former.unitId })));
    return isNear && (!isTechnician || isOfEquipment(alert.parameter));
  };
}

/**
 * Resolves with a page of the alerts that the caller may see, for the call and for page rendering. Rejects with 403.
 */
export async function listAlerts(
  server: Server,
  request: FastifyRequest,
  query: AlertsQuery,
): Promise<z.output<typeof alertsResponse>> {
  const { store, liveState, alerts, auditView, now } = server;
  const { state, patientId, ids, after, page, pageSize } = query;
  const isVisible = alertsInReach(server, request, 'readAlerts');
  const { user } = sessionOf(request);
  const at = now();
  const queryKey = JSON.stringify([
    state,
    patientId ?? null,
    ids ?? null,
    page,
    pageSize,
    user.type === 'technician',
    requireScope(request, 'readAlerts', at).unitIds,
  ]);
  const which = createHash('sha256')
    .update(`${queryKey} ${Math.floor(at / wordsLastMs)}`)
    .digest('base64url')
    .slice(0, 8);
  const version = `${liveState.boot}.${alerts.version(user.siteId)}.${liveState.rosterVersion(user.siteId)}.${which}`;
  const isAsked = (alert: AlertSubject): boolean =>
    isVisible(alert) && (patientId === undefined || alert.patientId === patientId);
  const { shown, total } =
    ids !== undefined
      ? await listThese(server, ids, isVisible)
      : state === 'open'
        ? pageOf(inOrder(alerts.listOpen(user.siteId).filter(isAsked)), query)
        : await listClosed(store.db, user.siteId, patientId ?? null, isAsked, query);
  const isOfPatient =
    patientId !== undefined &&
    isVisible({ siteId: user.siteId, patientId, deviceId: null, alert: { parameter: 'sensor' } });
  // The alerts of one patient are a view of that patient, also if there are none.
  await auditView(
    request,
    isOfPatient
      ? { action: 'read_alerts', patientId }
      : { action: 'list_alerts', patientIds: shown.flatMap((record) => record.patientId ?? []) },
  );
  return after === version
    ? { unchanged: true as const, version }
    : { items: await presentAlerts(server, shown, user, at), total, version };
}

/** Resolves with those of these alerts that the caller may see, as they are in memory, else in the store. */
async function listThese(
  { alerts, store }: Server,
  ids: readonly number[],
  isVisible: (alert: AlertSubject) => boolean,
): Promise<{ shown: AlertRecord[]; total: number }> {
  const inMemory = ids.flatMap((id) => alerts.find(id) ?? []);
  const known = new Set(inMemory.map(({ id }) => id));
  const stored = await readAlerts(
    store.db,
    ids.filter((id) => !known.has(id)),
  );
  const shown = inOrder([...inMemory, ...stored].filter(isVisible));
  return { shown, total: shown.length };
}

function pageOf(
  found: readonly AlertRecord[],
  { page, pageSize }: AlertsQuery,
): { shown: AlertRecord[]; total: number } {
  return { shown: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
}
