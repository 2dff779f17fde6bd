import { continuousRules } from './continuousRules';
import { isWorse, type Level } from './level';

const order: readonly string[] = Object.keys(continuousRules);

/** A desaturation is worse than a low value although both are HIGH: within a level the order of the table counts. */
export function isWorseRule(a: { rule: string; level: Level }, than: { rule: string; level: Level }): boolean {
  return a.level === than.level ? order.indexOf(a.rule) < order.indexOf(than.rule) : isWorse(a.level, than.level);
}
