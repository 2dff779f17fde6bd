import { escalationPlans, type EscalationPlans, type EscalationStep } from './escalation';
import type { Parameter } from './parameters';
import type { Priority } from './priority';

const minute = 60_000;

/** Plans of their own. Times are in milliseconds after the alert was raised. */
const ofParameters: Partial<Record<Parameter, Partial<Record<Priority, readonly EscalationStep[]>>>> = {
  // The score asks for a team and not for seconds (clinical.md section 0, N1).
  news2: {
    high: [
      { afterMs: 0, roles: ['nurse'] },
      { afterMs: 5 * minute, roles: ['charge_nurse'] },
      { afterMs: 15 * minute, roles: ['on_call_physician'] },
      { afterMs: 30 * minute, roles: [], contact: 'rapid_response' },
    ],
  },
  // The nurse at the bedside has started it, so the first one asked is another (clinical.md section 0, B1).
  standby: {
    medium: [
      { afterMs: 0, roles: ['charge_nurse'] },
      { afterMs: 30 * minute, roles: ['on_call_physician'] },
    ],
  },
  limits: {
    medium: [
      { afterMs: 0, roles: ['ward_lead'] },
      { afterMs: 30 * minute, roles: ['on_call_physician'] },
    ],
  },
};

/** Returns the escalation plan of each priority for alerts about a parameter of a patient with this profile. */
export function plansOf(profile: keyof typeof escalationPlans, parameter: Parameter): EscalationPlans {
  return { ...escalationPlans[profile], ...ofParameters[parameter] };
}
