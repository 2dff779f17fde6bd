import { routes } from '../../lib/api/routes';
import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { backupState } from '../backup/state';
import { sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { acceptIntendedUse, changeSite } from './commands';
import { readSite } from './queries';

/** The settings of the user's site, and how its backups stand. */
export function siteRoutes(app: App, { store, sessions, env, chat, alerts, now }: Server): void {
  const settings = async (siteId: number): Promise<SiteSettings> => {
    const { takenAt, isOverdue } = await backupState(env.dataDir, now());
    return {
      ...(await readSite(store.db, siteId)),
      backup: { takenAt: takenAt === null ? null : toInstant(takenAt), isOverdue },
    };
  };

  app.route({
    method: routes.getSite.method,
    url: routes.getSite.path,
    schema: { response: { 200: routes.getSite.response } },
    handler: (request) => settings(sessionOf(request).user.siteId),
  });

  app.route({
    method: routes.changeSite.method,
    url: routes.changeSite.path,
    schema: { body: routes.changeSite.body, response: { 200: routes.changeSite.response } },
    handler: async (request) => {
      const { siteId } = sessionOf(request).user;
      await changeSite({ db: store.db, sessions }, now(), actorOf(request), siteId, request.body);
      await alerts.siteChanged(siteId);
      if (request.body.chatPatientLabel !== undefined) {
        chat?.rename(siteId);
      }
      return await settings(siteId);
    },
  });

  app.route({
    method: routes.acceptIntendedUse.method,
    url: routes.acceptIntendedUse.path,
    schema: { body: routes.acceptIntendedUse.body, response: { 200: routes.acceptIntendedUse.response } },
    handler: async (request) => {
      const { id, siteId } = sessionOf(request).user;
      await acceptIntendedUse({ db: store.db, sessions }, now(), actorOf(request), siteId, id);
      await alerts.siteChanged(siteId);
      return await settings(siteId);
    },
  });
}
