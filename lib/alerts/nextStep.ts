import type { AskedStep, EscalationPlans, EscalationStep } from './escalation';
import type { Priority } from './priority';

/** Returns the time of a plan between a step and the one before it, in milliseconds; null if there is none. */
export function intervalTo(plan: readonly EscalationStep[], step: number): number | null {
  const next = plan[step];
  return next === undefined ? null : next.afterMs - (plan[step - 1]?.afterMs ?? 0);
}

/** Returns the first step of a plan with someone who was not asked; its length if there is none. */
export function nextStep(plans: EscalationPlans, priority: Priority, asked: readonly AskedStep[]): number {
  const plan = plans[priority];
  const open = plan.findIndex((each, step) => {
    const isOwn = asked.some((one) => one.priority === priority && one.step === step);
    return !isOwn && !wasAsked(each, asked);
  });
  return open === -1 ? plan.length : open;
}

function wasAsked({ roles, wholeUnit, contact }: EscalationStep, asked: readonly AskedStep[]): boolean {
  return (
    asked.length > 0 &&
    roles.every((role) => asked.some(({ to }) => to.roles.includes(role))) &&
    (wholeUnit === undefined || asked.some(({ to }) => to.wholeUnit)) &&
    (contact === undefined || asked.some(({ to }) => to.contact === contact))
  );
}
