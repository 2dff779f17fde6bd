import type { FastifyReply, FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import { audit } from '../audit';
import type { App, Server } from '../server';
import { createBudget } from '../http/budget';
import { linkOrigin } from '../http/linkOrigin';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import {
  confirmReset,
  readInvitation,
  register,
  registrationSites,
  requestReset,
  requireOpenRegistration,
  signUp,
} from './accounts';
import { requireSafeTransport, setSessionCookies } from './cookies';
import { hashNewPassword } from './passwords';
import { browserOf } from './routes';
import { actorOf } from '../audit/actor';
import { networkOf } from './throttle';

/**
 * Registrations and password resets that one address may ask for in a minute: each costs a hash or a row of the audit.
 */
const asksAMinute = 20;

/**
 * What people without a session do about accounts: take up an invitation, ask for an account, choose a new password. No
 * answer and no time of an answer says whether an account exists: what differs happens after the reply.
 */
export function accountRoutes(app: App, server: Server): void {
  const { store, sessions, now, env, mailer, afterReply } = server;
  const pageOf = (request: FastifyRequest, page: string): string => `${linkOrigin(request, env)}${page}`;
  const mayAsk = createBudget(asksAMinute, now);
  /** Before anything is looked at, so that the refusal tells nothing about an account. */
  const requireBudget = (request: FastifyRequest): void => {
    if (!mayAsk(networkOf(request.ip))) {
      throw new HttpError(
        429,
        'too_many_requests',
        'Too many people ask for this at this moment. Wait a minute, then try again.',
        {
          retryAfter: 60,
        },
      );
    }
  };
  const accepted = async (reply: FastifyReply): Promise<FastifyReply> => await reply.code(202).send(null);

  on(app, 'readInvitation', async (request) => await readInvitation(store, now(), request.body.invitation));

  on(app, 'signUp', async (request, reply) => {
    requireSafeTransport(request, env.allowHttp);
    const user = await signUp(store, now(), actorOf(request), request.body);
    const { session, secret } = await sessions.start(
      user.id,
      browserOf(request, sessions),
      async (transaction, started) => {
        request.session = started;
        await audit(transaction, now(), actorOf(request), {
          action: 'sign_in',
          outcome: 'done',
          objectType: 'user',
          objectId: user.id,
        });
      },
    );
    setSessionCookies(reply, request, session, secret);
    return user;
  });

  on(app, 'listRegistrationSites', async () => await registrationSites(store));

  on(app, 'register', async (request, reply) => {
    requireSafeTransport(request, env.allowHttp);
    requireBudget(request);
    const { siteId, fname, lname, email, password } = request.body;
    const siteName = await requireOpenRegistration(store, siteId);
    const actor = actorOf(request);
    const pages = { signIn: pageOf(request, paths.signIn), reset: pageOf(request, paths.resetPassword) };
    // Also for an address that has an account: the time must not tell.
    const passwordHash = await hashNewPassword(password, [siteName, fname, lname, email]);
    afterReply.run(reply, async () => {
      const mail = await register(store, now(), actor, request.body, passwordHash, pages);
      if (mail !== null) {
        void mailer.send(mail);
      }
    });
    return await accepted(reply);
  });

  on(app, 'requestReset', async (request, reply) => {
    requireBudget(request);
    const actor = actorOf(request);
    const page = pageOf(request, paths.resetPassword);
    afterReply.run(reply, async () => {
      const mail = await requestReset(store, now(), actor, request.body.email, (secret) => `${page}#token=${secret}`);
      if (mail !== null) {
        void mailer.send(mail);
      }
    });
    return await accepted(reply);
  });

  on(app, 'confirmReset', async (request) => {
    requireSafeTransport(request, env.allowHttp);
    const mail = await confirmReset(
      server,
      now(),
      actorOf(request),
      request.body,
      pageOf(request, paths.resetPassword),
    );
    void mailer.send(mail);
    return null;
  });
}
