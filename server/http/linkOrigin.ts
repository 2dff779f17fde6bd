import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { loopbackHost } from './isDirect';

/**
 * Returns the origin for links that are mailed or handed out by an administrator: `PUBLIC_URL` if it is set. Otherwise
 * it is the caller's `Host`, but without a session only if that host is this machine. Anyone can send any `Host`, and a
 * link made from it would carry another user's secret to a foreign server.
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
