import type { FastifyRequest } from 'fastify';
import { longestStandbyMinutes } from '../../lib/alerts/pauses';
import { reachOf } from '../../lib/session/permissions';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import {
  confirmComfortCare,
  endComfortCare,
  endStandby,
  presentComfortCare,
  presentStandby,
  readStandbyLeft,
  startStandby,
} from './pauses';

/** Standby for some minutes, and comfort care by a physician's order. */
export function pauseRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  const whoOf = (request: FastifyRequest, patientId: number) => ({ userId: sessionOf(request).user.id, patientId });

  const mayExtend = (request: FastifyRequest): boolean => reachOf(sessionOf(request).user, 'extendStandby') !== null;

  on(app, 'startStandby', async (request) => {
    const at = now();
    const scope = requireScope(request, 'setStandby', at);
    const standby = await startStandby(
      store,
      liveState,
      at,
      actorOf(request),
      scope,
      { ...whoOf(request, request.params.id), mayExtend: mayExtend(request) },
      request.body,
    );
    await alerts.reconsider(request.params.id);
    return await presentStandby(store.db, standby);
  });

  on(app, 'getStandbyLeft', async (request) => {
    const scope = requireScope(request, 'setStandby', now());
    const minutes = await readStandbyLeft(store, liveState, now(), scope, request.params.id);
    await auditView(request, { action: 'read_patient', patientId: request.params.id });
    return { minutes: mayExtend(request) ? longestStandbyMinutes : minutes, ofBudget: minutes };
  });

  on(app, 'endStandby', async (request) => {
    const at = now();
    const scope = requireScope(request, 'setStandby', at);
    await endStandby(store, liveState, at, actorOf(request), scope, whoOf(request, request.params.id));
    await alerts.reconsider(request.params.id);
    return { endedAt: toInstant(at) };
  });

  on(app, 'confirmComfortCare', async (request) => {
    const at = now();
    const scope = requireScope(request, 'orderComfortCare', at);
    const who = whoOf(request, request.params.id);
    const comfortCare = await confirmComfortCare(store, liveState, at, actorOf(request), scope, who, request.body);
    await alerts.reconsider(request.params.id);
    return await presentComfortCare(store.db, comfortCare);
  });

  on(app, 'endComfortCare', async (request) => {
    const at = now();
    const scope = requireScope(request, 'orderComfortCare', at);
    await endComfortCare(store, liveState, at, actorOf(request), scope, whoOf(request, request.params.id));
    await alerts.reconsider(request.params.id);
    return null;
  });
}
