import { desatWords } from '../../lib/alerts/desatWords';
import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import { parameterLabels } from '../../lib/alerts/parameters';
import { ruleNames } from '../../lib/alerts/ruleNames';
import { limitText } from '../../lib/alerts/sentenceParts';
import { spotLimits, spotParameters } from '../../lib/alerts/spotRules';
import type { Patient } from '../../lib/patients/schema';
import { limitWords } from '../care/limitWords';

/**
 * Returns the limits that raise a patient's alerts now, in figures, a line each: "SpO2 low: < 88 %". At home they are
 * those of single readings, which no one sets for a patient.
 */
export function limitLines(
  { profile, spo2Scale }: Pick<Patient, 'profile' | 'spo2Scale'>,
  limits: Pick<PatientLimitsResponse, 'items'>,
): string[] {
  if (profile === 'home') {
    return spotParameters.flatMap((parameter) => {
      const tiers = (['high', 'medium'] as const).flatMap((priority) => {
        const { raise } = spotLimits(parameter, spo2Scale, priority);
        return raise.length === 0 ? [] : [`${priority} ${raise.map(limitText).join(', ')}`];
      });
      return tiers.length === 0 ? [] : [`${parameterLabels[parameter]} reading: ${tiers.join('; ')}`];
    });
  }
  return limits.items.flatMap((item) => {
    const desat = desatWords(item.rule, item.holds);
    return item.holds === null
      ? []
      : [
          ...(desat === null ? [] : [desat]),
          `${ruleNames[item.rule]}: ${limitWords(item.holds, item)} ${item.unit}`.trimEnd(),
        ];
  });
}
