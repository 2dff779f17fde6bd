import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { isDirect, loopbackHost } from '../http/isDirect';

/**
 * Returns whether a call comes from a program or a browser on the server's own machine. If in doubt it returns false:
 * neither the configuration nor the call may hint at a proxy, and the call must name this machine by a local name, so
 * that a foreign name that points here does not count.
 */
export function isFromThisMachine(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'trustedProxies'>): boolean {
  return (
    env.publicUrl === null && env.trustedProxies.length === 0 && isDirect(request) && loopbackHost.test(request.host)
  );
}
