import type { FastifyRequest } from 'fastify';
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
  startStandby,
} from './pauses';

/** Standby for some minutes, and comfort care by a physician's order. */
export function pauseRoutes(app: App, { store, liveState, alerts, now }: Server): void {
  const whoOf = (request: FastifyRequest, patientId: number) => ({ userId: sessionOf(request).user.id, patientId });

  on(app, 'startStandby', async (request) => {
    const at = now();
    const scope = requireScope(request, 'setStandby', at);
    const standby = await startStandby(
      store,
      liveState,
      at,
      actorOf(request),
      scope,
      whoOf(request, request.params.id),
      request.body,
    );
    await alerts.reconsider(request.params.id);
    return { ...(await presentStandby(store.db, standby)), startedAt: toInstant(at) };
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
