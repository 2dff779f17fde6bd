import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { loopbackHost } from '../session/cookies';

/**
 * The origin for links that leave by mail or by an administrator's hand: `PUBLIC_URL`. Without one it is the address
 * under which the caller reached us, and of callers without a session only one on this machine: anybody can write any
 * `Host`, and a link made of it would carry somebody else's secret to a foreign server.
 */
export function linkOrigin(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'port'>): string {
  if (env.publicUrl !== null) {
    return env.publicUrl;
  }
  const { host = '' } = request.headers;
  return request.session !== null || loopbackHost.test(host)
    ? `${request.protocol}://${host}`
    : `http://localhost:${env.port}`;
}
