import type { FastifyRequest } from 'fastify';

/** The person, device or system that did something, and its address. */
export interface Actor {
  actor: 'user' | 'device' | 'system' | 'anonymous';
  actorId: number | null;
  siteId: number | null;
  /** The public token of the session, never its secret. */
  session: string | null;
  ip: string | null;
  requestId: string | null;
}

export const system: Actor = { actor: 'system', actorId: null, siteId: null, session: null, ip: null, requestId: null };

/** Returns the actor of a request, for the audit. */
export function actorOf(request: FastifyRequest): Actor {
  const { session, device } = request;
  const shared = { ip: request.ip, requestId: request.id };
  if (session !== null) {
    return {
      ...shared,
      actor: 'user',
      actorId: session.user.id,
      siteId: session.user.siteId,
      session: session.token.slice(0, 8),
    };
  }
  if (device !== null) {
    return { ...shared, actor: 'device', actorId: device.id, siteId: device.siteId, session: null };
  }
  return { ...shared, actor: 'anonymous', actorId: null, siteId: null, session: null };
}
