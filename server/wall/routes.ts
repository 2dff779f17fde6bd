import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditDone } from '../audit';
import { actorOf } from '../audit/actor';
import { sessionOf } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import type { App, Server } from '../server';
import { setSessionCookies } from '../session/cookies';
import { needsRenewal } from '../session/sessionTimes';
import { readWall } from './readWall';

/**
 * Gives the browser of a display the cookies of a new session once a day. A store that cannot be written does not take
 * the wall away: the next poll tries again. Rejects if the session has ended.
 */
async function renewDisplay(
  { env, sessions, now, log }: Server,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const session = sessionOf(request);
  if (!needsRenewal(session, now())) {
    return;
  }
  try {
    const renewed = await sessions.renew(session, (transaction) =>
      auditDone(transaction, now(), actorOf(request), 'renew_session', ['user', session.user.id]),
    );
    if (renewed !== null) {
      setSessionCookies(reply, request, env, renewed);
    }
  } catch (error) {
    if (error instanceof HttpError) {
      throw error;
    }
    log.warn('the session of a display could not be renewed');
  }
}

/** The wall of a unit, which also keeps the session of a display alive. */
export function wallRoutes(app: App, server: Server): void {
  on(app, 'readWall', async (request, reply) => {
    const { after, ...query } = request.query;
    await renewDisplay(server, request, reply);
    const wall = await readWall(server, request, query);
    return after === wall.version ? { unchanged: true as const, version: wall.version } : wall;
  });
}
