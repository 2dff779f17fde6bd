import type { FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { linkOrigin } from '../http/linkOrigin';
import { on } from '../http/on';
import { approvedMail, resetMail } from '../mail/accountMails';
import { mailInvitation, mailLink } from '../mail/mailLink';
import { actorOf } from '../audit/actor';
import { byOf } from '../proposals/proposals';
import {
  approveUser,
  changeUser,
  endUserSessions,
  invite,
  makeResetLink,
  rejectUser,
  withdrawInvitation,
  type Administrator,
} from './commands';
import { confirmUser, listConfirmations } from './confirmations';
import { listInvitations, listUsers } from './queries';

/** The users of a site and its invitations, for its administrators. */
export function userRoutes(app: App, server: Server): void {
  const { store, now, env, mailer, sessions, chat } = server;
  const administratorOf = (request: FastifyRequest): Administrator => ({
    user: sessionOf(request).user,
    actor: actorOf(request),
  });

  on(app, 'listUsers', async (request) => {
    const items = await listUsers(store.db, sessionOf(request).user.siteId);
    return { items, total: items.length };
  });

  on(app, 'changeUser', async (request) => {
    const user = await changeUser(server, now(), administratorOf(request), request.params.id, request.body);
    // A user who belongs to other units now leaves the channels of the old ones.
    const [session] = sessions.ofUser(user.id);
    if (session !== undefined) {
      chat?.place(session);
    }
    return user;
  });

  on(app, 'approveUser', async (request) => {
    const administrator = administratorOf(request);
    const user = await approveUser(server, now(), administrator, request.params.id, request.body);
    void mailer.send(
      approvedMail(user.email, administrator.user.site.name, `${linkOrigin(request, env)}${paths.signIn}`),
    );
    return user;
  });

  on(app, 'rejectUser', (request) => rejectUser(server, now(), administratorOf(request), request.params.id));

  on(app, 'makeResetLink', async (request) => {
    const made = await makeResetLink(server, now(), administratorOf(request), request.params.id);
    return await mailLink(server, request, `${paths.resetPassword}#token=`, made, (link) =>
      resetMail(made.email, link, true),
    );
  });

  on(app, 'endUserSessions', (request) => endUserSessions(server, now(), administratorOf(request), request.params.id));

  on(app, 'listConfirmations', async (request) => {
    const items = await listConfirmations(store.db, sessionOf(request).user);
    return { items, total: items.length };
  });

  on(app, 'confirmUser', (request) => confirmUser(server, byOf(request, now()), request.params.id));

  on(app, 'listInvitations', async (request) => {
    const items = await listInvitations(store.db, sessionOf(request).user.siteId, now());
    return { items, total: items.length };
  });

  on(app, 'invite', async (request) => {
    const administrator = administratorOf(request);
    const made = await invite(server, now(), administrator, request.body);
    const { name } = administrator.user.site;
    return await mailInvitation(server, request, made, name);
  });

  on(app, 'withdrawInvitation', (request) =>
    withdrawInvitation(server, now(), administratorOf(request), request.params.id),
  );
}
