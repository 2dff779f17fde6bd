import type { FastifyRequest } from 'fastify';
import { reject, resolve } from '../../lib/alerts/actions';
import type { Outcome } from '../../lib/alerts/alert';
import { isTechnical } from '../../lib/alerts/parameters';
import type { ListedDevice, TakingOff } from '../../lib/devices/schema';
import type { Action } from '../alerts/handleActions';
import { auditDone } from '../audit';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { HttpError, notFound } from '../http/httpError';
import { on } from '../http/on';
import { scopeOf } from '../http/scope';
import { actorOf } from '../audit/actor';
import { idsOf } from '../audit/createViewAudit';
import {
  addDevice,
  assignDevice,
  changeDevice,
  findPatient,
  renewDeviceToken,
  revokeDevice,
  unassignDevice,
} from './commands';
import { byOf } from '../proposals/proposals';
import { requirePatient } from '../patients/requirePatient';
import { withdrawDevice } from '../vitals/withdrawals';
import { listDevices, listRefused, requireDevice, type DeviceReach } from './queries';

const dayMs = 86_400_000;

/** The devices of the user's site: when they were last seen, tokens, assignments, and rejected samples. */
export function deviceRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, now, auditView } = server;
  /**
   * Runs work that may end a device's assignment. Its signals are then not missed for that patient. Rejects technicians
   * with 409 `ask_the_nurse` while the patient has an urgent alert, and others with 409 `outcome_needed` if MEDIUM ones
   * were left without a value and they do not say what comes of these: a technician hands them on (clinical.md section
   * 00, A4), and so does who is not asked. `asked`: what they say; null: they are not asked.
   */
  const takingOff = async (
    request: FastifyRequest,
    deviceId: number,
    asked: TakingOff | null,
    work: () => Promise<void>,
  ): Promise<void> => {
    const before = liveState.assigned.get(deviceId);
    const { type } = sessionOf(request).user;
    if (before !== undefined && type === 'technician' && isUrgent(before)) {
      throw new HttpError(409, 'ask_the_nurse', 'Not now. Ask the nurse of this patient to take the device off.');
    }
    const left = before === undefined ? [] : alerts.leftWithout(before, deviceId);
    const outcome = type === 'technician' || asked === null ? 'hand_on' : asked.outcome;
    if (left.length > 0 && outcome === undefined) {
      const message =
        'A MEDIUM alert would go on without a value. Take the device off with what came of it, or hand it on.';
      throw new HttpError(409, 'outcome_needed', message);
    }
    const revokedAt = liveState.devices.get(deviceId)?.revoked_at;
    await work();
    const isOff = before !== undefined && liveState.assigned.get(deviceId) !== before;
    try {
      // One that is revoked stays on its patient, and sends nothing.
      if (outcome !== undefined && (isOff || liveState.devices.get(deviceId)?.revoked_at !== revokedAt)) {
        await answer(request, left, outcome);
      }
    } finally {
      if (isOff) {
        await alerts.takenOff(before, deviceId);
      }
    }
  };
  /** Ends alerts by their outcome, or asks the next people. One that has another owner by now is in their hands. */
  const answer = async (
    request: FastifyRequest,
    left: readonly number[],
    outcome: Outcome | 'hand_on',
  ): Promise<void> => {
    const { id: by } = sessionOf(request).user;
    const note = 'The device was taken off';
    for (const id of left) {
      const action: Action = (alert, at) =>
        outcome === 'hand_on' ? reject(alert, by, note, at) : resolve(alert, by, { is: outcome, note }, at);
      const said = outcome === 'hand_on' ? 'reject_alert' : 'resolve_alert';
      await alerts.handle([{ id, action }], (transaction) =>
        auditDone(transaction, now(), actorOf(request), said, ['alert', id]),
      );
    }
  };
  const isUrgent = (patientId: number): boolean =>
    liveState.openAlerts
      .of(patientId)
      .some(
        ({ parameter, priority, condition, isAcknowledged }) =>
          priority === 'high' && !isTechnical(parameter) && (condition === 'active' || !isAcknowledged),
      );
  const reachOf = (request: FastifyRequest): DeviceReach => ({
    devices: requireScope(request, 'readDevices', now()),
    patients: scopeOf(sessionOf(request), 'readPatients', now()),
  });
  const present = async (request: FastifyRequest, id: number): Promise<ListedDevice> => {
    const [device] = await listDevices(server, now(), reachOf(request), id);
    if (device === undefined) {
      throw notFound();
    }
    return device;
  };
  /** Rejects with 404 unless the device is of the site that the caller manages. */
  const requireManaged = async (request: FastifyRequest, id: number): Promise<void> => {
    await requireDevice(store, liveState, requireScope(request, 'manageDevices', now()), id);
  };
  const endOf = (days: number | undefined): number | null => (days === undefined ? null : now() + days * dayMs);

  on(app, 'listDevices', async (request) => {
    const items = await listDevices(server, now(), reachOf(request));
    const named = items.flatMap(({ patient }) => patient?.identity ?? []);
    if (named.length > 0) {
      const details = { count: named.length, patientIds: idsOf(named) };
      await auditView(request, { action: 'list_devices', queryKey: 'devices', details });
    }
    return { items, total: items.length };
  });

  on(app, 'addDevice', async (request) => {
    const { siteId } = requireScope(request, 'manageDevices', now());
    const { name, expectedEveryMs = null, expiresInDays } = request.body;
    const device = { siteId, name, expectedEveryMs, expiresAt: endOf(expiresInDays) };
    return await addDevice(store.db, now(), actorOf(request), device);
  });

  on(app, 'changeDevice', async (request) => {
    const { id } = request.params;
    await requireManaged(request, id);
    await changeDevice(store, liveState, byOf(request, now()), id, request.body);
    return await present(request, id);
  });

  on(app, 'renewDeviceToken', async (request) => {
    const { id } = request.params;
    await requireManaged(request, id);
    const token = await renewDeviceToken(store.db, now(), actorOf(request), id, endOf(request.body.expiresInDays));
    return { id, token };
  });

  on(app, 'revokeDevice', async (request) => {
    const { id } = request.params;
    await requireManaged(request, id);
    await takingOff(request, id, null, () => revokeDevice(store, liveState, now(), actorOf(request), id));
    return await present(request, id);
  });

  on(app, 'assignDevice', async (request) => {
    const { id } = request.params;
    const scope = requireScope(request, 'assignDevices', now());
    await requireDevice(store, liveState, scope, id);
    const assign = () => assignDevice(server, actorOf(request), scope, id, request.body);
    const named = findPatient(liveState, scope, request.body)?.id;
    // What names no patient of theirs is refused, and the same one keeps it: neither takes it off.
    const isKept = named === undefined || named === liveState.assigned.get(id);
    await (isKept ? assign() : takingOff(request, id, {}, assign));
    const patientId = liveState.assigned.get(id);
    if (patientId !== undefined) {
      // One who came back without a monitor has one now.
      await alerts.reconsider(patientId);
    }
    return await present(request, id);
  });

  on(app, 'unassignDevice', async (request) => {
    const scope = requireScope(request, 'assignDevices', now());
    const { id } = request.params;
    await requireDevice(store, liveState, scope, id);
    await takingOff(request, id, request.query, () => unassignDevice(server, actorOf(request), scope, id));
  });

  on(app, 'withdrawDevice', async (request) => {
    const scope = requireScope(request, 'writePatients', now());
    const { id } = request.params;
    const { patientId, ...said } = request.body;
    const patient = requirePatient(liveState, patientId, scope);
    if (sessionOf(request).user.type === 'physician') {
      throw new HttpError(403, 'ask_the_nurse', 'A nurse or a ward lead who has looked withdraws its values.');
    }
    await takingOff(request, id, null, () =>
      withdrawDevice(server, actorOf(request), patient, { deviceId: id, ...said }),
    );
  });

  on(app, 'listRefused', async (request) => {
    const scope = requireScope(request, 'readDevices', now());
    const { id } = await requireDevice(store, liveState, scope, request.params.id);
    const about = { objectType: 'device', objectId: id } as const;
    await auditView(request, { action: 'read_quarantine', queryKey: String(id), about });
    return await listRefused(store, scope, id, request.query.page);
  });
}
