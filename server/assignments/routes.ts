import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { idsOf } from '../audit/createViewAudit';
import { writerOf } from '../patients/writerOf';
import { requireUnit } from '../units/queries';
import { on } from '../http/on';
import { assign } from './commands';
import { readAssignments } from './queries';

/** The assignments of a unit's roles and patients during a shift. */
export function assignmentRoutes(app: App, server: Server): void {
  const { store, liveState, now, auditView } = server;
  on(app, 'getAssignments', async (request) => {
    const { unit: id, shift } = request.query;
    const unit = requireUnit(liveState, requireScope(request, 'readAssignments', now()), id);
    const response = await readAssignments(store, liveState, now(), sessionOf(request).user.site, unit, shift);
    await auditView(request, {
      action: 'read_assignments',
      queryKey: String(id),
      details: { unitId: id, count: response.patients.length, patientIds: idsOf(response.patients) },
    });
    return response;
  });

  on(app, 'assign', async (request) => {
    const writer = writerOf(server, request, 'writeAssignments');
    const unit = requireUnit(liveState, writer.scope, request.body.unitId);
    await assign(writer, unit, request.body);
    return await readAssignments(store, liveState, now(), writer.user.site, unit, request.body.shift);
  });
}
