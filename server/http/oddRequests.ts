import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, notFound } from './httpError';

/**
 * Rejects requests that only a proxy or an attacker sends: TRACE, which would return the cookies to a script, more than
 * one Host, an address on another host than the one of its Host, and one that is no place. An address that names this
 * host becomes its path.
 */
export async function rejectOddRequest({ method, raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (method === 'TRACE') {
    void reply.header('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    throw new HttpError(405, 'method_not_allowed', 'This server does not take this method.');
  }
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name));
  if (hosts.length > 1) {
    throw new HttpError(400, 'malformed_request', 'A request has one Host.');
  }
  const url = raw.url ?? '';
  // "*" means the whole server. Only OPTIONS may ask about that.
  if (url === '*' && method !== 'OPTIONS') {
    throw notFound();
  }
  if (!url.startsWith('/') && url !== '*') {
    const [origin = '', host = ''] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? [];
    // With its port as it is written.
    if (host === '' || host.toLowerCase() !== raw.headers.host?.toLowerCase()) {
      throw new HttpError(400, 'malformed_request', 'This server is no proxy.');
    }
    // Next would answer the whole address with a redirect to itself, and nothing that looks at paths would know it.
    raw.url = url.slice(origin.length).replace(/^(?!\/)/, '/');
  }
}
