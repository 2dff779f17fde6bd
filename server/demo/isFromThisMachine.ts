import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { isDirect } from '../http/isDirect';

/**
 * Returns whether a call comes from a program or a browser on the server's own machine. If in doubt it returns false:
 * neither the configuration nor the call may hint at a proxy.
 */
export function isFromThisMachine(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'trustedProxies'>): boolean {
  return env.publicUrl === null && env.trustedProxies.length === 0 && isDirect(request);
}
