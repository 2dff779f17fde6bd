import type { SiteEscalation } from '../lib/alerts/escalate';
import { recipientsOf, type EscalationPlans, type EscalationStep, type Recipients } from '../lib/alerts/escalation';
import { defaultEscalationTimes, type EscalationTimes } from '../lib/alerts/escalationTimes';
import { plansOf } from '../lib/alerts/plansOf';

/** The plans of a ward with the default times. */
export const wardPlans = plansOf('continuous', 'spo2', defaultEscalationTimes);

const everyoneIsPresent = { isPresent: () => true, widen: (to: Recipients) => to };

/** What escalation needs for a patient of a site with the default times, without anyone on duty unless given. */
export function siteEscalation(
  profile: 'continuous' | 'home' = 'continuous',
  askedBy: (step: EscalationStep) => Recipients = (step) => recipientsOf(step, []),
  presence: Pick<SiteEscalation, 'isPresent' | 'widen'> = everyoneIsPresent,
): SiteEscalation {
  // A life asks at every second for the same times.
  const known = new WeakMap<EscalationTimes, EscalationPlans>();
  return {
    unitId: 1,
    isAsystole: false,
    times: defaultEscalationTimes,
    plansOf: (times) => {
      const plans = known.get(times) ?? plansOf(profile, 'spo2', times);
      known.set(times, plans);
      return plans;
    },
    recipientsOf: askedBy,
    ...presence,
  };
}
