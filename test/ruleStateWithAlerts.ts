import type { Alert, AlertEvent } from '../lib/alerts/alert';
import type { Parameter } from '../lib/alerts/parameters';
import {
  createRuleState,
  evaluateSample as evaluate,
  raiseHeld as raise,
  type ParameterChange,
  type Plans,
  type RuleSample,
  type RuleState,
} from '../lib/alerts/ruleState';
import type { EpochMs } from '../lib/time/epochMs';

/** A rule state with the last alert of each parameter, which the server keeps in a patient's records. */
export interface RuleStateWithAlerts extends RuleState {
  alerts: Readonly<Partial<Record<Parameter, Alert>>>;
}

export interface Evaluated {
  ruleState: RuleStateWithAlerts;
  events: { parameter: Parameter; event: AlertEvent }[];
}

export function createWithAlerts(plans: Plans): RuleStateWithAlerts {
  return { ...createRuleState(plans), alerts: {} };
}

/** Evaluates a sample and takes over what it changes. */
export function evaluateSample(
  before: RuleStateWithAlerts,
  plans: Plans,
  sample: RuleSample,
  now: EpochMs,
  { isHeld }: { isHeld: boolean },
): Evaluated {
  const { alerts, ...streams } = before;
  const { ruleState, changes } = evaluate(streams, plans, sample, now, {
    isHeld,
    alertOf: (parameter) => alerts[parameter] ?? null,
  });
  return ruleState === streams ? { ruleState: before, events: [] } : withChanges({ ...ruleState, alerts }, changes);
}

export function raiseHeld(before: RuleStateWithAlerts, plans: Plans, now: EpochMs): Evaluated {
  return withChanges(
    before,
    raise(before, plans, now, { isHeld: false, alertOf: (parameter) => before.alerts[parameter] ?? null }),
  );
}

function withChanges(ruleState: RuleStateWithAlerts, changes: readonly ParameterChange[]): Evaluated {
  const changed = Object.fromEntries(changes.map(({ parameter, change }) => [parameter, change.alert]));
  return {
    ruleState: { ...ruleState, alerts: { ...ruleState.alerts, ...changed } },
    events: changes.flatMap(({ parameter, change }) => change.events.map((event) => ({ parameter, event }))),
  };
}
