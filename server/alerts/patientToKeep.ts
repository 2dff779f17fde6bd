import { streamStatesToKeep } from '../../lib/alerts/ruleState';
import { spotToKeep, type SpotFold } from '../../lib/alerts/spotCheck';
import { spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import type { StoredRuleState } from '../../lib/alerts/storedRuleState';
import { toKeep } from '../../lib/alerts/stream';
import type { PatientRuleState } from './patientRuleState';

/** Returns what the store keeps of a patient beside the alerts. */
export function storedRuleStateOf(patient: PatientRuleState): StoredRuleState {
  return {
    streams: streamStatesToKeep(patient.ruleState),
    spot: spotsToKeep(patient),
    technical: patient.technical,
    news2: patient.news2,
    signalsFrom: patient.signalsFrom,
    resetAt: patient.resetAt,
  };
}

/** Returns the same in parts, each the same object until it changes. Runs with every call of a device. */
export function partsOf({
  profile,
  ruleState,
  spots,
  technical,
  news2,
  signalsFrom,
  resetAt,
}: PatientRuleState): unknown[] {
  const parts: unknown[] = [
    toKeep(ruleState.oxygenation),
    toKeep(ruleState.rate),
    toKeep(ruleState.perfusion),
    technical,
    news2,
    signalsFrom,
    resetAt,
  ];
  if (profile === 'home') {
    for (const parameter of spotParameters) {
      const check = spots[parameter];
      if (check !== undefined) {
        parts.push(spotToKeep(check));
      }
    }
  }
  return parts;
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
