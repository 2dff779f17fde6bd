import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { User } from '../../lib/session/schema';
import { audit } from '../audit';
import { actorOf } from '../audit/actor';
import { passOver } from '../http/errors';
import type { Database } from '../db/schema';
import type { Server } from '../server';
import { secretOf, setKnownCookie, setSessionCookies } from './cookies';
import type { Session } from './session';
import type { SessionRecord } from './sessions';

/** Makes the browser of a request known for a user who has just proved to be one, also after failures elsewhere. */
export async function rememberBrowser(
  { env, throttle }: Pick<Server, 'env' | 'throttle'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, siteId }: User,
): Promise<void> {
  setKnownCookie(reply, request, env, await throttle.knowBrowser(id, siteId, request.ip, request.cookies.known));
}

/**
 * Starts a session of a user in the browser that makes the request, records the sign-in, sets the cookies and makes the
 * browser known. The session that this browser had ends. `check` runs in the same transaction: if it rejects, no
 * session starts. While nothing can be stored patients can still be looked at, so the session starts, and is stored
 * later.
 */
export async function startSession(
  server: Pick<Server, 'env' | 'store' | 'sessions' | 'lateRows' | 'throttle' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  check?: (db: Kysely<Database>) => Promise<void>,
): Promise<Session> {
  const { env, sessions } = server;
  const browser = {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    before: sessions.find(request.cookies.token, secretOf(request, env)),
  };
  const record = recordSession(server, request, { action: 'sign_in', userId }, check);
  const { session, secret } = await sessions.start(userId, browser, record);
  setSessionCookies(reply, request, env, { session, secret });
  await rememberBrowser(server, request, reply, session.user).catch(passOver);
  return session;
}

/**
 * Returns how a session that a password has just opened gets on record: with it, or later, because no one is shut out
 * while nothing can be stored. `check` comes first.
 */
export function recordSession(
  { store, lateRows, now }: Pick<Server, 'store' | 'lateRows' | 'now'>,
  request: FastifyRequest,
  { action, userId }: { action: 'sign_in' | 'unlock_session' | 'prove_password'; userId: number },
  check?: (db: Kysely<Database>) => Promise<void>,
): SessionRecord {
  const event = { action, outcome: 'done', objectType: 'user', objectId: userId } as const;
  const begin = async (db: Kysely<Database>, session: Session): Promise<void> => {
    await check?.(db);
    request.session = session;
  };
  return {
    now: async (transaction, session) => {
      await begin(transaction, session);
      await audit(transaction, now(), actorOf(request), event);
    },
    later: async (also, session) => {
      await begin(store.db, session);
      await lateRows.write({ at: now(), actor: actorOf(request), event, also });
    },
  };
}
