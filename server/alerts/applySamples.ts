import type { RuleSample } from '../../lib/alerts/ruleState';
import { takeHomeSamples } from './home';
import { takeSamples } from './monitored';
import type { PatientRuleState } from './patientRuleState';
import type { ChangeContext } from './subject';

/**
 * Takes samples that arrived at `context.now`, in the order of the call, and returns the state after them: the same one
 * if they change nothing.
 */
export function applySamples(
  patient: PatientRuleState,
  samples: readonly RuleSample[],
  context: ChangeContext,
): PatientRuleState {
  return patient.profile === 'home'
    ? takeHomeSamples(patient, samples, context)
    : takeSamples(patient, samples, context);
}
