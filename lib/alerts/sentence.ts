import type { Alert } from './alert';
import type { Evidence } from './evidence';
export function sentenceOf(alert: Alert, evidence: Evidence, where: { now: number; timeZone: string }): string {
  return `${alert.rule} ${String(evidence.ruleVersion)} ${where.timeZone}`;
}
