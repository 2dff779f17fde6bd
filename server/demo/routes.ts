import type { App, Server } from '../server';
import { requireSafeTransport } from '../http/requireHttps';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { requireSetupCode } from '../session/setupCode';
import { isFromThisMachine } from './isFromThisMachine';

/** Turns an empty installation into a demo ward. A caller on another machine needs the setup code. */
export function demoRoutes(app: App, { demo, env, setup, store }: Server): void {
  on(app, 'startDemo', async (request) => {
    requireSafeTransport(request, env);
    const { code = '', timeZone = env.siteTimeZone } = request.body;
    await requireSetupCode(store, setup, isFromThisMachine(request, env) ? null : code);
    const people = await demo.create(actorOf(request), timeZone);
    setup.code = null;
    return { people };
  });
}
