import type { Kysely, Selectable } from 'kysely';
import type { Spo2Scale } from '../../lib/alerts/continuousRules';
import { limitFaultWords } from '../../lib/alerts/limitFaultWords';
import {
  adjustableRules,
  childBounds,
  defaultBounds,
  factsOfRule,
  isByScale,
  isOfRate,
  isOfScore,
  limitFaults,
  ruleOf,
  type AdjustableRule,
  type LimitBounds,
  type LimitSetting,
} from '../../lib/alerts/limits';
import { limitValues, type NewLimits, type PatientLimitsResponse, type SetLimits } from '../../lib/alerts/limitsSchema';
import { isChild } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { readJson } from '../../lib/readJson';
import { parseInstant } from '../../lib/time/parseInstant';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { AlertLimitsTable } from '../db/alertTables';
import type { Database } from '../db/schema';
import { forbidden, HttpError } from '../http/httpError';
import type { Scope } from '../http/scope';
import { requireActivePatient } from '../patients/requirePatient';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';
import { newestOf, readHolding } from './holding';

/** How many former changes a response contains. */
const historyLength = 100;

/** The owner of limits: a patient, or with null the whole site. */
interface Subject {
  siteId: number;
  patientId: number | null;
}

/** Who sets limits: those of the score, and of a child's rate, are a physician's (clinical.md section 0, N1 and N3). */
interface LimitsAuthor {
  isPhysician: boolean;
  timeZone: string;
}

/** A row with the name of the user who set it. */
export type LimitsRow = Selectable<AlertLimitsTable> & { fname: string; lname: string };

/**
 * Resolves with every rule with limits as it applies to a patient at `now` (epoch milliseconds), and with former
 * settings.
 */
export async function readPatientLimits(
  db: Kysely<Database>,
  liveState: LiveState,
  patient: PatientRow,
  now: EpochMs,
): Promise<PatientLimitsResponse> {
  const scale = patient.spo2_scale;
  const holding = (await readHolding(db, [patient], null)).get(patient.id);
  const limits = holding?.limits ?? {};
  const isUnder16 = isChild(patient.date_of_birth, now, holding?.timeZone ?? 'UTC');
  const bounds = isUnder16 ? childBounds : defaultBounds;
  const childLimits = isUnder16 ? (holding?.ownLimits ?? {}) : null;
  const isComfortCare = liveState.comfortCareOf(patient.id, now) !== null;
  const subject = { siteId: patient.site_id, patientId: patient.id };
  const ofSite = await readNewest(db, { ...subject, patientId: null });
  const own = await readNewest(db, subject);
  const past = await readHistoryRows(db, subject);
  return {
    scale,
    items: adjustableRules.map((rule) => ({
      ...factsOf(rule, bounds),
      default: sidesOf(rule, { scale, limits: {}, isComfortCare, childLimits: isUnder16 ? {} : null }),
      site: setOf(ofSite, rule, scale, now),
      own: setOf(own, rule, scale, now),
      holds: sidesOf(rule, { scale, limits, isComfortCare, childLimits }),
    })),
    history: past.map((row) => ({ rule: row.rule, scale: row.scale, ...presentSet(row) })),
  };
}

/**
 * Sets one patient's limits of a rule, in the place of former ones. Rejects with 404 if the patient is out of reach,
 * with 403 if a physician alone may set them, with 409 `patient_discharged`, with 422 if a limit is not allowed. The
 * reason stays out of the audit. `now` is epoch milliseconds.
 */
export async function changePatientLimits(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  scope: Scope,
  { userId, patientId, timeZone, isPhysician }: { userId: number; patientId: number } & LimitsAuthor,
  wanted: NewLimits,
): Promise<PatientRow> {
  const patient = requireSettable(liveState, now, scope, { patientId, timeZone, isPhysician }, wanted);
  const subject = { siteId: patient.site_id, patientId };
  const { rule, values, reason, reviewAt } = wanted;
  const scale = isByScale(rule) ? patient.spo2_scale : null;
  // In the queue: of two users who set limits at once, the second one learns of the first.
  await store.writeQueue(async (givenUp) => {
    await store.db.transaction().execute(async (transaction) => {
      await requireSeen(transaction, now, { ...subject, scale: patient.spo2_scale }, wanted);
      await transaction
        .insertInto('alert_limits')
        .values({
          ...{ site_id: patient.site_id, patient_id: patientId, rule, scale, limit_values: JSON.stringify(values) },
          ...{ reason, review_at: reviewAt === null ? null : parseInstant(reviewAt), set_at: now, set_by: userId },
        })
        .execute();
      await auditDone(transaction, now, actor, 'change_limits', ['patient', patientId], { rule });
      givenUp.throwIfAborted();
    });
  });
  return patient;
}

/**
 * Returns the patient whose limits a user may set to these values. Throws what `changePatientLimits` rejects with.
 */
export function requireSettable(
  liveState: LiveState,
  now: EpochMs,
  scope: Scope,
  { patientId, timeZone, isPhysician }: { patientId: number } & LimitsAuthor,
  wanted: Pick<NewLimits, 'rule' | 'values' | 'reviewAt'>,
): PatientRow {
  const patient = requireActivePatient(liveState, patientId, scope);
  const isUnder16 = isChild(patient.date_of_birth, now, timeZone);
  if (!isPhysician && (isOfScore(wanted.rule) || (isUnder16 && isOfRate(wanted.rule)))) {
    throw forbidden();
  }
  const isComfortCare = liveState.comfortCareOf(patientId, now) !== null;
  const bounds = isUnder16 ? childBounds : defaultBounds;
  requireAllowed(wanted, now, { scale: patient.spo2_scale, bounds, isComfortCare });
  return patient;
}

