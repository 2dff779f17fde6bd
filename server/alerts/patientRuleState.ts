import { isInComfortCare, isInStandby } from '../../lib/alerts/pauses';
import { createRuleState, plansOf, type Plans, type RuleState } from '../../lib/alerts/ruleState';
import type { SpotCheck } from '../../lib/alerts/spotCheck';
import type { SpotParameter } from '../../lib/alerts/spotRules';
import { idleNews2, type News2State } from '../../lib/alerts/stepNews2';
import type { StoredRuleState } from '../../lib/alerts/storedRuleState';
import { isChild } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { Holding } from './holding';
import type { Subject } from './subject';

/** The rules' state for a patient. Immutable. */
export interface PatientRuleState extends Subject {
  patientId: number;
  /** The row that the plans were made from. */
  row: PatientRow;
  holding: Holding;
  /** How often each kind is expected, in milliseconds, as the plans were made. */
  every: Readonly<Partial<Record<VitalKind, number>>>;
  evaluatesTrends: boolean;
  isComfortCare: boolean;
  /** Under 16: the limits of adults' rates do not apply. */
  isUnder16: boolean;
  plans: Plans;
  /** For continuous monitoring. */
  ruleState: RuleState;
  /** For a patient at home. */
  spots: Readonly<Partial<Record<SpotParameter, SpotCheck>>>;
  news2: News2State;
  /** Signals that were last seen before this are not missed: their device was taken off. Epoch milliseconds. */
  signalsFrom: EpochMs;
  /** When streams and readings were last reset, and up to when red flags are answered, epoch milliseconds. */
  resetAt: StoredRuleState['resetAt'];
}

/** Returns the state of a patient before any sample. `now` is epoch milliseconds. */
export function createPatientRuleState(
  row: PatientRow,
  holding: Holding,
  pace: Pick<PatientRuleState, 'every' | 'evaluatesTrends'>,
  now: EpochMs,
): PatientRuleState {
  const setting = {
    row,
    holding,
    ...pace,
    isComfortCare: isInComfortCare(holding.comfortCare, now),
    isUnder16: isChild(row.date_of_birth, now, holding.timeZone),
  };
  const plans = makePlans(setting);
  return {
    ...setting,
    siteId: row.site_id,
    patientId: row.id,
    deviceId: null,
    profile: row.profile,
    records: {},
    technical: {},
    kept: [],
    plans,
    ruleState: createRuleState(plans),
    spots: {},
    news2: idleNews2,
    signalsFrom: 0,
    resetAt: {},
  };
}

type Setting = Pick<PatientRuleState, 'row' | 'holding' | 'every' | 'evaluatesTrends' | 'isComfortCare' | 'isUnder16'>;

function makePlans({ row, holding, every, evaluatesTrends, isComfortCare, isUnder16 }: Setting): Plans {
  return plansOf({
    scale: row.spo2_scale,
    limits: holding.limits,
    isComfortCare,
    childLimits: isUnder16 ? holding.ownLimits : null,
    expectedEveryMs: (kind) => every[kind] ?? kinds[kind].expectedEveryMs,
    evaluatesTrends,
  });
}

/** Returns the state with changed settings, and with the source that counts as its alert says. */
export function withSetting(patient: PatientRuleState, change: Partial<Setting>): PatientRuleState {
  const setting = { ...patient, ...change };
  const plans = makePlans(setting);
  const oxygenation = { ...plans.oxygenation, settled: setting.records.spo2?.alert.settled };
  return { ...setting, profile: setting.row.profile, plans: { ...plans, oxygenation } };
}

export const isHeld = ({ holding }: PatientRuleState, now: EpochMs): boolean => isInStandby(holding.standby, now);
