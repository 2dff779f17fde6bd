import { spotToKeep, type SpotFold } from '../../lib/alerts/spotCheck';
import { spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { writeRuleState } from '../../lib/alerts/storedRuleState';
import { storedStreamOf } from '../../lib/alerts/storedStream';
import { toKeep } from '../../lib/alerts/stream';
import { byStream, streamNames } from '../../lib/alerts/streams';
import type { PatientRuleState } from './patientRuleState';

/** Returns what the store keeps of a patient beside the alerts, as JSON. */
export function patientToKeep(patient: PatientRuleState): string {
  const { ruleState, technical, news2, signalsFrom, resetAt } = patient;
  return writeRuleState({
    streams: byStream((name) => storedStreamOf(name, toKeep(ruleState[name]))),
    spot: spotsToKeep(patient),
    technical,
    news2,
    signalsFrom,
    resetAt,
  });
}

/** Returns the same in parts, each the same object until it changes. Runs with every call of a device. */
export function partsOf(patient: PatientRuleState): unknown[] {
  const { profile, ruleState, technical, news2, signalsFrom, resetAt } = patient;
  const parts: unknown[] = [technical, news2, signalsFrom, resetAt];
  for (const name of streamNames) {
    parts.push(toKeep(ruleState[name]));
  }
  return profile === 'home' ? [...parts, ...Object.values(spotsToKeep(patient))] : parts;
}

function spotsToKeep({ spots }: PatientRuleState): Partial<Record<SpotParameter, SpotFold>> {
  const kept: Partial<Record<SpotParameter, SpotFold>> = {};
  for (const parameter of spotParameters) {
    const check = spots[parameter];
    if (check !== undefined) {
      kept[parameter] = spotToKeep(check);
    }
  }
  return kept;
}
