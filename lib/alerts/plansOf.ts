import type { AssignmentRole } from '../assignments/roles';
import type { EscalationPlans, EscalationStep } from './escalation';
import { defaultEscalationTimes, type EscalationTimes, type PlanName } from './escalationTimes';
import { isTechnical, type Parameter } from './parameters';

type Asked = Omit<EscalationStep, 'afterMs'>;

/**
 * Whom each step of a plan asks: the table "Escalation" of clinical.md section 3; `score`: section 0, N1; the whole
 * unit at the end: section 00, A2. A person calls the contact (A10).
 */
export const askedByPlan: Readonly<Record<PlanName, readonly Asked[]>> = {
  high: [
    { roles: ['nurse'] },
    { roles: ['buddy', 'charge_nurse'] },
    { roles: ['on_call_physician'], wholeUnit: true },
    { roles: ['charge_nurse'], wholeUnit: true, contact: 'rapid_response' },
  ],
  medium: [
    { roles: ['nurse'] },
    { roles: ['buddy'] },
    { roles: ['charge_nurse'] },
    { roles: ['on_call_physician'], wholeUnit: true },
  ],
  // The score asks for a team and not for seconds.
  score: [
    { roles: ['nurse'] },
    { roles: ['charge_nurse'] },
    { roles: ['on_call_physician'] },
    { roles: ['charge_nurse'], wholeUnit: true, contact: 'rapid_response' },
  ],
  homeHigh: [
    { roles: ['duty_clinician'] },
    { roles: ['ward_lead'] },
    { roles: ['on_call_physician'] },
    { roles: ['ward_lead', 'duty_clinician'], wholeUnit: true, contact: 'emergency_protocol' },
  ],
  homeMedium: [
    { roles: ['duty_clinician'] },
    { roles: ['ward_lead'] },
    { roles: ['on_call_physician'], wholeUnit: true },
  ],
  // No one at first: the worklist only.
  homeLow: [{ roles: [] }, { roles: ['ward_lead'] }],
};

const asks = (minutes: number, role: AssignmentRole): EscalationStep => ({ afterMs: minutes * 60_000, roles: [role] });

/** Plans about what the ward did itself; a site does not set their times. */
const ofTheWard: Partial<Record<Parameter, Partial<EscalationPlans>>> = {
  // The nurse at the bedside has started it, so the first one asked is another (clinical.md section 0, B1).
  standby: { medium: [asks(0, 'charge_nurse'), asks(30, 'on_call_physician')] },
  // It is over, and no one was there (section 00, A7).
  outOfReach: { medium: [asks(0, 'nurse'), asks(15, 'charge_nurse')] },
  limits: { medium: [asks(0, 'ward_lead'), asks(30, 'on_call_physician')] },
  // Who was to receive it did not (clinical.md section 5).
  handoff: { low: [asks(0, 'ward_lead')] },
  // Everyone in the unit looks; who answers S1 within 15 min (clinical.md section 5) is asked by name before that.
  report: {
    high: [{ ...asks(0, 'charge_nurse'), wholeUnit: true }, asks(5, 'ward_lead'), asks(15, 'on_call_physician')],
  },
};

/** Returns whether alerts about a parameter follow plans of their own, which ask no one again. */
export const hasOwnPlans = (parameter: Parameter): boolean => ofTheWard[parameter] !== undefined;

/**
 * Returns the escalation plan of each priority for alerts about a parameter of a patient with this profile, with a
 * site's times. Help outside is called for a patient alone, and never in comfort care (section 00, A10). A MEDIUM alert
 * about equipment never asks the whole unit (A2).
 */
export function plansOf(
  profile: 'continuous' | 'home',
  parameter: Parameter,
  times: EscalationTimes,
  isComfortCare = false,
): EscalationPlans {
  const usual: EscalationPlans =
    profile === 'home'
      ? { high: planOf('homeHigh', times), medium: planOf('homeMedium', times), low: planOf('homeLow', times) }
      : // LOW is on the worklist only.
        { high: planOf('high', times), medium: planOf('medium', times), low: [] };
  const plans = {
    ...usual,
    ...(parameter === 'news2' ? { high: planOf('score', times) } : {}),
    ...ofTheWard[parameter],
  };
  const isOfPatient = !isTechnical(parameter);
  const within = ({ contact: _, ...step }: EscalationStep): EscalationStep => step;
  const byName = ({ afterMs, roles }: EscalationStep): EscalationStep => ({ afterMs, roles });
  return {
    high: isOfPatient && !isComfortCare ? plans.high : plans.high.map(within),
    medium: isOfPatient ? plans.medium : plans.medium.map(byName),
    low: plans.low,
  };
}

function planOf(name: PlanName, { steps }: EscalationTimes): EscalationStep[] {
  return askedByPlan[name].map((asked, step) => ({
    ...asked,
    // Times that an older release stored may have fewer steps.
    afterMs: step === 0 ? 0 : (steps[name][step - 1] ?? defaultEscalationTimes.steps[name][step - 1] ?? 0) * 1_000,
  }));
}
