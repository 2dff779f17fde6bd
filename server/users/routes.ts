import type { FastifyRequest } from 'fastify';
import { routes } from '../../lib/api/routes';
import { paths } from '../../lib/paths';
import { toInstant } from '../../lib/time/schema';
import type { SecretLink } from '../../lib/users/schema';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { linkOrigin } from '../http/linkOrigin';
import { approvedMail, invitationMail, resetMail } from '../mail/accountMails';
import { sendInTime, type Mail } from '../mail/mailer';
import { actorOf } from '../audit/actor';
import {
  approveUser,
  changeUser,
  endUserSessions,
  invite,
  makeResetLink,
  rejectUser,
  withdrawInvitation,
  type Administrator,
  type Secret,
} from './commands';
import { listInvitations, listUsers } from './queries';

/** The users of a site and its invitations, for its administrators. */
export function userRoutes(app: App, server: Server): void {
  const { store, now, env, mailer, sessions, chat } = server;
  const administratorOf = (request: FastifyRequest): Administrator => ({
    user: sessionOf(request).user,
    actor: actorOf(request),
  });

  /** Mails a link and tells it, so that the administrator can hand it over where mail does not arrive. */
  const tell = async (
    request: FastifyRequest,
    page: string,
    { secret, expiresAt }: Secret,
    mailOf: (link: string) => Mail,
  ): Promise<SecretLink> => {
    const link = `${linkOrigin(request, env)}${page}${secret}`;
    return { link, expiresAt: toInstant(expiresAt), mailed: await sendInTime(mailer, mailOf(link)) };
  };

  app.route({
    method: routes.listUsers.method,
    url: routes.listUsers.path,
    schema: { response: { 200: routes.listUsers.response } },
    handler: async (request) => {
      const items = await listUsers(store.db, sessionOf(request).user.siteId);
      return { items, total: items.length };
    },
  });

  app.route({
    method: routes.changeUser.method,
    url: routes.changeUser.path,
    schema: {
      params: routes.changeUser.params,
      body: routes.changeUser.body,
      response: { 200: routes.changeUser.response },
    },
    handler: async (request) => {
      const user = await changeUser(server, now(), administratorOf(request), request.params.id, request.body);
      // Who belongs to other units now leaves the channels of the old ones.
      const [session] = sessions.ofUser(user.id);
      if (session !== undefined) {
        chat?.place(session);
      }
      return user;
    },
  });

  app.route({
    method: routes.approveUser.method,
    url: routes.approveUser.path,
    schema: {
      params: routes.approveUser.params,
      body: routes.approveUser.body,
      response: { 200: routes.approveUser.response },
    },
    handler: async (request) => {
      const administrator = administratorOf(request);
      const user = await approveUser(server, now(), administrator, request.params.id, request.body);
      void mailer.send(
        approvedMail(user.email, administrator.user.site.name, `${linkOrigin(request, env)}${paths.signIn}`),
      );
      return user;
    },
  });

  app.route({
    method: routes.rejectUser.method,
    url: routes.rejectUser.path,
    schema: { params: routes.rejectUser.params, response: { 204: routes.rejectUser.response } },
    handler: async (request, reply) => {
      await rejectUser(server, now(), administratorOf(request), request.params.id);
      return await reply.code(204).send(null);
    },
  });

  app.route({
    method: routes.makeResetLink.method,
    url: routes.makeResetLink.path,
    schema: { params: routes.makeResetLink.params, response: { 201: routes.makeResetLink.response } },
    handler: async (request, reply) => {
      const made = await makeResetLink(server, now(), administratorOf(request), request.params.id);
      return await reply
        .code(201)
        .send(await tell(request, `${paths.resetPassword}#token=`, made, (link) => resetMail(made.email, link, true)));
    },
  });

  app.route({
    method: routes.endUserSessions.method,
    url: routes.endUserSessions.path,
    schema: { params: routes.endUserSessions.params, response: { 204: routes.endUserSessions.response } },
    handler: async (request, reply) => {
      await endUserSessions(server, now(), administratorOf(request), request.params.id);
      return await reply.code(204).send(null);
    },
  });

  app.route({
    method: routes.listInvitations.method,
    url: routes.listInvitations.path,
    schema: { response: { 200: routes.listInvitations.response } },
    handler: async (request) => {
      const items = await listInvitations(store.db, sessionOf(request).user.siteId, now());
      return { items, total: items.length };
    },
  });

  app.route({
    method: routes.invite.method,
    url: routes.invite.path,
    schema: { body: routes.invite.body, response: { 201: routes.invite.response } },
    handler: async (request, reply) => {
      const administrator = administratorOf(request);
      const made = await invite(server, now(), administrator, request.body);
      const { name } = administrator.user.site;
      return await reply
        .code(201)
        .send(
          await tell(request, `${paths.signUp}#invitation=`, made, (link) => invitationMail(made.email, name, link)),
        );
    },
  });

  app.route({
    method: routes.withdrawInvitation.method,
    url: routes.withdrawInvitation.path,
    schema: { params: routes.withdrawInvitation.params, response: { 204: routes.withdrawInvitation.response } },
    handler: async (request, reply) => {
      await withdrawInvitation(server, now(), administratorOf(request), request.params.id);
      return await reply.code(204).send(null);
    },
  });
}
