import { canEvaluateTrends } from '../../lib/alerts/technicalRules';
import { kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { isManual } from '../vitals/manualSource';
import { setEveryMs } from '../vitals/shownSource';
import { withSetting, type PatientRuleState } from './patientRuleState';

/** How often a patient's devices send each kind, and whether their clocks are good enough for a trend. */
export type Pace = Pick<PatientRuleState, 'every' | 'evaluatesTrends'>;

export function paceOf(liveState: LiveState, row: PatientRow): Pace {
  const every: Partial<Record<VitalKind, number>> = {};
  let evaluatesTrends = true;
  for (const [code, { sample }] of liveState.latestOf(row.id)) {
    const kind = kindOfCode(code);
    if (kinds[kind].continuous && !isManual(sample.deviceId)) {
      every[kind] = setEveryMs(liveState, row, kind, sample.deviceId);
      evaluatesTrends &&= canEvaluateTrends(sample.offsetMs);
    }
  }
  return { every, evaluatesTrends };
}

/** Takes over the pace of another device. */
export function withPace(
  liveState: LiveState,
  patient: PatientRuleState,
  kind: VitalKind,
  deviceId: number,
): PatientRuleState {
  if (isManual(deviceId) || !kinds[kind].continuous) {
    return patient;
  }
  const every = setEveryMs(liveState, patient.row, kind, deviceId);
  return patient.every[kind] === every ? patient : withSetting(patient, { every: { ...patient.every, [kind]: every } });
}

/** A clock that is far off is not good enough for a trend. */
export function withTrust(liveState: LiveState, patient: PatientRuleState, row: PatientRow): PatientRuleState {
  const { evaluatesTrends } = paceOf(liveState, row);
  return evaluatesTrends === patient.evaluatesTrends ? patient : withSetting(patient, { evaluatesTrends });
}
