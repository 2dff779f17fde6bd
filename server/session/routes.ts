import type { FastifyRequest } from 'fastify';
import { routes } from '../../lib/api/routes';
import { audit, type Actor } from '../audit';
import type { App, Server } from '../app';
import { sessionOf } from '../http/access';
import { forbidden, Refusal } from '../http/refusal';
import { requireSetupCode } from './setupCode';
import { clearSessionCookies, requireSafeTransport, setSessionCookies } from './cookies';
import { createFirstUser, findByPassword, updateLastActive } from './users';

/** Who is behind a request, for the audit. */
export function actorOf(request: FastifyRequest): Actor {
  const { session, device } = request;
  const shared = { ip: request.ip, requestId: request.id };
  if (session !== null) {
    return { ...shared, actor: 'user', actorId: session.user.id, siteId: session.user.siteId, session: session.token.slice(0, 8) };
  }
  if (device !== null) {
    return { ...shared, actor: 'device', actorId: device.id, siteId: device.siteId, session: null };
  }
  return { ...shared, actor: 'anonymous', actorId: null, siteId: null, session: null };
}

/** Sign-in, sign-out, the current user, the last-active ping, and the first user of an installation. */
export function sessionRoutes(app: App, { store, sessions, now, env, setup, events }: Server): void {
  app.route({
    method: routes.signIn.method,
    url: routes.signIn.path,
    schema: { body: routes.signIn.body, response: { 200: routes.signIn.response } },
    handler: async (request, reply) => {
      requireSafeTransport(request, env.allowHttp);
      const user = await findByPassword(store, now(), request.body.email, request.body.password);
      if (user === null) {
        await audit(store.db, now(), actorOf(request), { action: 'sign_in', outcome: 'refused' });
        throw new Refusal(401, 'sign_in_failed', 'E-mail or password is wrong.');
      }
      // Told only to whoever knows the password.
      if (user === 'waiting') {
        await audit(store.db, now(), actorOf(request), { action: 'sign_in', outcome: 'refused' });
        throw new Refusal(403, 'waiting_for_approval', 'An administrator has still to approve your account.');
      }
      const { session, secret } = await sessions.start(user, async (transaction, started) => {
        request.session = started;
        await audit(transaction, now(), actorOf(request), { action: 'sign_in', outcome: 'done', objectType: 'user', objectId: user.id });
      });
      setSessionCookies(reply, request, session, secret);
      return user;
    },
  });

  app.route({
    method: routes.signOut.method,
    url: routes.signOut.path,
    schema: { response: { 204: routes.signOut.response } },
    handler: async (request, reply) => {
      const { token, user } = sessionOf(request);
      await sessions.end(token, (transaction) =>
        audit(transaction, now(), actorOf(request), { action: 'sign_out', outcome: 'done', objectType: 'user', objectId: user.id }),
      );
      events.endSession(token);
      clearSessionCookies(reply);
      return await reply.code(204).send(null);
    },
  });

  app.route({
    method: routes.getCurrentUser.method,
    url: routes.getCurrentUser.path,
    schema: { response: { 200: routes.getCurrentUser.response } },
    handler: (request) => sessionOf(request).user,
  });

  app.route({
    method: routes.updateLastActive.method,
    url: routes.updateLastActive.path,
    schema: { params: routes.updateLastActive.params, response: { 204: routes.updateLastActive.response } },
    handler: async (request, reply) => {
      const { user } = sessionOf(request);
      if (request.params.id !== user.id) {
        throw forbidden();
      }
      await updateLastActive(store, now(), user.id);
      return await reply.code(204).send(null);
    },
  });

  app.route({
    method: routes.setup.method,
    url: routes.setup.path,
    schema: { body: routes.setup.body, response: { 201: routes.setup.response } },
    handler: async (request, reply) => {
      requireSafeTransport(request, env.allowHttp);
      await requireSetupCode(store, setup, request.body.code);
      const user = await createFirstUser(store, now(), actorOf(request), request.body);
      setup.code = null;
      const { session, secret } = await sessions.start(user, async (transaction, started) => {
        request.session = started;
        await audit(transaction, now(), actorOf(request), { action: 'sign_in', outcome: 'done', objectType: 'user', objectId: user.id });
      });
      setSessionCookies(reply, request, session, secret);
      return await reply.code(201).send(user);
    },
  });
}
