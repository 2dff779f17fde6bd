import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { audit } from '../audit';
import { actorOf } from '../audit/actor';
import type { Database } from '../db/schema';
import type { Server } from '../server';
import { secretOf, setSessionCookies } from './cookies';
import type { Session } from './session';

/**
 * Starts a session of a user in the browser that makes the request, records the sign-in and sets the cookies. The
 * session that this browser had ends. `check` runs in the same transaction: if it rejects, no session starts. While
 * nothing can be stored patients can still be looked at, so the session starts, and is stored later.
 */
export async function startSession(
  { env, store, sessions, lateRows, now }: Pick<Server, 'env' | 'store' | 'sessions' | 'lateRows' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  check?: (db: Kysely<Database>) => Promise<void>,
): Promise<Session> {
  const browser = {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    before: sessions.find(request.cookies.token, secretOf(request, env)),
  };
  const event = { action: 'sign_in', outcome: 'done', objectType: 'user', objectId: userId } as const;
  const { session, secret } = await sessions.start(
    userId,
    browser,
    async (transaction, started) => {
      await check?.(transaction);
      request.session = started;
      await audit(transaction, now(), actorOf(request), event);
    },
    async (also, started) => {
      await check?.(store.db);
      request.session = started;
      await lateRows.write({ at: now(), actor: actorOf(request), event, also });
    },
  );
  setSessionCookies(reply, request, env, { session, secret });
  return session;
}
