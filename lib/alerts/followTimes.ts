import type { Escalation, EscalationPlans } from './escalation';
import type { EscalationTimes } from './escalationTimes';
import { intervalTo, nextStep } from './nextStep';
import { perPriority, type Priority } from './priority';

/**
 * Follows other times than before. Where they are shorter, what is awaited is due sooner by the difference: one new
 * interval after the step before it, and at the latest when it would be due for an alert that is raised now.
 */
export function followTimes(
  escalation: Escalation,
  times: EscalationTimes,
  plansOf: (times: EscalationTimes) => EscalationPlans,
): Escalation {
  const { times: known, leftMs, asked, priority, answerBy } = escalation;
  if (known === times) {
    return escalation;
  }
  if (known === null) {
    return { ...escalation, times };
  }
  const [before, after] = [plansOf(known), plansOf(times)];
  const shorterBy = (each: Priority, step: number): number =>
    (intervalTo(before[each], step) ?? 0) - (intervalTo(after[each], step) ?? 0);
  const leftOf = (each: Priority): number | null => {
    const step = nextStep(after, each, asked);
    const left = leftMs[each];
    const most = after[each][step]?.afterMs;
    return left === null || most === undefined ? left : Math.min(left - shorterBy(each, step), most);
  };
  return {
    ...escalation,
    times,
    leftMs: perPriority(leftOf),
    answerBy: answerBy === null ? null : answerBy - shorterBy(priority, 1),
  };
}
