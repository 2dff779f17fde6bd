import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../audit';
import { actorOf } from '../audit/actor';
import { sessionOf } from '../http/access';
import { HttpError } from '../http/httpError';
import type { Server } from '../server';
import { setSessionCookies } from './cookies';
import { needsRenewal } from './sessionTimes';

/**
 * Gives the browser of a display the cookies of a new session once a day. A store that cannot be written does not take
 * the wall away: the next poll tries again. Rejects if the session has ended.
 */
export async function renewDisplay(
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
      audit(transaction, now(), actorOf(request), {
        action: 'renew_session',
        outcome: 'done',
        objectType: 'user',
        objectId: session.user.id,
      }),
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
