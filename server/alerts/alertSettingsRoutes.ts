import type { FastifyRequest } from 'fastify';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import type { Store } from '../db/open';
import { on } from '../http/on';
import { byOf, decide, type By } from '../proposals/proposals';
import { approveEscalationTimes, proposeEscalationTimes, readEscalationSettings } from './siteEscalation';
import { approveSiteLimits, proposeSiteLimits, readSiteLimits } from './siteLimits';

/** The limits and escalation times of the whole site. What is approved applies at once, also to open alerts. */
export function alertSettingsRoutes(app: App, { store, alerts, now }: Server): void {
  const limits = (request: FastifyRequest) => readSiteLimits(store.db, sessionOf(request).user, now());
  const times = (request: FastifyRequest) => readEscalationSettings(store.db, sessionOf(request).user, now());
  const applied = (request: FastifyRequest) => alerts.siteChanged(sessionOf(request).user.siteId);

  on(app, 'getSiteLimits', limits);
  on(app, 'proposeSiteLimits', async (request) => {
    await proposeSiteLimits(store, byOf(request, now()), request.body);
    return await limits(request);
  });
  on(app, 'approveSiteLimits', async (request) => {
    await approveSiteLimits(store, byOf(request, now()), request.params.id);
    await applied(request);
    return await limits(request);
  });
  on(app, 'rejectSiteLimits', async (request) => {
    await reject(store, byOf(request, now()), ['limits', request.params.id], request.body.reason);
    return await limits(request);
  });

  on(app, 'getEscalationTimes', times);
  on(app, 'proposeEscalationTimes', async (request) => {
    await proposeEscalationTimes(store, byOf(request, now()), request.body);
    return await times(request);
  });
  on(app, 'approveEscalationTimes', async (request) => {
    await approveEscalationTimes(store, byOf(request, now()), request.params.id);
    await applied(request);
    return await times(request);
  });
  on(app, 'rejectEscalationTimes', async (request) => {
    await reject(store, byOf(request, now()), ['escalation', request.params.id], request.body.reason);
    return await times(request);
  });
}

/** Rejects a proposal with a reason, or withdraws one's own. */
const reject = ({ db }: Store, by: By, of: Parameters<typeof decide>[2], reason: string): Promise<void> =>
  decide(db, by, of, { approves: false, reason }, () => Promise.resolve());
