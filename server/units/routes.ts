import { routes } from '../../lib/api/routes';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { scopeOf } from '../http/scope';
import { actorOf } from '../audit/actor';
import { createUnit, deleteUnit, renameUnit } from './commands';
import { listUnits, readUnit } from './queries';

/**
 * The units of the user's site: their names for everybody who works with patients or people, their making for
 * administrators.
 */
export function unitRoutes(app: App, { store, liveState, sessions, now }: Server): void {
  app.route({
    method: routes.listUnits.method,
    url: routes.listUnits.path,
    schema: { response: { 200: routes.listUnits.response } },
    handler: async (request) => {
      const session = sessionOf(request);
      const items = await listUnits(store, liveState, session.user.siteId, scopeOf(session, 'readAssignments', now()));
      return { items, total: items.length };
    },
  });

  app.route({
    method: routes.createUnit.method,
    url: routes.createUnit.path,
    schema: { body: routes.createUnit.body, response: { 201: routes.createUnit.response } },
    handler: async (request, reply) => {
      const { siteId } = requireScope(request, 'manageSite', now());
      const row = await createUnit(store, liveState, now(), actorOf(request), siteId, request.body.name);
      return await reply
        .code(201)
        .send(await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now())));
    },
  });

  app.route({
    method: routes.renameUnit.method,
    url: routes.renameUnit.path,
    schema: {
      params: routes.renameUnit.params,
      body: routes.renameUnit.body,
      response: { 200: routes.renameUnit.response },
    },
    handler: async (request) => {
      const { siteId } = requireScope(request, 'manageSite', now());
      const row = await renameUnit(
        { store, liveState, sessions },
        now(),
        actorOf(request),
        siteId,
        request.params.id,
        request.body.name,
      );
      return await readUnit(store, liveState, row, scopeOf(sessionOf(request), 'readAssignments', now()));
    },
  });

  app.route({
    method: routes.deleteUnit.method,
    url: routes.deleteUnit.path,
    schema: { params: routes.deleteUnit.params, response: { 204: routes.deleteUnit.response } },
    handler: async (request, reply) => {
      const { siteId } = requireScope(request, 'manageSite', now());
      await deleteUnit(store, liveState, now(), actorOf(request), siteId, request.params.id);
      return await reply.code(204).send(null);
    },
  });
}
