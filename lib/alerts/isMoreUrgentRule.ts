import { continuousRules } from './continuousRules';
import { news2RuleIds } from './news2Rules';
import { isMoreUrgent, type Priority } from './priority';

const order: readonly string[] = [...Object.keys(continuousRules), ...news2RuleIds];

/**
 * Returns whether one rule is more urgent than another. Within a priority the order of the table decides: a
 * desaturation is more urgent than a low value although both are HIGH.
 */
export function isMoreUrgentRule(
  a: { rule: string; priority: Priority },
  than: { rule: string; priority: Priority },
): boolean {
  return a.priority === than.priority
    ? order.indexOf(a.rule) < order.indexOf(than.rule)
    : isMoreUrgent(a.priority, than.priority);
}
