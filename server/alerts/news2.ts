import { isFolded } from '../../lib/alerts/isFolded';
import { news2LimitsOf } from '../../lib/alerts/limits';
import { news2ValuesOf, type News2Values } from '../../lib/alerts/news2Values';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import { idleNews2, stepNews2 } from '../../lib/alerts/stepNews2';
import { patientNews2 } from '../../lib/patients/patientNews2';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { presentPatient } from '../patients/queries';
import { manualSource, patientSource } from '../vitals/manualSource';
import { isHeld, type PatientRuleState } from './patientRuleState';
import { applyEpisode, closeAll, type ChangeContext } from './subject';

/** The score of a patient as the rules evaluate it. */
export type ScoreFacts = News2Values | 'does_not_apply';

/** Returns the score of a patient at `at` (epoch milliseconds) as the rules evaluate it. */
export function scoreFactsOf(liveState: LiveState, row: PatientRow, at: EpochMs, timeZone: string): ScoreFacts {
  const patient = presentPatient(liveState, row, at);
  const score = patientNews2(patient, at, timeZone);
  return score === null ? 'does_not_apply' : news2ValuesOf(score, patient.latest, [manualSource, patientSource]);
}

/**
 * Evaluates the score of a monitored patient. Its alert is held back in standby, and while other alerts explain it
 * (clinical.md section 0, N2).
 */
export function applyNews2(patient: PatientRuleState, facts: ScoreFacts, context: ChangeContext): PatientRuleState {
  if (facts === 'does_not_apply' || patient.isComfortCare) {
    const closed = closeAll(patient, ['news2'], patient.isComfortCare ? 'comfort care' : 'does not apply', context);
    return closed.news2 === idleNews2 ? closed : { ...closed, news2: idleNews2 };
  }
  const { isComfortCare, holding, row } = patient;
  const limits = news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare });
  const news2 = stepNews2(patient.news2, facts, limits, context.now);
  const after = news2 === patient.news2 ? patient : { ...patient, news2 };
  const { episode } = news2;
  const alerts = Object.fromEntries(Object.values(after.records).map(({ alert }) => [alert.parameter, alert]));
  const isExplained = episode !== null && isFolded(news2.held, episode.priority, alerts);
  // Also if nothing changes: what held it back may be over.
  return applyEpisode(
    after,
    'news2',
    episode,
    {
      isHeld: isExplained || isHeld(patient, context.now),
      evidence: () => ({
        ruleVersion,
        limits: Object.entries(limits).find(([id]) => id === episode?.rule)?.[1] ?? null,
        samples: [],
      }),
    },
    context,
  );
}
