import type { Evidence } from '../../lib/alerts/evidence';
import { inOrderOfMeasuring } from '../../lib/alerts/inOrderOfMeasuring';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import type { RuleSample } from '../../lib/alerts/ruleState';
import {
  counts,
  createSpotCheck,
  evaluateLastAgain,
  evaluateMissedReadings,
  spotCheckAt,
  takeReading,
  takeReadings,
  withdrawReading,
  type Reading,
  type SpotCheck,
  type SpotSetting,
} from '../../lib/alerts/spotCheck';
import { spotLimits, spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { newestEntries } from '../../lib/alerts/window';
import { evaluateMissedCheckIns } from '../../lib/checkIn/missedCheckIns';
import { hasSignal, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import { roundVital } from '../../lib/vitals/roundVital';
import type { ClockFacts } from './clockFacts';
import { isHeld, type PatientRuleState } from './patientRuleState';
import { applyActive, applyEpisode, type ChangeContext } from './subject';

/** The readings at home that a rule evaluates. */
export const spotSources: Partial<Record<VitalKind, { parameter: SpotParameter; source: number }>> = {
  spo2: { parameter: 'spo2', source: 0 },
  heartRate: { parameter: 'rate', source: 0 },
  pulseRate: { parameter: 'rate', source: 1 },
  respiratoryRate: { parameter: 'respiratoryRate', source: 0 },
  temperature: { parameter: 'temperature', source: 0 },
  weight: { parameter: 'weight', source: 0 },
};

/** Returns the reading that a sample of a patient at home is; null if no rule evaluates it there. */
export function readingOf({
  kind,
  value,
  quality,
  measuredAt,
  deviceId,
  isWithdrawn,
}: RuleSample): { parameter: SpotParameter; reading: Reading } | null {
  const position = spotSources[kind];
  if (position === undefined || !hasSignal(kind, value) || (quality === 'invalid' && isWithdrawn !== true)) {
    return null;
  }
  const { parameter, source } = position;
  return {
    parameter,
    reading: {
      at: measuredAt,
      source,
      deviceId,
      value: roundVital(kind, value),
      ...(isWithdrawn === undefined ? {} : { isWithdrawn }),
    },
  };
}

/**
 * Takes samples of a patient at home that arrived together, whatever their order: those before readings that were taken
 * already at once, the others one after another.
 */
export function takeHomeSamples(
  patient: PatientRuleState,
  samples: readonly RuleSample[],
  context: ChangeContext,
): PatientRuleState {
  const placed = samples.flatMap((sample) => readingOf(sample) ?? []);
  const parameters = new Set(placed.map(({ parameter }) => parameter));
  let after = patient;
  for (const parameter of parameters) {
    const readings = placed.flatMap((one) => (one.parameter === parameter ? [one.reading] : []));
    const setting = spotSetting(after, parameter);
    const checkOf = ({ spots }: PatientRuleState): SpotCheck => spots[parameter] ?? createSpotCheck();
    const take = (change: (check: SpotCheck) => SpotCheck): void => {
      const before = checkOf(after);
      const check = change(before);
      if (check !== before) {
        after = applyReadings({ ...after, spots: { ...after.spots, [parameter]: check } }, parameter, context);
      }
    };
    const newestAt = checkOf(after).head.lastAt;
    const counted = readings.filter(counts);
    const behind = counted.filter(({ at }) => at < newestAt);
    take((check) => takeReadings(check, setting, behind, context.now));
    // One after another: a red one is raised though the next one is well.
    for (const reading of counted.filter(({ at }) => at >= newestAt).sort(inOrderOfMeasuring)) {
      take((check) => takeReading(check, setting, reading, context.now));
    }
    for (const reading of readings.filter((one) => !counts(one))) {
      take((check) => withdrawReading(check, setting, reading));
    }
  }
  return after;
}

export const spotSetting = (
  { row, isUnder16 }: Pick<PatientRuleState, 'row' | 'isUnder16'>,
  parameter: SpotParameter,
): SpotSetting => ({
  parameter,
  scale: row.spo2_scale,
  baseline: null,
  isUnder16,
});

/** Evaluates the last SpO2 of a patient at home again, after their scale has changed. */
export function evaluateSpo2Again(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { spo2 } = patient.spots;
  if (spo2 === undefined) {
    return patient;
  }
  const after = evaluateLastAgain(spo2, spotSetting(patient, 'spo2'));
  return applyReadings({ ...patient, spots: { ...patient.spots, spo2: after } }, 'spo2', context);
}

function applyReadings(patient: PatientRuleState, parameter: SpotParameter, context: ChangeContext): PatientRuleState {
  const check = patient.spots[parameter];
  if (check === undefined) {
    return patient;
  }
  const { episode, priority } = spotCheckAt(check, spotSetting(patient, parameter), context.now);
  const limits = spotLimits(parameter, patient.row.spo2_scale, priority);
  return applyEpisode(patient, parameter, episode, context, {
    // A red value is never held back (clinical.md section 0, Y2).
    isHeld: priority !== 'high' && isHeld(patient, context.now),
    evidence: () => ({ ruleVersion, limits, samples: readingsOf(check, parameter) }),
  });
}

/** How many readings an alert keeps as evidence. */
const readingsKept = 10;

function readingsOf(check: SpotCheck, parameter: SpotParameter): Evidence['samples'] {
  const { late, lastAt } = check.head;
  const inTime = newestEntries(check, readingsKept, counts).map((reading) => ({ reading, arrivedAt: undefined }));
  return (late?.reading.at === lastAt ? [late] : inTime).flatMap(
    ({ reading: { at, source, deviceId, value }, arrivedAt }) => {
      const [kind] = vitalKinds.filter(
        (one) => spotSources[one]?.parameter === parameter && spotSources[one].source === source,
      );
      const sample = { value, measuredAt: at, deviceId, isDoubtful: false };
      return kind === undefined ? [] : [{ kind, ...sample, ...(arrivedAt === undefined ? {} : { arrivedAt }) }];
    },
  );
}

/** Evaluates by the clock what is measured at home: second readings that did not arrive, and missed ones. */
export function evaluateHome(patient: PatientRuleState, facts: ClockFacts, context: ChangeContext): PatientRuleState {
  let after = patient;
  for (const parameter of spotParameters) {
    after = applyReadings(after, parameter, context);
  }
  const { linkUntil, reportedAt } = patient.holding.checkIn;
  const lastReadingAt = Math.max(facts.lastReadingAt, patient.resetAt.readings ?? 0);
  const lastHeardAt = Math.max(lastReadingAt, reportedAt ?? 0);
  // Who has a link checks in at the times of the site, with or without readings.
  const missed =
    linkUntil !== null && context.now < linkUntil
      ? evaluateMissedCheckIns(lastHeardAt, facts.dueTimes, context.now)
      : evaluateMissedReadings(lastHeardAt, facts.readingsEveryMs, context.now);
  return applyActive(after, 'readings', [missed], context, { isHeld: isHeld(patient, context.now) });
}
