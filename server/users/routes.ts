import type { FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { linkOrigin } from '../http/linkOrigin';
import { on } from '../http/on';
import { approvedMail, resetMail } from '../mail/accountMails';
import { mailInvitation, mailLink } from '../mail/mailLink';
import { byOf, type By } from '../proposals/proposals';
import {
  approveUser,
  changeUser,
  endUserSessions,
  invite,
  makeResetLink,
  rejectUser,
  withdrawInvitation,
} from './commands';
import { confirmUser, listConfirmations } from './confirmations';
import { listInvitations, listUsers } from './queries';

/** A list that is sent whole. */
const all = <Item>(items: Item[]) => ({ items, total: items.length });

/** The users of a site and its invitations, for its administrators. */
export function userRoutes(app: App, server: Server): void {
  const { store, now, env, mailer, sessions, chat } = server;
  /** The administrator who acts: they reach only their own site. */
  const by = (request: FastifyRequest): By => byOf(request, now());

  on(app, 'listUsers', async (request) => all(await listUsers(store.db, sessionOf(request).user.siteId)));

  on(app, 'changeUser', async (request) => {
    const user = await changeUser(server, by(request), request.params.id, request.body);
    // A user who belongs to other units now leaves the channels of the old ones.
    const [session] = sessions.ofUser(user.id);
    if (session !== undefined) {
      chat?.place(session);
    }
    return user;
  });

  on(app, 'approveUser', async (request) => {
    const { name } = sessionOf(request).user.site;
    const user = await approveUser(server, by(request), request.params.id, request.body);
    void mailer.send(approvedMail(user.email, name, `${linkOrigin(request, env)}${paths.signIn}`));
    return user;
  });

  on(app, 'rejectUser', (request) => rejectUser(server, by(request), request.params.id));

  on(app, 'makeResetLink', async (request) => {
    const made = await makeResetLink(server, by(request), request.params.id);
    return await mailLink(server, request, `${paths.resetPassword}#token=`, made, (link) =>
      resetMail(made.email, link, true),
    );
  });

  on(app, 'endUserSessions', (request) => endUserSessions(server, by(request), request.params.id));

  on(app, 'listConfirmations', async (request) => all(await listConfirmations(store.db, sessionOf(request).user)));

  on(app, 'confirmUser', (request) => confirmUser(server, by(request), request.params.id));

  on(app, 'listInvitations', async (request) =>
    all(await listInvitations(store.db, sessionOf(request).user.siteId, now())),
  );

  on(app, 'invite', async (request) => {
    const { name } = sessionOf(request).user.site;
    const made = await invite(server, by(request), request.body);
    return await mailInvitation(server, request, made, name);
  });

  on(app, 'withdrawInvitation', (request) => withdrawInvitation(server, by(request), request.params.id));
}
