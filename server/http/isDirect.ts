import type { FastifyRequest } from 'fastify';

/** Matches a `Host` that is the machine itself. */
export const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;
const loopbackAddress = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
/** Behind a proxy every caller seems to come from the proxy's machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Returns whether a call comes from a program or a browser on the server's own machine: it names the machine by a local
 * name, so that neither a proxy that passes the name on nor a foreign name that points here counts, and no header says
 * that a proxy passed it on. A proxy on this machine that does neither looks the same.
 */
export function isDirect({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const { remoteAddress = '' } = socket;
  const isLocal = loopbackAddress.test(remoteAddress) && loopbackHost.test(headers.host ?? '');
  return isLocal && proxyHeaders.every((name) => headers[name] === undefined);
}
