import type { Kysely } from 'kysely';
import { isInComfortCare } from '../../lib/alerts/pauses';
import type { NewLimits } from '../../lib/alerts/limitsSchema';
import { isOfRate, isOfScore, type LimitValues } from '../../lib/alerts/limits';
import { isChild } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import type { Env } from '../env';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';
import { readHolding } from './holding';
import { newestOf, readNewest, setNow } from './limits';
import { paceOf } from './pace';
import type { PreviewTask } from './previewTask';

/** As long as the sentence on the page says: "in the last 24 h". In milliseconds. */
const spanMs = 24 * 3_600_000;

/**
 * Resolves with what a preview of a rule's limits needs to know, by the settings of `now` (epoch milliseconds). Throws
 * 409 `no_preview` if values that come one after another do not decide what the rule raises.
 */
export async function previewTaskOf(
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
