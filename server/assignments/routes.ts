import type { FastifyRequest } from 'fastify';
import type { Permission } from '../../lib/session/permissions';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { notFound } from '../http/httpError';
import { actorOf } from '../audit/actor';
import { idsOf } from '../audit/createViewAudit';
import { unitInScope } from '../units/queries';
import type { UnitRow } from '../db/rows';
import { on } from '../http/on';
import { assign } from './commands';
import { readAssignments } from './queries';

/** The assignments of a unit's roles and patients during a shift. */
export function assignmentRoutes(app: App, { store, liveState, now, auditView }: Server): void {
  const requireUnitInScope = (request: FastifyRequest, permission: Permission, id: number): UnitRow => {
    const unit = liveState.units.get(id);
    if (unit === undefined || !unitInScope(unit, requireScope(request, permission, now()))) {
      throw notFound();
    }
    return unit;
  };

  on(app, 'getAssignments', async (request) => {
    const { unit: id, shift } = request.query;
    const unit = requireUnitInScope(request, 'readAssignments', id);
    const response = await readAssignments(store, liveState, now(), sessionOf(request).user.site, unit, shift);
    await auditView(request, {
      action: 'read_assignments',
      queryKey: String(id),
      details: { unitId: id, count: response.patients.length, patientIds: idsOf(response.patients) },
    });
    return response;
  });

  on(app, 'assign', async (request) => {
    const { user } = sessionOf(request);
    const unit = requireUnitInScope(request, 'writeAssignments', request.body.unitId);
    await assign(store, liveState, now(), actorOf(request), user, unit, request.body);
    return await readAssignments(store, liveState, now(), user.site, unit, request.body.shift);
  });
}
