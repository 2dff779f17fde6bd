import type { OpenedCheckIn, RedReading } from '../../lib/checkIn/schema';
import type { Limit } from '../../lib/alerts/limit';
import { spotLimits, spotPriority, type SpotParameter } from '../../lib/alerts/spotRules';
import type { PatientRuleState } from '../alerts/patientRuleState';
import type { PatientRow } from '../db/rows';

const parameterOf = { spo2: 'spo2', pulseRate: 'rate', respiratoryRate: 'respiratoryRate' } as const satisfies Record<
  RedReading,
  SpotParameter
>;

/**
 * Returns the limits beyond which a reading is RED (clinical.md section 2.5): those of the rules that raise HIGH for
 * this patient. At home they follow from the SpO2 scale, and for a child adults' rates do not apply. On a ward they are
 * those of continuous monitoring, with the patient's own limits. `rules` is null if no rules apply.
 */
export function redLimitsOf(row: PatientRow, isUnder16: boolean, rules: PatientRuleState | null): OpenedCheckIn['red'] {
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
