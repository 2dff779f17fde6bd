import type { CheckInRuleId } from '../checkIn/checkInAlarms';
import type { HandoffRuleId } from '../handoffs/unreceived';
import type { ReportRuleId } from '../reports/reportAlarm';
import type { LimitsRuleId } from './limits';
import type { News2RuleId } from './news2Rules';
import type { OutOfReachRuleId } from './outOfReach';
import type { StandbyRuleId } from './pauses';
import type { ContinuousRuleId } from './continuousRules';
import type { SymptomRuleId } from './evaluateSymptoms';
import type { HomeRuleId, ReadingRuleId } from './spotCheck';
import type { TechnicalRuleId } from './technicalRules';

/** Every rule that can raise an alert. */
export type RuleId =
  | CheckInRuleId
  | ContinuousRuleId
  | HandoffRuleId
  | HomeRuleId
  | LimitsRuleId
  | OutOfReachRuleId
  | ReadingRuleId
  | ReportRuleId
  | StandbyRuleId
  | SymptomRuleId
  | TechnicalRuleId
  | News2RuleId;
