import { routes } from '../../lib/api/routes';
import type { App, Server } from '../app';
import { requireScope, sessionOf } from '../http/access';
import { actorOf } from '../session/routes';
import { breakGlass, endBreakGlass, seeBreakGlass } from './commands';
import { listBreakGlass } from './queries';

/** Emergency access to every unit of the site, and the notice of it to the administrators. */
export function breakGlassRoutes(app: App, { store, sessions, now }: Server): void {
  app.route({
    method: routes.breakGlass.method,
    url: routes.breakGlass.path,
    schema: { body: routes.breakGlass.body, response: { 200: routes.breakGlass.response } },
    handler: async (request) => {
      const session = sessionOf(request);
      await breakGlass(store, sessions, now(), actorOf(request), session, request.body.reason);
      return session.user;
    },
  });

  app.route({
    method: routes.endBreakGlass.method,
    url: routes.endBreakGlass.path,
    schema: { response: { 200: routes.endBreakGlass.response } },
    handler: async (request) => {
      const session = sessionOf(request);
      await endBreakGlass(store, sessions, now(), actorOf(request), session.user.id);
      return session.user;
    },
  });

  app.route({
    method: routes.listBreakGlass.method,
    url: routes.listBreakGlass.path,
    schema: { response: { 200: routes.listBreakGlass.response } },
    handler: async (request) => await listBreakGlass(store, requireScope(request, 'manageUsers', now()).siteId),
  });

  app.route({
    method: routes.seeBreakGlass.method,
    url: routes.seeBreakGlass.path,
    schema: { params: routes.seeBreakGlass.params, response: { 204: routes.seeBreakGlass.response } },
    handler: async (request, reply) => {
      const { siteId } = requireScope(request, 'manageUsers', now());
      await seeBreakGlass(store, now(), actorOf(request), siteId, sessionOf(request).user.id, request.params.id);
      return await reply.code(204).send(null);
    },
  });
}
