import { desatBelow, type LimitValues } from './limits';
import { ruleNames } from './ruleNames';

/** Returns the limit that follows that of low SpO2, and has none of its own: "SpO2 very low: < 78, at once". */
export function desatWords(rule: string, holds: LimitValues | null): string | null {
  const low = holds?.low ?? null;
  return rule !== 'spo2.low' || low === null ? null : `${ruleNames['spo2.desat']}: < ${low - desatBelow}, at once`;
}
