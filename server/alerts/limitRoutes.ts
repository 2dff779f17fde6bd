import type { Kysely } from 'kysely';
import { isOfRate, isOfScore, type LimitValues } from '../../lib/alerts/limits';
import type { NewLimits } from '../../lib/alerts/limitsSchema';
import { isInComfortCare } from '../../lib/alerts/pauses';
import { isChild } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { actorOf } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import type { Env } from '../env';
import { requireScope, sessionOf } from '../http/access';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import type { LiveState } from '../liveState';
import { requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { newestOf, readHolding } from './holding';
import { changePatientLimits, readNewest, readPatientLimits, requireSettable, setNow } from './limits';
import { paceOf } from './pace';
import type { PreviewTask } from './previewTask';

/** As long as the sentence on the page says: "in the last 24 h". In milliseconds. */
const spanMs = 24 * 3_600_000;

/**
 * Resolves with what a preview of a rule's limits needs to know, by the settings of `now` (epoch milliseconds). Throws
 * 409 `no_preview` if values that come one after another do not decide what the rule raises.
 */
async function previewTaskOf(
  { db, env, liveState }: { db: Kysely<Database>; env: Env; liveState: LiveState },
  patient: PatientRow,
  { rule, values }: Pick<NewLimits, 'rule' | 'values'>,
  now: EpochMs,
): Promise<PreviewTask> {
  if (isOfScore(rule)) {
    throw new HttpError(409, 'no_preview', 'There is no preview for the thresholds of the score.');
  }
  if (patient.profile === 'home') {
    throw new HttpError(409, 'no_preview', 'There is no preview for a patient at home.');
  }
  const holding = (await readHolding(db, [patient], null)).get(patient.id);
  const { limits, ownLimits: own, timeZone } = holding ?? { limits: {}, ownLimits: {}, timeZone: 'UTC' };
  const ofSite = newestOf(await readNewest(db, { siteId: patient.site_id, patientId: null }), rule, patient.spo2_scale);
  const beneath: LimitValues = ofSite === undefined ? {} : (setNow(ofSite, now)?.values ?? {});
  return {
    store: { dataDir: env.dataDir, databaseUrl: env.databaseUrl },
    patientId: patient.id,
    stream: isOfRate(rule) ? 'rate' : 'oxygenation',
    scale: patient.spo2_scale,
    isComfortCare: isInComfortCare(holding?.comfortCare ?? null, now),
    isUnder16: isChild(patient.date_of_birth, now, timeZone),
    now: { limits, own },
    // As `readHolding` lays the patient's own limits over those of the site, for each side separately.
    proposed: { limits: { ...limits, [rule]: { ...beneath, ...values } }, own: { ...own, [rule]: values } },
    every: paceOf(liveState, patient).every,
    assigned: [...liveState.assigned].flatMap(([deviceId, patientId]) => (patientId === patient.id ? [deviceId] : [])),
    offsets: [...liveState.latestOf(patient.id).values()].map(({ sample }) => sample.offsetMs),
    from: now - spanMs,
    to: now,
  };
}

/** A patient's limits of the rules. */
export function limitRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, now } = server;
  on(app, 'getLimits', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    return await readPatientLimits(store.db, liveState, patient, now());
  });

  on(app, 'changeLimits', async (request) => {
    const scope = requireScope(request, 'changeLimits', now());
    const { user } = sessionOf(request);
    const author = { isPhysician: user.type === 'physician', timeZone: user.site.timeZone };
    const who = { userId: user.id, patientId: request.params.id, ...author };
    const patient = await changePatientLimits(store, liveState, now(), actorOf(request), scope, who, request.body);
    await alerts.reconsider(patient.id);
    return await readPatientLimits(store.db, liveState, patient, now());
  });
  on(app, 'previewLimits', async (request) => {
    const scope = requireScope(request, 'changeLimits', now());
    const { user } = sessionOf(request);
    const who = { patientId: request.params.id, isPhysician: user.type === 'physician', timeZone: user.site.timeZone };
    const wanted = { ...request.body, reviewAt: null };
    const patient = requireSettable(liveState, now(), scope, who, wanted);
    await auditView(request, { action: 'read_vitals', patientId: patient.id });
    const task = await previewTaskOf({ db: store.db, env: server.env, liveState }, patient, wanted, now());
    return await server.previews.run(user.id, task);
  });
}
