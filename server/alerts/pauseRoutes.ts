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
  const whoOf = (request: FastifyRequest, patientId: number) => ({ userId: sessionOf(request).user.id, patientId });

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
    const at = now();
    const scope = requireScope(request, 'setStandby', at);
    const who = { ...whoOf(request, request.params.id), mayExtend: mayExtend(request) };
    const standby = await applied(who.patientId, () =>
      startStandby(store, liveState, at, actorOf(request), scope, who, request.body),
    );
    return await presentStandby(store.db, standby);
  });

  on(app, 'getStandbyLeft', async (request) => {
    const scope = requireScope(request, 'setStandby', now());
    const minutes = await readStandbyLeft(store, liveState, now(), scope, request.params.id);
    await auditView(request, { action: 'read_patient', patientId: request.params.id });
    return { minutes: mayExtend(request) ? longestStandbyMinutes : minutes, ofBudget: minutes };
  });

  on(app, 'endStandby', async (request) => {
    const at = now();
    const scope = requireScope(request, 'setStandby', at);
    const who = whoOf(request, request.params.id);
    await applied(who.patientId, () => endPause(store, liveState, at, actorOf(request), scope, who, 'standby'));
    return { endedAt: toInstant(at) };
  });

  on(app, 'confirmComfortCare', async (request) => {
    const at = now();
    const scope = requireScope(request, 'orderComfortCare', at);
    const who = whoOf(request, request.params.id);
    const comfortCare = await applied(who.patientId, () =>
      confirmComfortCare(store, liveState, at, actorOf(request), scope, who, request.body),
    );
    return await presentComfortCare(store.db, comfortCare);
  });

  on(app, 'endComfortCare', async (request) => {
    const at = now();
    const scope = requireScope(request, 'orderComfortCare', at);
    const who = whoOf(request, request.params.id);
    await applied(who.patientId, () => endPause(store, liveState, at, actorOf(request), scope, who, 'comfortCare'));
    return null;
  });
}
