import type { CompiledQuery } from 'kysely';
import { arrivedTooLate } from '../../lib/alerts/retrospective';
import { violatesSome, type RuleSample } from '../../lib/alerts/ruleState';
import { groupBy } from '../../lib/groupBy';
import type { EpochMs } from '../../lib/time/epochMs';
import { kindOfCode } from '../../lib/vitals/kinds';
import type { Sample } from '../vitals/sample';
import { isSourceEvaluated } from '../vitals/shownSource';
import type { AlertState } from './alertState';
import { noWrites, queriesOf, queueRetrospective, type AlertRecord, type AlertWrites } from './alertWrites';
import { applySamples } from './applySamples';
import { evaluatePatientAlone, type Run } from './evaluateAlone';
import { ruleSampleOf } from './loadRuleStates';
import { withPace } from './pace';
import { withoutNamed } from './retrospective';
import type { PatientRuleState } from './patientRuleState';
import { RuleStates } from './ruleStates';
import type { ChangeContext } from './subject';

/**
 * The result of evaluating a call: the statements for its transaction, and how to publish the result after the commit.
 */
export interface CallEvaluation {
  queries: CompiledQuery[];
  accept(): void;
}

/** The evaluation of a transaction of ingest. Its results count only after `settle`. */
export interface Evaluation {
  /**
   * Evaluates the new and corrected samples of one call. `withdrawnAt`: they are withdrawn at this time; null: they
   * arrived.
   */
  evaluate(
    samples: readonly Sample[],
    written: readonly ('new' | 'duplicate' | 'correction')[],
    withdrawnAt: EpochMs | null,
  ): CallEvaluation;
  /** Publishes the results of a committed transaction. */
  settle(): void;
}

export function beginEvaluation(state: AlertState): Evaluation {
  const states = new RuleStates(state.committed);
  const changed = new Map<number, AlertRecord>();
  return {
    evaluate: (samples, written, withdrawnAt) => {
      const ofCall = new RuleStates(states);
      const writes = noWrites();
      evaluateSamples(state, ofCall, samples, written, withdrawnAt, writes);
      return {
        queries: queriesOf(state.store.db, writes),
        accept: () => {
          ofCall.settle();
          for (const [id, record] of writes.records) {
            changed.set(id, record);
          }
        },
      };
    },
    settle: () => {
      state.settle(states, changed.values());
    },
  };
}

/** Evaluates samples of one call that the store did not take: none of them came too late to sound. */
export function judgeUnstored(state: AlertState, samples: readonly Sample[]): void {
  state.judgeUnstored((states, writes) => {
    evaluateSamples(
      state,
      states,
      samples,
      samples.map(() => 'new'),
      null,
      writes,
    );
  });
}

/** Evaluates the new and corrected samples of one call. */
function evaluateSamples(
  state: AlertState,
  states: RuleStates,
  samples: readonly Sample[],
  written: readonly string[],
  withdrawnAt: EpochMs | null,
  writes: AlertWrites,
): void {
  const [first] = samples;
  if (first === undefined) {
    return;
  }
  const fresh = samples.filter((_, index) => written[index] !== 'duplicate');
  const byPatient = groupBy(fresh, ({ patientId }) => patientId);
  // The samples of a call arrived together.
  const run: Run = { state, states, writes, at: withdrawnAt ?? first.receivedAt };
  for (const [patientId, ofPatient] of byPatient) {
    evaluatePatientAlone(run, patientId, 'samples', (known, context) => takeSamples(state, known, ofPatient, context));
  }
}

/** Takes a patient's samples of one call, and queues those that came too late. */
function takeSamples(
  state: AlertState,
  known: PatientRuleState,
  samples: readonly Sample[],
  context: ChangeContext,
): PatientRuleState {
  const { liveState } = state;
  let patient = known;
  const counted: RuleSample[] = [];
  for (const sample of samples) {
    const kind = kindOfCode(sample.kind);
    const isEarlier = liveState.isEarlier(sample.deviceId);
    // On the ward the rules themselves decide which of several devices is evaluated.
    if (known.profile === 'continuous' || isSourceEvaluated(liveState, known.row, kind, sample)) {
      patient = isEarlier ? patient : withPace(liveState, patient, kind, sample.deviceId);
      const watched = ruleSampleOf(liveState, sample);
      if (!isEarlier) {
        counted.push(watched);
      }
      const corrected = withoutNamed(patient, watched, context);
      const isLate = arrivedTooLate(watched.measuredAt, sample.receivedAt);
      if (corrected !== patient || (isLate && isToBeEvaluated(state, patient, watched))) {
        queueRetrospective(context.writes, sample);
      }
      patient = corrected;
    }
  }
  return counted.length === 0 && patient === known ? known : applySamples(patient, counted, context);
}

/**
 * Returns whether a late value could have raised something: a normal night that is sent in the morning costs nothing.
 */
function isToBeEvaluated({ people }: AlertState, patient: PatientRuleState, sample: RuleSample): boolean {
  return (
    patient.profile === 'continuous' &&
    sample.measuredAt >= people.raisesFrom(patient) &&
    violatesSome(patient.plans, sample)
  );
}
