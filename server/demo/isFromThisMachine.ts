import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { loopbackHost } from '../session/cookies';

const loopbackAddress = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
/** Behind a proxy every caller seems to come from the proxy's machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Returns whether a call comes from a program or a browser on the server's own machine. If in doubt it returns false:
 * neither the configuration nor the call may hint at a proxy, and the call must name this machine by a local name, so
 * that a foreign name that points here does not count.
 */
export function isFromThisMachine(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'trustedProxies'>): boolean {
  return (
    env.publicUrl === null &&
    env.trustedProxies.length === 0 &&
    loopbackAddress.test(request.socket.remoteAddress ?? '') &&
    loopbackHost.test(request.host) &&
    proxyHeaders.every((name) => request.headers[name] === undefined)
  );
}
