import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../lib/session/schema';
import { auditDone } from '../audit';
import { actorOf, system, type Actor } from '../audit/actor';
import { createOnce } from '../audit/once';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { passOver } from '../http/errors';
import { forbidden, HttpError } from '../http/httpError';
import { on } from '../http/on';
import { requireSafeTransport } from '../http/requireHttps';
import { requireSetupCode } from './setupCode';
import { clearSessionCookies, setSessionCookies } from './cookies';
import type { Session } from './session';
import { recordSession, startSession } from './startSession';
import { longestMs, networkOf, type Trier } from './throttle';
import { createFirstUser, findByPassword, findTried, isStillProved, updateLastActive } from './users';

/** Returns who tries to prove that they own an account. `email` is null if it is about no account. */
function trierOf(request: FastifyRequest, email: string | null): Trier {
  return { email, address: request.ip, knownBrowser: request.cookies.known };
}

/** Rejects with 401 `wrong_password` if this is not the password of the session's own user. */
export async function requireOwnPassword(server: Server, request: FastifyRequest, password: string): Promise<void> {
  const { throttle, lateRows, now } = server;
  const { user } = sessionOf(request);
  const proved = await throttle.attemptOwn(user.id, () => findByPassword(server, user.email, password));
  if (proved === null || proved === 'waiting' || proved.userId !== user.id) {
    const event = { action: 'prove_password', outcome: 'refused', objectType: 'user', objectId: user.id } as const;
    await lateRows.write({ at: now(), actor: actorOf(request), event });
    throw new HttpError(401, 'wrong_password', 'The password is wrong.');
  }
}

/** Locks the sessions whose pages had no input for as long as their site allows, and records it. */
export async function lockIdleSessions({ sessions, now }: Pick<Server, 'sessions' | 'now'>): Promise<void> {
  await sessions.lockIdle((transaction, session) =>
    auditDone(transaction, now(), idle(session), 'lock_session', ['user', session.user.id], { by: 'idle' }),
  );
}

const signInFailed = (): HttpError => new HttpError(401, 'sign_in_failed', 'E-mail or password is wrong.');

const idle = ({ user, token }: Session): Actor => ({ ...system, siteId: user.siteId, session: token.slice(0, 8) });

/**
 * Sign-in, sign-out, lock and unlock, the current user, the last-active ping, and the first user of an installation.
 */
export function sessionRoutes(app: App, server: Server): void {
  const { store, sessions, throttle, lateRows, now, env, setup } = server;

  const onceSlowed = createOnce(server.elapsed, longestMs);

  /**
   * Records a failed sign-in at the site of the account, where its administrator reads it. While tries are slowed, that
   * is recorded once in fifteen minutes for a network and an account; all unknown addresses are one, and recorded at
   * the sites whose people sign in from there.
   */
  async function recordRejected(request: FastifyRequest, email: string, isSlowed: boolean): Promise<void> {
    const { siteId, userId } = await findTried(store.db, email);
    const about = userId === null ? {} : { objectType: 'user' as const, objectId: userId };
    const details = isSlowed ? { slowed: true } : undefined;
    const write = async (): Promise<void> => {
      const sites = isSlowed && siteId === null ? await throttle.sitesAt(request.ip) : [];
      for (const site of sites.length === 0 ? [siteId] : sites) {
        const event = { action: 'sign_in', outcome: 'refused', ...about, details } as const;
        await lateRows.write({ at: now(), actor: { ...actorOf(request), siteId: site }, event });
      }
    };
    await (isSlowed ? onceSlowed(`${networkOf(request.ip)} ${userId}`, write) : write());
  }

  /** Checks a password, unless too many failed before. Returns null if it is wrong. */
  async function proveAtSignIn(
    request: FastifyRequest,
    email: string,
    password: string,
  ): ReturnType<typeof findByPassword> {
    let isSlowed = false;
    try {
      const proof = await throttle.attempt(trierOf(request, email), (slowed) => {
        isSlowed = slowed;
        return findByPassword(server, email, password, slowed);
      });
      if (proof === null) {
        await recordRejected(request, email, isSlowed);
      }
      return proof;
    } catch (error) {
      if (error instanceof HttpError && error.status === 429) {
        await recordRejected(request, email, true);
      }
      throw error;
    }
  }

  on(app, 'signIn', async (request, reply) => {
    requireSafeTransport(request, env);
    const { email, password } = request.body;
    const proof = await proveAtSignIn(request, email, password);
    if (proof === null) {
      throw signInFailed();
    }
    // Only a person who knows the password learns this.
    if (proof === 'waiting') {
      await recordRejected(request, email, false);
      throw new HttpError(403, 'waiting_for_approval', 'An administrator has still to approve your account.');
    }
    const session = await startSession(server, request, reply, proof.userId, async (transaction) => {
      // Sessions start and end one after another: a change of the password in the meantime has committed, and ended
      // all sessions of the user.
      if (!(await isStillProved(transaction, proof))) {
        throw signInFailed();
      }
    });
    return session.user;
  });

  on(app, 'signOut', async (request, reply) => {
    const { token, user } = sessionOf(request);
    const event = { action: 'sign_out', outcome: 'done', objectType: 'user', objectId: user.id } as const;
    const row = { at: now(), actor: actorOf(request), event };
    // No one has to stay signed in because nothing can be stored.
    await sessions.leave(token, (also) => lateRows.write({ ...row, also }));
    clearSessionCookies(reply, request, env);
    // Never "storage": the walkthrough's record, the theme and the sound check are kept after a session.
    void reply.header('clear-site-data', '"cache"');
  });

  on(app, 'noteInput', (request) => sessions.noteInput(sessionOf(request)));

  on(app, 'lock', async (request) => {
    const session = sessionOf(request);
    await sessions.lock(session, (transaction) =>
      auditDone(transaction, now(), actorOf(request), 'lock_session', ['user', session.user.id], { by: 'user' }),
    );
  });

  /** Goes on with a session under a new name, if the password is right: who held the old one is left behind. */
  async function renewByPassword(
    request: FastifyRequest<{ Body: { password: string } }>,
    reply: FastifyReply,
    action: 'unlock_session' | 'prove_password',
  ): Promise<User> {
    requireSafeTransport(request, env);
    await requireOwnPassword(server, request, request.body.password);
    const before = sessionOf(request);
    const record = recordSession(server, request, { action, userId: before.user.id });
    const { session, secret } = await sessions.rotate(before, false, record);
    setSessionCookies(reply, request, env, { session, secret });
    return session.user;
  }

  on(app, 'unlock', (request, reply) => renewByPassword(request, reply, 'unlock_session'));
  on(app, 'confirmPassword', (request, reply) => renewByPassword(request, reply, 'prove_password'));

  on(app, 'getCurrentUser', (request) => sessionOf(request).user);

  on(app, 'updateLastActive', async (request) => {
    const { user } = sessionOf(request);
    if (request.params.id !== user.id) {
      throw forbidden();
    }
    await updateLastActive(store, now(), user.id).catch(passOver);
  });

  on(app, 'setup', async (request, reply) => {
    requireSafeTransport(request, env);
    await throttle.attempt(trierOf(request, null), async () => {
      await requireSetupCode(store, setup, request.body.code);
      return true;
    });
    const user = await createFirstUser(server, now(), actorOf(request), request.body);
    setup.code = null;
    await startSession(server, request, reply, user.id);
    return user;
  });
}
