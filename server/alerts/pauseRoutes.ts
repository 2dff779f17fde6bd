import type { FastifyRequest } from 'fastify';
import { longestStandbyMinutes } from '../../lib/alerts/pauses';
import { reachOf } from '../../lib/session/permissions';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { actorOf } from '../audit/actor';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import {
  confirmComfortCare,
  endPause,
  presentComfortCare,
  presentStandby,
  readStandbyLeft,
  startStandby,
} from './pauses';

/** Standby for some minutes, and comfort care by a physician's order. */
export function pauseRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  /** What each change of a patient's pauses begins with. */
  const partsOf = (
    request: FastifyRequest & { params: { id: number } },
    permission: 'setStandby' | 'orderComfortCare',
  ) => {
    const at = now();
    const who = { userId: sessionOf(request).user.id, patientId: request.params.id };
    return { at, who, parts: [store, liveState, at, actorOf(request), requireScope(request, permission, at)] as const };
  };

  const mayExtend = (request: FastifyRequest): boolean => reachOf(sessionOf(request).user, 'extendStandby') !== null;

  /** Changes a patient's pauses and applies them. A change that fails otherwise than refused may be in the store. */
  const applied = async <Result>(patientId: number, change: () => Promise<Result>): Promise<Result> => {
    const result = await change().catch((error: unknown) => {
      if (!(error instanceof HttpError)) {
        alerts.doubtSettings(patientId);
      }
      throw error;
    });
    await alerts.reconsider(patientId);
    return result;
  };

  on(app, 'startStandby', async (request) => {
    const { who, parts } = partsOf(request, 'setStandby');
    const extending = { ...who, mayExtend: mayExtend(request) };
    const standby = await applied(who.patientId, () => startStandby(...parts, extending, request.body));
    return await presentStandby(store.db, standby);
  });

  on(app, 'getStandbyLeft', async (request) => {
    const scope = requireScope(request, 'setStandby', now());
    const minutes = await readStandbyLeft(store, liveState, now(), scope, request.params.id);
    await auditView(request, { action: 'read_patient', patientId: request.params.id });
    return { minutes: mayExtend(request) ? longestStandbyMinutes : minutes, ofBudget: minutes };
  });

  on(app, 'endStandby', async (request) => {
    const { at, who, parts } = partsOf(request, 'setStandby');
    await applied(who.patientId, () => endPause(...parts, who, 'standby'));
    return { endedAt: toInstant(at) };
  });

  on(app, 'confirmComfortCare', async (request) => {
    const { who, parts } = partsOf(request, 'orderComfortCare');
    const comfortCare = await applied(who.patientId, () => confirmComfortCare(...parts, who, request.body));
    return await presentComfortCare(store.db, comfortCare);
  });

  on(app, 'endComfortCare', async (request) => {
    const { who, parts } = partsOf(request, 'orderComfortCare');
    await applied(who.patientId, () => endPause(...parts, who, 'comfortCare'));
  });
}