/** Throws 422 with a message for each limit that is not allowed, and for a review in the past. */
export function requireAllowed(
  { rule, values, reviewAt }: Pick<NewLimits, 'rule' | 'values' | 'reviewAt'>,
  now: EpochMs,
  setting: { scale: Spo2Scale; bounds: LimitBounds; isComfortCare: boolean },
): void {
  const faults = limitFaults(rule, values, setting);
  const fields: Record<string, string> = {};
  for (const side of ['low', 'high'] as const) {
    const fault = faults[side];
    if (fault !== undefined) {
      fields[`values.${side}`] = limitFaultWords(fault, setting.bounds[rule][side]);
    }
  }
  if (reviewAt !== null && (parseInstant(reviewAt) ?? now) <= now) {
    fields['reviewAt'] = 'does not lie ahead';
  }
  if (Object.keys(fields).length > 0) {
    throw new HttpError(422, 'invalid', 'These limits cannot be set.', { fields });
  }
}

/** Rejects with 409 `limits_changed` unless the user saw the limits that hold. */
async function requireSeen(
  transaction: Kysely<Database>,
  now: EpochMs,
  { scale, ...subject }: Subject & { scale: Spo2Scale },
  { rule, basedOn }: Pick<NewLimits, 'rule' | 'basedOn'>,
): Promise<void> {
  const row = newestOf(await readNewest(transaction, subject), rule, scale);
  const own = row === undefined ? null : setNow(row, now);
  if (parseInstant(own?.setAt ?? '') !== parseInstant(basedOn ?? '')) {
    const by = row === undefined ? 'Somebody else' : `${row.fname} ${row.lname}`;
    throw new HttpError(409, 'limits_changed', `${by} has changed these limits. They are shown as they are now.`);
  }
}

function limitsOf(db: Kysely<Database>, { siteId, patientId }: Subject) {
  return db
    .selectFrom('alert_limits')
    .where('alert_limits.site_id', '=', siteId)
    .where('alert_limits.patient_id', patientId === null ? 'is' : '=', patientId);
}

/** Selects the rows of a subject, the newest first, with the name of the user who set each. */
function rowsOf(db: Kysely<Database>, subject: Subject) {
  return limitsOf(db, subject)
    .innerJoin('users', 'users.id', 'alert_limits.set_by')
    .selectAll('alert_limits')
    .select(['users.fname', 'users.lname'])
    .orderBy('alert_limits.id', 'desc');
}

/** Resolves with the newest row of each rule and scale, the newest first. */
export async function readNewest(db: Kysely<Database>, subject: Subject): Promise<LimitsRow[]> {
  const ids = limitsOf(db, subject)
    .select((select) => select.fn.max('alert_limits.id').as('newest'))
    .groupBy(['rule', 'scale']);
  return await rowsOf(db, subject).where('alert_limits.id', 'in', ids).execute();
}

/** Resolves with the last settings, the newest first. */
export async function readHistoryRows(db: Kysely<Database>, subject: Subject): Promise<LimitsRow[]> {
  return await rowsOf(db, subject).limit(historyLength).execute();
}

/** Returns the limits that are set for a rule on this scale; null if none are. */
function setOf(rows: readonly LimitsRow[], rule: AdjustableRule, onScale: Spo2Scale, now: EpochMs): SetLimits | null {
  const row = newestOf(rows, rule, onScale);
  return row === undefined ? null : setNow(row, now);
}

/** Returns the limits that a row sets; null if it returns to those that lie beneath. */
export function setNow(row: LimitsRow, now: EpochMs): SetLimits | null {
  const set = presentSet(row);
  return Object.keys(set.values).length === 0
    ? null
    : { ...set, isReviewDue: row.review_at !== null && row.review_at <= now };
}

/** Returns what a row sets, as responses show it. */
export function presentSet(row: LimitsRow): Omit<SetLimits, 'isReviewDue'> {
  return {
    values: readJson(limitValues, row.limit_values) ?? {},
    reason: row.reason,
    reviewAt: instantOrNull(row.review_at),
    setAt: toInstant(row.set_at),
    setBy: { id: row.set_by, name: `${row.fname} ${row.lname}` },
  };
}

/** Returns what responses say about a rule beside its limits. */
export function factsOf(rule: AdjustableRule, bounds: LimitBounds) {
  const { priority, delayMs, limits } = factsOfRule(rule);
  const lows = [limits[1], limits[2]].flatMap((known) => known?.raise ?? []).filter(({ is }) => is !== 'atLeast');
  const low = lows[0]?.is;
  return {
    rule,
    priority,
    unit: isOfScore(rule) ? 'points' : kinds[rule.startsWith('spo2') ? 'spo2' : 'heartRate'].unit,
    lowIs: low === 'below' || low === 'atMost' ? low : null,
    delayMs,
    bounds: { low: bounds[rule].low ?? null, high: bounds[rule].high ?? null },
  };
}

/** Returns both sides of a rule as it applies; null if the rule is not for the scale. */
export function sidesOf(rule: AdjustableRule, setting: LimitSetting) {
  const facts = factsOfRule(rule);
  if (facts.limits[setting.scale] === null) {
    return null;
  }
  const raise = ruleOf(rule, setting).limits?.raise ?? [];
  return {
    low: raise.find(({ is }) => is !== 'atLeast')?.value ?? null,
    high: raise.find(({ is }) => is === 'atLeast')?.value ?? null,
  };
}
