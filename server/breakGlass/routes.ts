import { paths } from '../../lib/paths';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { linkOrigin } from '../http/linkOrigin';
import { on } from '../http/on';
import { emergencyAccessMail } from '../mail/accountMails';
import { byOf } from '../proposals/proposals';
import { breakGlass, endBreakGlass, seeBreakGlass } from './commands';
import { listBreakGlass, readNotified } from './queries';

/** Emergency access to every unit of the site, and the notice of it to the administrators. */
export function breakGlassRoutes(app: App, server: Server): void {
  const { store, now, env, mailer } = server;
  on(app, 'breakGlass', async (request) => {
    const session = sessionOf(request);
    const { isMailed } = await breakGlass(server, byOf(request, now()), request.body.reason);
    const { user } = session;
    const page = `${linkOrigin(request, env)}${paths.adminEmergencyAccess}`;
    const who = `${user.fname} ${user.lname} (${userTypeLabels[user.type]})`;
    for (const to of isMailed ? await readNotified(store, user.siteId, user.id) : []) {
      // Not awaited: no one in an emergency should wait for a mail server, and the list shows it all the same.
      void mailer.send(emergencyAccessMail(to, user.site.name, who, page));
    }
    return session.user;
  });

  on(app, 'endBreakGlass', async (request) => {
    const session = sessionOf(request);
    await endBreakGlass(server, byOf(request, now()));
    return session.user;
  });

  on(
    app,
    'listBreakGlass',
    async (request) => await listBreakGlass(store, requireScope(request, 'manageUsers', now()).siteId),
  );

  on(app, 'seeBreakGlass', (request) => seeBreakGlass(server, byOf(request, now()), request.params.id));
}
