import { continuousRules } from './continuousRules';
import { isMoreUrgent, type Priority } from './priority';

const order: readonly string[] = Object.keys(continuousRules);

/** A desaturation is worse than a low value although both are HIGH: within a priority the order of the table counts. */
export function isMoreUrgentRule(
  a: { rule: string; priority: Priority },
  than: { rule: string; priority: Priority },
): boolean {
  return a.priority === than.priority
    ? order.indexOf(a.rule) < order.indexOf(than.rule)
    : isMoreUrgent(a.priority, than.priority);
}
