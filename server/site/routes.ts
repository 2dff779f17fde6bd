import type { SiteSettings } from '../../lib/site/schema';
import type { FastifyRequest } from 'fastify';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { backupState } from '../backup/state';
import { sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { mailInvitation } from '../mail/mailLink';
import { byOf } from '../proposals/proposals';
import { acceptIntendedUse, changeSite } from './commands';
import { addSite, inviteToSite } from './addSite';
import { listSites, readSite } from './queries';

/** The settings of the user's site, the state of its backups, and the sites of the installation. */
export function siteRoutes(app: App, server: Server): void {
  const { store, sessions, env, chat, alerts, clockWatch, mrnAuthorities, hl7, now } = server;
  const settings = async (siteId: number): Promise<SiteSettings> => {
    const { takenAt, isOverdue } = await backupState(env.dataDir, now());
    const doubt = clockWatch.doubt();
    const site = await readSite(store.db, siteId);
    // What the page shows also counts after a commit whose result was lost.
    mrnAuthorities.put(site);
    return {
      ...site,
      seenAuthorities: hl7.senders.authoritiesOf(siteId),
      backup: { takenAt: instantOrNull(takenAt), isOverdue },
      clockDoubt:
        doubt === null ? null : { statedAt: toInstant(doubt.statedAt), expectedAt: toInstant(doubt.expectedAt) },
    };
  };

  const makerOf = (request: FastifyRequest) => ({
    userId: sessionOf(request).user.id,
    actor: actorOf(request),
    isShown: env.smtpUrl === null,
  });

  on(app, 'getSite', (request) => settings(sessionOf(request).user.siteId));

  on(app, 'changeSite', async (request) => {
    const { siteId } = sessionOf(request).user;
    await changeSite({ db: store.db, sessions }, byOf(request, now()), request.body);
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

  on(app, 'listSites', async () => {
    const items = await listSites(store.db);
    return { items, total: items.length };
  });

  on(app, 'addSite', async (request) => {
    const { clientId, ...site } = request.body;
    const made = await addSite(store.db, now(), site, { ...makerOf(request), clientId });
    return await mailInvitation(server, request, made, site.name);
  });

  on(app, 'inviteToSite', async (request) => {
    const made = await inviteToSite(store.db, now(), request.body, makerOf(request));
    const { name } = await readSite(store.db, request.body.siteId);
    return await mailInvitation(server, request, made, name);
  });

  on(app, 'acceptIntendedUse', async (request) => {
    const { siteId } = sessionOf(request).user;
    await acceptIntendedUse({ db: store.db, sessions }, byOf(request, now()));
    await alerts.siteChanged(siteId);
    return await settings(siteId);
  });
}
