import type { FastifyRequest } from 'fastify';
import type { Settled } from '../../lib/alerts/feeds';
import { longestStandbyMinutes } from '../../lib/alerts/pauses';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import type { App, Server } from '../server';
import { requireScope, sessionOf } from '../http/access';
import { auditDone } from '../audit';
import { actorOf } from '../audit/actor';
import { shiftOf } from '../assignments/shiftOf';
import type { PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { requireActivePatient } from '../patients/requirePatient';
import { isManual } from '../vitals/manualSource';
import { shownLatest, sourceName } from '../vitals/shownSource';
import {
  confirmComfortCare,
  endPause,
  presentComfortCare,
  presentStandby,
  readStandbyLeft,
  startStandby,
} from './pauses';

/** What is settled for a patient without a unit holds no longer, in milliseconds. */
const unitlessMs = 8 * 3_600_000;

const notTwo = (): HttpError =>
  new HttpError(409, 'no_such_source', 'It is not one of two sources of SpO2 that are evaluated now.');

/** Standby for some minutes, comfort care by a physician's order, and which source of SpO2 counts. */
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

  on(app, 'settleSource', async (request) => {
    const { at, who, parts } = partsOf(request, 'setStandby');
    const row = requireActivePatient(liveState, who.patientId, parts[4]);
    const { source } = request.body;
    const settled = source === null ? null : settledOn(row, source, sessionOf(request).user, at);
    const details = settled === null ? undefined : { deviceId: settled.on };
    await alerts.settleSource(row, settled, (transaction) =>
      auditDone(transaction, at, actorOf(request), 'settle_source', ['patient', row.id], details),
    );
    liveState.changed(row.site_id);
    if (settled !== null && liveState.settled.get(row.id)?.at !== settled.at) {
      throw notTwo();
    }
    return null;
  });

  /** Returns that the device of this name counts in the place of the other one that is shown. Throws 409. */
  const settledOn = (row: PatientRow, source: string, { fname, lname, site }: User, now: EpochMs): Settled => {
    const newest = liveState.latestOf(row.id).get(kinds.spo2.code);
    const { latest, other } = (newest && shownLatest(liveState, row, 'spo2', newest, now)) ?? {};
    const ids = [latest, other].flatMap((each) => each?.sample.deviceId ?? []);
    const [on, ...alike] = ids.filter((id) => !isManual(id) && sourceName(liveState, id) === source);
    const over = ids.find((id) => id !== on);
    if (on === undefined || over === undefined || alike.length > 0) {
      throw notTwo();
    }
    const { end } = shiftOf(site, 'current', now);
    const until = row.unit_id === null ? Math.min(end, now + unitlessMs) : end;
    return { on, over, by: `${fname} ${lname}`, at: toInstant(now), until: toInstant(until) };
  };

  on(app, 'confirmComfortCare', async (request) => {
    const { who, parts } = partsOf(request, 'orderComfortCare');
    const comfortCare = await applied(who.patientId, () => confirmComfortCare(...parts, who, request.body));
    return await presentComfortCare(store.db, comfortCare);
  });

  on(app, 'endComfortCare', async (request) => {
    const { who, parts } = partsOf(request, 'orderComfortCare');
    await applied(who.patientId, () => endPause(...parts, who, 'comfortCare'));
    return null;
  });
}
