import type { comboRule } from './combo';
import type { ContinuousRuleId } from './continuousRules';
import type { SymptomRuleId } from './judgeSymptoms';
import type { HomeRuleId, ReadingRuleId } from './spotCheck';
import type { TechnicalRuleId } from './technicalRules';

/** Every rule that an alert can be told by. */
export type RuleId =
  ContinuousRuleId | HomeRuleId | ReadingRuleId | SymptomRuleId | TechnicalRuleId | (typeof comboRule)['id'];
