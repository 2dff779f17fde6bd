import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { on } from '../http/on';
import { rejectProposal } from './proposals';
import { approveEscalationTimes, proposeEscalationTimes, readEscalationSettings } from './siteEscalation';
import { approveSiteLimits, proposeSiteLimits, readSiteLimits } from './siteLimits';

/** The limits and escalation times of the whole site. What is approved applies at once, also to open alerts. */
export function alertSettingsRoutes(app: App, { store, alerts, now }: Server): void {
  on(app, 'getSiteLimits', (request) => readSiteLimits(store.db, sessionOf(request).user, now()));

  on(app, 'proposeSiteLimits', async (request) => {
    const { user } = sessionOf(request);
    await proposeSiteLimits(store, now(), actorOf(request), user, request.body);
    return await readSiteLimits(store.db, user, now());
  });

  on(app, 'approveSiteLimits', async (request) => {
    const { user } = sessionOf(request);
    await approveSiteLimits(store, now(), actorOf(request), user, request.params.id);
    await alerts.siteChanged(user.siteId);
    return await readSiteLimits(store.db, user, now());
  });

  on(app, 'rejectSiteLimits', async (request) => {
    const { user } = sessionOf(request);
    const rejected = { id: request.params.id, ...request.body };
    await rejectProposal(store, now(), actorOf(request), user, 'limits', rejected);
    return await readSiteLimits(store.db, user, now());
  });

  on(app, 'getEscalationTimes', (request) => readEscalationSettings(store.db, sessionOf(request).user, now()));

  on(app, 'proposeEscalationTimes', async (request) => {
    const { user } = sessionOf(request);
    await proposeEscalationTimes(store, now(), actorOf(request), user, request.body);
    return await readEscalationSettings(store.db, user, now());
  });

  on(app, 'approveEscalationTimes', async (request) => {
    const { user } = sessionOf(request);
    await approveEscalationTimes(store, now(), actorOf(request), user, request.params.id);
    await alerts.siteChanged(user.siteId);
    return await readEscalationSettings(store.db, user, now());
  });

  on(app, 'rejectEscalationTimes', async (request) => {
    const { user } = sessionOf(request);
    const rejected = { id: request.params.id, ...request.body };
    await rejectProposal(store, now(), actorOf(request), user, 'escalation', rejected);
    return await readEscalationSettings(store.db, user, now());
  });
}
