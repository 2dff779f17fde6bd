import { isFolded } from '../../lib/alerts/isFolded';
import { news2LimitsOf } from '../../lib/alerts/limits';
import { news2ValuesOf, type News2Values } from '../../lib/alerts/news2Values';
import { news2RuleIds, news2RuleOf, withoutScore } from '../../lib/alerts/news2Rules';
import { idleNews2, newSaves, stepNews2 } from '../../lib/alerts/stepNews2';
import { noNews2Because } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import { parseInstant } from '../../lib/time/parseInstant';
import { news2 } from '../../lib/vitals/news2';
import { news2Kinds } from '../../lib/vitals/news2Kinds';
import type { LatestValue, LatestValues } from '../../lib/vitals/schema';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { presentPatient, presentTyped } from '../patients/queries';
import { manualSource, patientSource } from '../vitals/manualSource';
import { isHeld, type PatientRuleState } from './patientRuleState';
import { applyEpisode, closeAll, noSamples, type ChangeContext } from './subject';

/** What the rules evaluate of a patient. `isScored`: NEWS2 applies; otherwise single values alone count. */
export type ScoreFacts = { values: News2Values; isScored: boolean } | 'under_16';

/** A typed value that is not older than the shown one by more is one of the present, in milliseconds. */
const asNewMs = 60_000;

/**
 * Returns the score of a patient at `at` (epoch milliseconds) as the rules evaluate it. `isSave`: somebody has just
 * typed values in, which count although a monitor may show others (clinical.md section 0, Q1).
 */
export function scoreFactsOf(
  liveState: LiveState,
  row: PatientRow,
  at: EpochMs,
  timeZone: string,
  { isSave = false } = {},
): ScoreFacts {
  const patient = presentPatient(liveState, row, at);
  const noScore = noNews2Because(patient, at, timeZone);
  if (noScore === 'under_16') {
    return noScore;
  }
  const latest = isSave ? withTyped(liveState, row, patient.latest, at) : patient.latest;
  const score = news2(latest, row.spo2_scale, at);
  return { values: news2ValuesOf(score, latest, [manualSource, patientSource]), isScored: noScore === null };
}

/** Returns the values with typed ones in the place of those that are no worse for the score. */
function withTyped(liveState: LiveState, row: PatientRow, shown: LatestValues, at: EpochMs): LatestValues {
  const leastOf = (values: LatestValues): number => news2(values, row.spo2_scale, at).range[0];
  const asOf = (value: LatestValue | undefined): EpochMs => parseInstant(value?.asOf ?? '') ?? -Infinity;
  return Object.entries(presentTyped(liveState, row, news2Kinds)).reduce<LatestValues>((latest, [kind, value]) => {
    const before = Object.entries(latest).find(([known]) => known === kind)?.[1];
    const after = { ...latest, [kind]: value };
    return asOf(value) >= asOf(before) - asNewMs && leastOf(after) >= leastOf(latest) ? after : latest;
  }, shown);
}

/**
 * Evaluates the score of a monitored patient. Its alert is held back in standby, and while other alerts explain it
 * (clinical.md section 0, N2).
 */
export function applyNews2(patient: PatientRuleState, facts: ScoreFacts, context: ChangeContext): PatientRuleState {
  if (facts === 'under_16' || patient.isComfortCare) {
    const closed = closeAll(patient, ['news2'], patient.isComfortCare ? 'comfort care' : 'does not apply', context);
    return closed.news2 === idleNews2 ? closed : { ...closed, news2: idleNews2 };
  }
  const { isComfortCare, holding, row } = patient;
  const { values, isScored } = facts;
  const ofPatient = news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare });
  const limits = isScored ? ofPatient : withoutScore(ofPatient);
  const state = stepNews2(patient.news2, values, limits, context.now);
  const after = state === patient.news2 ? patient : { ...patient, news2: state };
  const { episode } = state;
  const rule = news2RuleIds.find((id) => id === episode?.rule);
  const alerts = Object.fromEntries(Object.values(after.records).map(({ alert }) => [alert.parameter, alert]));
  const isOfSum = rule !== undefined && news2RuleOf(rule).part === null;
  const isExplained = episode !== null && isOfSum && isFolded(state.held, episode.priority, alerts);
  // A person who saves such values is at the bedside (section 0, Y2). What was saved before a standby is held by it.
  const since = holding.standby?.startedAt ?? 0;
  const saves = newSaves(patient.news2, values).filter((name) => (values.parts[name]?.at ?? 0) >= since);
  const isSaved = episode?.priority === 'high' && saves.length > 0;
  // Also if nothing changes: what held it back may be over.
  return applyEpisode(after, 'news2', episode, context, {
    isHeld: isExplained || (!isSaved && isHeld(patient, context.now)),
    evidence: () => ({ ...noSamples(), limits: rule === undefined ? null : limits[rule] }),
  });
}
