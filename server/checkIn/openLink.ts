import type { Limit } from '../../lib/alerts/limit';
import { spotLimits, spotPriority, type SpotParameter } from '../../lib/alerts/spotRules';
import { deviceKindOf } from '../../lib/checkIn/deviceKindOf';
import { nextDueAt } from '../../lib/checkIn/dueTimes';
import type { OpenedCheckIn, RedReading } from '../../lib/checkIn/schema';
import { isChild } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { futureMs } from '../../lib/time/isInFuture';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { initialsOf } from '../../lib/users/initialsOf';
import type { PatientRuleState } from '../alerts/patientRuleState';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { PatientRow } from '../db/rows';
import type { Server } from '../server';
import { hashSecret } from '../session/sessions';
import type { OpenedLink } from './requireLink';
import { siteRow } from '../site/queries';

const parameterOf = { spo2: 'spo2', pulseRate: 'rate', respiratoryRate: 'respiratoryRate' } as const satisfies Record<
  RedReading,
  SpotParameter
>;

/**
 * Returns the limits beyond which a reading is RED (clinical.md section 2.5): those of the rules that raise HIGH for
 * this patient. At home they follow from the SpO2 scale, and for a child adults' rates do not apply. On a ward they are
 * those of continuous monitoring, with the patient's own limits. `rules` is null if no rules apply.
 */
function redLimitsOf(row: PatientRow, isUnder16: boolean, rules: PatientRuleState | null): OpenedCheckIn['red'] {
  const { spo2_scale: scale, profile } = row;
  const limitsOf = (reading: RedReading): Limit[] => {
    const parameter = parameterOf[reading];
    if (profile === 'continuous' && rules !== null && parameter !== 'respiratoryRate') {
      return wardLimits(rules, parameter);
    }
    return spotLimits(parameter, scale, 'high').raise.filter(
      ({ value }) => spotPriority(parameter, value, { scale, baseline: null, isUnder16 }) === 'high',
    );
  };
  return { spo2: limitsOf('spo2'), pulseRate: limitsOf('pulseRate'), respiratoryRate: limitsOf('respiratoryRate') };
}

/** Returns the limits of the HIGH rules about single values on a ward. */
function wardLimits({ plans }: PatientRuleState, parameter: SpotParameter): Limit[] {
  return [plans.oxygenation, plans.rate]
    .flatMap(({ groups }) => groups)
    .filter((group) => group.parameter === parameter)
    .flatMap(({ rules }) => rules)
    .filter(({ priority, input, onOxygen }) => priority === 'high' && input === 'value' && !onOxygen)
    .flatMap(({ limits }) => limits?.raise ?? []);
}

/** Opening it again within this time is the same look at it, in milliseconds. */
const sameLookMs = 60_000;

/**
 * Notes that a link was opened, when and on what kind of device, and writes it to the audit once a look. Another
 * browser than that of the last look is a look of its own, and the audit says so. Resolves with whether it was opened
 * for the first time.
 */
export async function noteOpened(
  { store }: Pick<Server, 'store'>,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  userAgent: string | undefined,
): Promise<boolean> {
  const browser = hashSecret(userAgent ?? '').slice(0, 16);
  return await store.db.transaction().execute(async (transaction) => {
    await hold(transaction, 'check_in_links', link.id);
    const { opened_at, last_opened_at, opened_by, opened_on } = await transaction
      .selectFrom('check_in_links')
      .select(['opened_at', 'last_opened_at', 'opened_by', 'opened_on'])
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    const isOther = opened_by !== null && opened_by !== browser;
    if (!isOther && last_opened_at !== null && last_opened_at > now - sameLookMs) {
      return false;
    }
    await transaction
      .updateTable('check_in_links')
      .set({
        opened_at: opened_at ?? now,
        last_opened_at: now,
        opened_on: deviceKindOf(userAgent) ?? opened_on,
        opened_by: browser,
      })
      .where('id', '=', link.id)
      .execute();
    await auditDone(transaction, now, actor, 'open_check_in', ['patient', patient.id], {
      link: link.id,
      for: link.for,
      ...(isOther ? { otherBrowser: true } : {}),
    });
    return opened_at === null;
  });
}

/**
 * Returns when a patient last checked in or staff last wrote down their symptoms; null: never. A damaged time ahead of
 * `now` answers no check-in. Epoch milliseconds.
 */
async function lastReportAt(
  { store }: Pick<Server, 'store'>,
  patientId: number,
  now: EpochMs,
): Promise<EpochMs | null> {
  const { at } = await store.db
    .selectFrom('symptom_reports')
    .select((select) => select.fn.max('reported_at').as('at'))
    .where('patient_id', '=', patientId)
    .where('in_error_at', 'is', null)
    .where('reported_at', '<=', now + futureMs)
    .executeTakeFirstOrThrow();
  return at;
}

/** Returns the limits beyond which a patient's readings are RED at `now`. */
export function redOf({ alerts }: Pick<Server, 'alerts'>, patient: PatientRow, now: EpochMs): OpenedCheckIn['red'] {
  const isUnder16 = isChild(patient.date_of_birth, now, alerts.timeZoneOf(patient.site_id));
  return redLimitsOf(patient, isUnder16, alerts.ruleStateOf(patient.id));
}

/** Returns what a link shows at `now`. The fields are listed explicitly: this leaves the server for anyone's phone. */
export async function presentOpened(
  { store, alerts }: Pick<Server, 'store' | 'alerts'>,
  { link, patient }: OpenedLink,
  now: EpochMs,
): Promise<OpenedCheckIn> {
  const site = await siteRow(store.db, patient.site_id);
  const lastAt = await lastReportAt({ store }, patient.id, now);
  const dueTimes = site.check_in_times.split(',');
  const isUnder16 = isChild(patient.date_of_birth, now, site.time_zone);
  return {
    initials: initialsOf(`${patient.given_name} ${patient.family_name}`),
    siteName: site.name,
    for: link.for,
    emergencyNumber: site.emergency_number,
    outOfHoursText: site.out_of_hours_text,
    timeZone: site.time_zone,
    dueTimes,
    nextDueAt: toInstant(nextDueAt({ times: dueTimes, timeZone: site.time_zone }, lastAt, now)),
    expiresAt: toInstant(link.expires_at),
    scale: patient.spo2_scale,
    isUnder16,
    red: redLimitsOf(patient, isUnder16, alerts.ruleStateOf(patient.id)),
    lastReportAt: instantOrNull(lastAt),
  };
}
