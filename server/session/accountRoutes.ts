import type { FastifyReply, FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import type { App, Server } from '../server';
import { createBudget } from '../http/budget';
import { linkOrigin } from '../http/linkOrigin';
import { tooManyRequests } from '../http/httpError';
import { on } from '../http/on';
import { requireSafeTransport } from '../http/requireHttps';
import {
  confirmReset,
  readInvitation,
  register,
  registrationSites,
  requestReset,
  requireOpenRegistration,
  signUp,
} from './accounts';
import { actorOf } from '../audit/actor';
import { startSession } from './startSession';
import { networkOf } from './throttle';

/** How many registrations and resets one network may request in a minute: each costs a hash or an audit row. */
const requestsAMinute = 20;

/**
 * What people without a session do about accounts: accept an invitation, register, choose a new password. Neither a
 * response nor its time shows whether an account exists: what differs happens after the reply.
 */
export function accountRoutes(app: App, server: Server): void {
  const { store, passwords, now, env, mailer, afterReply } = server;
  const pageOf = (request: FastifyRequest, page: string): string => `${linkOrigin(request, env)}${page}`;
  const mayAsk = createBudget(requestsAMinute, now);
  /** Throws 429 before anything is read, so that the refusal shows nothing about an account. */
  const requireBudget = (request: FastifyRequest): void => {
    if (!mayAsk(networkOf(request.ip))) {
      throw tooManyRequests('Too many people ask for this at this moment. Wait a minute, then try again.');
    }
  };
  const accepted = async (reply: FastifyReply): Promise<FastifyReply> => await reply.code(202).send(null);

  on(app, 'readInvitation', async (request) => await readInvitation(store, now(), request.body.invitation));

  on(app, 'signUp', async (request, reply) => {
    requireSafeTransport(request, env);
    const user = await signUp(server, now(), actorOf(request), request.body);
    await startSession(server, request, reply, user.id);
    return user;
  });

  on(app, 'listRegistrationSites', async () => await registrationSites(store));

  on(app, 'register', async (request, reply) => {
    requireSafeTransport(request, env);
    requireBudget(request);
    const { siteId, fname, lname, email, password } = request.body;
    const siteName = await requireOpenRegistration(store, siteId);
    const actor = actorOf(request);
    const pages = { signIn: pageOf(request, paths.signIn), reset: pageOf(request, paths.resetPassword) };
    // Also for an address that has an account: the time must not show it.
    const passwordHash = await passwords.hashNew(password, [siteName, fname, lname, email]);
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
      const made = await requestReset(store, now(), actor, request.body.email, (secret) => `${page}#token=${secret}`);
      if (made !== null) {
        void (made.isPretended ? mailer.pretend(made.mail) : mailer.send(made.mail));
      }
    });
    return await accepted(reply);
  });

  on(app, 'confirmReset', async (request) => {
    requireSafeTransport(request, env);
    const mail = await confirmReset(
      server,
      now(),
      actorOf(request),
      request.body,
      pageOf(request, paths.resetPassword),
    );
    void mailer.send(mail);
  });
}
