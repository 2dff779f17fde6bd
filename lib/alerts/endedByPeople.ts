import { callRequestedRule, linkLockedRule, linkMisusedRule } from '../checkIn/checkInAlarms';
import { reportAlarmRule } from '../reports/reportAlarm';
import { amberRule, redFlagRule } from './evaluateSymptoms';
import { noMonitorRule, unreadableAlert } from './technicalRules';

/**
 * The rules whose alerts a person ends by resolving them. Nothing else ends a red flag (clinical.md section 0, Y1), a
 * request for a call, or an alert that could not be read. One of an issue report ends with the report's triage as well,
 * one of a locked check-in link with a new link, one of a missing monitor with the next that is assigned.
 */
export const endedByPeople: ReadonlySet<string> = new Set([
  redFlagRule,
  amberRule,
  callRequestedRule.rule,
  linkLockedRule.rule,
  linkMisusedRule.rule,
  unreadableAlert.rule,
  reportAlarmRule.rule,
  noMonitorRule.rule,
]);
