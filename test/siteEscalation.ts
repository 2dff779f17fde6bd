import type { SiteEscalation } from '../lib/alerts/escalate';
import { recipientsOf, type EscalationStep, type Recipients } from '../lib/alerts/escalation';
import { defaultEscalationTimes } from '../lib/alerts/escalationTimes';
import { plansOf } from '../lib/alerts/plansOf';

/** The plans of a ward with the default times. */
export const wardPlans = plansOf('continuous', 'spo2', defaultEscalationTimes);

/** What escalation needs for a patient of a site with the default times, without anyone on duty unless given. */
export function siteEscalation(
  profile: 'continuous' | 'home' = 'continuous',
  askedBy: (step: EscalationStep) => Recipients = (step) => recipientsOf(step, []),
): SiteEscalation {
  return {
    times: defaultEscalationTimes,
    plansOf: (times) => plansOf(profile, 'spo2', times),
    recipientsOf: askedBy,
  };
}
