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
  type PauseChange,
} from './pauses';

/** Standby for some minutes, and comfort care by a physician's order. */
export function pauseRoutes(app: App, { store, liveState, alerts, auditView, now }: Server): void {
  const changeOf = (
    request: FastifyRequest & { params: { id: number } },
    permission: 'setStandby' | 'orderComfortCare',
  ): PauseChange => {
    const at = now();
    return {
      ...{ store, liveState, now: at, actor: actorOf(request), scope: requireScope(request, permission, at) },
      ...{ userId: sessionOf(request).user.id, patientId: request.params.id },
    };
  };

  const mayExtend = (request: FastifyRequest): boolean => reachOf(sessionOf(request).user, 'extendStandby') !== null;

  /** Changes a patient's pauses and applies them. A change that fails otherwise than refused may be in the store. */
  const applied = async <Result>({ patientId }: PauseChange, made: Promise<Result>): Promise<Result> => {
    const result = await made.catch((error: unknown) => {
      if (!(error instanceof HttpError)) {
        alerts.doubtSettings(patientId);
      }
      throw error;
    });
    await alerts.reconsider(patientId);
    return result;
  };

  on(app, 'startStandby', async (request) => {
    const change = changeOf(request, 'setStandby');
    const standby = await applied(change, startStandby(change, { mayExtend: mayExtend(request) }, request.body));
    return await presentStandby(store.db, standby);
  });

  on(app, 'getStandbyLeft', async (request) => {
    const minutes = await readStandbyLeft(changeOf(request, 'setStandby'));
    await auditView(request, { action: 'read_patient', patientId: request.params.id });
    return { minutes: mayExtend(request) ? longestStandbyMinutes : minutes, ofBudget: minutes };
  });

  on(app, 'endStandby', async (request) => {
    const change = changeOf(request, 'setStandby');
    await applied(change, endPause(change, 'standby'));
    return { endedAt: toInstant(change.now) };
  });

  on(app, 'confirmComfortCare', async (request) => {
    const change = changeOf(request, 'orderComfortCare');
    const comfortCare = await applied(change, confirmComfortCare(change, request.body));
    return await presentComfortCare(store.db, comfortCare);
  });

  on(app, 'endComfortCare', async (request) => {
    const change = changeOf(request, 'orderComfortCare');
    await applied(change, endPause(change, 'comfortCare'));
  });
}
