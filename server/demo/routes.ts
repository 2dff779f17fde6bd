import { routes } from '../../lib/api/routes';
import type { App, Server } from '../server';
import { requireSafeTransport } from '../session/cookies';
import { actorOf } from '../audit/actor';
import { requireSetupCode } from '../session/setupCode';
import { isFromThisMachine } from './isFromThisMachine';

/**
 * The one click that makes a demo ward of an empty installation. Whoever sits at another machine needs the setup code.
 */
export function demoRoutes(app: App, { demo, env, setup, store }: Server): void {
  app.route({
    method: routes.startDemo.method,
    url: routes.startDemo.path,
    schema: { body: routes.startDemo.body, response: { 201: routes.startDemo.response } },
    handler: async (request, reply) => {
      requireSafeTransport(request, env.allowHttp);
      const { code = '', timeZone = env.siteTimeZone } = request.body;
      await requireSetupCode(store, setup, isFromThisMachine(request, env) ? null : code);
      const people = await demo.create(actorOf(request), timeZone);
      setup.code = null;
      return await reply.code(201).send({ people });
    },
  });
}
