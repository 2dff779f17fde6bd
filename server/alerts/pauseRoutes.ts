import type { FastifyRequest } from 'fastify';
import { routes } from '../../lib/api/routes';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import {
  confirmComfortCare,
  endComfortCare,
  endStandby,
  presentComfortCare,
  presentStandby,
  startStandby,
} from './pauses';

/** What holds a patient's alerts back: standby for some minutes, comfort care by a physician's order. */
export function pauseRoutes(app: App, { store, liveState, alerts, now }: Server): void {
  const whoOf = (request: FastifyRequest, patientId: number) => ({ userId: sessionOf(request).user.id, patientId });

  app.route({
    method: routes.startStandby.method,
    url: routes.startStandby.path,
    schema: {
      params: routes.startStandby.params,
      body: routes.startStandby.body,
      response: { 201: routes.startStandby.response },
    },
    handler: async (request, reply) => {
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
      return await reply.code(201).send({ ...(await presentStandby(store.db, standby)), startedAt: toInstant(at) });
    },
  });

  app.route({
    method: routes.endStandby.method,
    url: routes.endStandby.path,
    schema: { params: routes.endStandby.params, response: { 200: routes.endStandby.response } },
    handler: async (request) => {
      const at = now();
      const scope = requireScope(request, 'setStandby', at);
      await endStandby(store, liveState, at, actorOf(request), scope, whoOf(request, request.params.id));
      await alerts.reconsider(request.params.id);
      return { endedAt: toInstant(at) };
    },
  });

  app.route({
    method: routes.confirmComfortCare.method,
    url: routes.confirmComfortCare.path,
    schema: {
      params: routes.confirmComfortCare.params,
      body: routes.confirmComfortCare.body,
      response: { 200: routes.confirmComfortCare.response },
    },
    handler: async (request) => {
      const at = now();
      const scope = requireScope(request, 'orderComfortCare', at);
      const who = whoOf(request, request.params.id);
      const comfortCare = await confirmComfortCare(store, liveState, at, actorOf(request), scope, who, request.body);
      await alerts.reconsider(request.params.id);
      return await presentComfortCare(store.db, comfortCare);
    },
  });

  app.route({
    method: routes.endComfortCare.method,
    url: routes.endComfortCare.path,
    schema: { params: routes.endComfortCare.params, response: { 204: routes.endComfortCare.response } },
    handler: async (request, reply) => {
      const at = now();
      const scope = requireScope(request, 'orderComfortCare', at);
      await endComfortCare(store, liveState, at, actorOf(request), scope, whoOf(request, request.params.id));
      await alerts.reconsider(request.params.id);
      return await reply.code(204).send(null);
    },
  });
}
