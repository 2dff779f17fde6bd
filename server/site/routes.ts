import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { backupState } from '../backup/state';
import { sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { acceptIntendedUse, changeSite } from './commands';
import { readSite } from './queries';

/** The settings of the user's site, and the state of its backups. */
export function siteRoutes(app: App, { store, sessions, env, chat, alerts, clockWatch, now }: Server): void {
  const settings = async (siteId: number): Promise<SiteSettings> => {
    const { takenAt, isOverdue } = await backupState(env.dataDir, now());
    const doubt = clockWatch.doubt();
    return {
      ...(await readSite(store.db, siteId)),
      backup: { takenAt: takenAt === null ? null : toInstant(takenAt), isOverdue },
      clockDoubt:
        doubt === null ? null : { statedAt: toInstant(doubt.statedAt), expectedAt: toInstant(doubt.expectedAt) },
    };
  };

  on(app, 'getSite', (request) => settings(sessionOf(request).user.siteId));

  on(app, 'changeSite', async (request) => {
    const { siteId } = sessionOf(request).user;
    await changeSite({ db: store.db, sessions }, now(), actorOf(request), siteId, request.body);
    await alerts.siteChanged(siteId);
    if (request.body.chatPatientLabel !== undefined) {
      chat?.rename(siteId);
    }
    return await settings(siteId);
  });

  on(app, 'confirmClock', async (request) => {
    await clockWatch.confirm(actorOf(request));
    return await settings(sessionOf(request).user.siteId);
  });

  on(app, 'acceptIntendedUse', async (request) => {
    const { id, siteId } = sessionOf(request).user;
    await acceptIntendedUse({ db: store.db, sessions }, now(), actorOf(request), siteId, id);
    await alerts.siteChanged(siteId);
    return await settings(siteId);
  });
}
