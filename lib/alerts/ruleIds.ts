import type { news2AggregateRule } from './news2Aggregate';
import type { StandbyRuleId } from './pauses';
import type { ContinuousRuleId } from './continuousRules';
import type { SymptomRuleId } from './evaluateSymptoms';
import type { HomeRuleId, ReadingRuleId } from './spotCheck';
import type { TechnicalRuleId } from './technicalRules';

/** Every rule that can raise an alert. */
export type RuleId =
  | ContinuousRuleId
  | HomeRuleId
  | ReadingRuleId
  | StandbyRuleId
  | SymptomRuleId
  | TechnicalRuleId
  | (typeof news2AggregateRule)['id'];
