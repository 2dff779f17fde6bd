import type { FastifyRequest } from 'fastify';
import { actorOf } from '../audit/actor';
import type { Env } from '../env';
import { isDirect } from '../http/isDirect';
import { on } from '../http/on';
import { requireSafeTransport } from '../http/requireHttps';
import type { App, Server } from '../server';
import { requireSetupCode } from '../session/setupCode';

/**
 * Returns whether a call comes from a program or a browser on the server's own machine. If in doubt it returns false:
 * neither the configuration nor the call may hint at a proxy.
 */
function isFromThisMachine(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'trustedProxies'>): boolean {
  return env.publicUrl === null && env.trustedProxies.length === 0 && isDirect(request);
}

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
