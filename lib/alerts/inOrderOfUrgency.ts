import { firstDifference } from '../sortOrder';
import type { EpochMs } from '../time/epochMs';
import type { Alert } from './alert';
import { isTechnical, type Parameter } from './parameters';
import { priorities, type Priority } from './priority';
import type { RuleId } from './ruleNames';

/** What decides the place of an alert in every list. */
export interface RankedAlert {
  id: number;
  parameter: Parameter;
  rule: string;
  priority: Priority;
  condition: Alert['condition'];
  /** A user has accepted it. */
  isOwned: boolean;
  /** The ECG shows hardly any beat: more severe than any other rule. */
  isAsystole: boolean;
  escalationStep: number;
  lastRaisedAt: EpochMs;
}

/** The rules that are more severe than others of their priority, the most severe first. */
const severe = [
  'spo2.desat',
  'symptoms.red_flag',
  'symptoms.callRequested',
  'hr.extreme',
  'spo2.low',
  'home.spo2.red',
] as const satisfies readonly RuleId[];

/**
 * Compares two alerts (clinical.md section 0, E8): HIGH and MEDIUM before LOW; then those that no one has accepted, the
 * priority, patients before equipment, active ones, the severity of the rule, how far it was escalated, and the one
 * that was raised or upgraded last.
 */
export function inOrderOfUrgency(a: RankedAlert, b: RankedAlert): number {
  const [ofA, ofB] = [placeOf(a), placeOf(b)];
  return firstDifference(
    Number(ofA === 'low') - Number(ofB === 'low'),
    Number(a.isOwned) - Number(b.isOwned),
    priorities.indexOf(ofA) - priorities.indexOf(ofB),
    Number(isTechnical(a.parameter)) - Number(isTechnical(b.parameter)),
    Number(b.condition === 'active') - Number(a.condition === 'active'),
    severityOf(a) - severityOf(b),
    b.escalationStep - a.escalationStep,
    b.lastRaisedAt - a.lastRaisedAt,
    b.id - a.id,
  );
}

/** A poor signal comes after what is beyond its limits (clinical.md section 00, A11). */
const placeOf = ({ rule, priority }: RankedAlert): Priority => (rule === 'sensor.poor' ? 'low' : priority);

/** Returns the place of a rule among those of its priority; the most severe has the lowest. */
export function severityOf({ rule, isAsystole }: Pick<RankedAlert, 'rule' | 'isAsystole'>): number {
  const index = severe.findIndex((known) => known === rule);
  return isAsystole ? -1 : index === -1 ? severe.length : index;
}
