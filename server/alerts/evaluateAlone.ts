import type { EpochMs } from '../../lib/time/epochMs';
import type { Evaluating } from './alertFaults';
import { keep, type AlertState } from './alertState';
import { mergeWrites, noWrites, writesNothing, type AlertWrites } from './alertWrites';
import { createDeviceRuleState, type DeviceRuleState } from './deviceRuleState';
import { heartbeatSite } from './heartbeatPatient';
import { createPatientRuleState, type PatientRuleState } from './patientRuleState';
import type { RuleStates } from './ruleStates';
import { applyActive, escalateAll, type ChangeContext, type Subject } from './subject';

/** An evaluation of several subjects in one transaction. */
export interface Run {
  state: AlertState;
  states: RuleStates;
  writes: AlertWrites;
  /** When what is evaluated happened, epoch milliseconds. */
  at: EpochMs;
  /** What a subject writes, while that is nothing: it serves the next one, because nearly all write nothing. */
  unused?: ChangeContext | undefined;
}

/**
 * Evaluates a patient by itself, if rules apply. If that throws, nothing of it counts, the patient's state stays as it
 * was, and "rules failed for this patient" is raised: the others go on (clinical.md section 0, P1).
 */
export function evaluatePatientAlone(
  run: Run,
  patientId: number,
  evaluating: Evaluating,
  work: (patient: PatientRuleState, context: ChangeContext) => PatientRuleState,
): void {
  const { state, states } = run;
  const before = states.patient(patientId);
  evaluateAlone(run, { patientId, deviceId: null }, evaluating, before, {
    work: (context) => {
      const patient = state.patientIn(states, patientId, context);
      return patient === null ? null : work(patient, context);
    },
    bare: () => barePatient(run, patientId),
  });
}

/** Does the same for a patient to whom no rules apply any more. */
export function evaluateFormerPatientAlone(
  run: Run,
  former: PatientRuleState,
  work: (patient: PatientRuleState, context: ChangeContext) => PatientRuleState,
): void {
  const { patientId, deviceId } = former;
  evaluateAlone(run, { patientId, deviceId }, 'clock', former, {
    work: (context) => work(former, context),
    bare: () => former,
  });
}

/** Evaluates a device by itself, as `evaluatePatientAlone` does. */
export function evaluateDeviceAlone(
  run: Run,
  { siteId, deviceId }: Pick<DeviceRuleState, 'siteId' | 'deviceId'>,
  work: (device: DeviceRuleState, context: ChangeContext) => DeviceRuleState,
): void {
  const before = run.states.device(deviceId);
  const known = before ?? createDeviceRuleState(siteId, deviceId);
  evaluateAlone(run, { patientId: null, deviceId }, 'clock', known, {
    work: (context) => work(known, context),
    bare: () => known,
  });
}

function evaluateAlone<Of extends PatientRuleState | DeviceRuleState>(
  run: Run,
  subject: Pick<Subject, 'patientId' | 'deviceId'>,
  evaluating: Evaluating,
  before: Of | undefined,
  { work, bare }: { work: (context: ChangeContext) => Of | null; bare: () => Of | null },
): void {
  const { state, states, writes, at } = run;
  const { faults } = state;
  const context = run.unused ?? state.contextAt(at, noWrites());
  run.unused = undefined;
  try {
    const evaluated = work(context);
    faults.passed(subject, evaluating);
    if (evaluated === null) {
      return;
    }
    const isOver = evaluated.technical.rules?.endedAt === null && !faults.isFailing(subject);
    const after = isOver ? applyActive(evaluated, 'rules', [], context) : evaluated;
    if (after !== before) {
      keep(states, after, context.writes);
    }
    if (writesNothing(context.writes)) {
      run.unused = context;
    } else {
      // Also if nothing changed: values that came too late are queued.
      mergeWrites(writes, context.writes);
    }
  } catch (error) {
    faults.failed(subject, evaluating, error);
    tryToRaise(run, subject, evaluating, () => before ?? bare());
  }
}

/** Raises the alert about a subject whose evaluation threw; its alerts still ask their next steps. */
function tryToRaise<Of extends PatientRuleState | DeviceRuleState>(
  { state, states, writes, at }: Run,
  subject: Pick<Subject, 'patientId' | 'deviceId'>,
  evaluating: Evaluating,
  before: () => Of | null,
): void {
  const own = noWrites();
  try {
    const known = before();
    // The heartbeat counts as heard when an alert of its site changes, and that site has no user.
    if (known !== null && known.siteId !== heartbeatSite) {
      const context = state.contextAt(at, own);
      const rule = known.patientId === null ? 'rules.failed_device' : 'rules.failed';
      const raised = applyActive(known, 'rules', [{ rule, priority: 'high', since: at }], context);
      keep(states, escalateAll(raised, context), own);
      mergeWrites(writes, own);
    }
  } catch (error) {
    // The log and the metrics are all that is left.
    state.faults.failed(subject, evaluating, error);
  }
}

/** Returns a patient without any state, for the alert alone; null if no rules apply. */
function barePatient({ state }: Run, patientId: number): PatientRuleState | null {
  const row = state.rowOf(patientId);
  return row === undefined
    ? null
    : createPatientRuleState(
        row,
        state.people.holdingOf(patientId),
        { every: {}, evaluatesTrends: false },
        state.now(),
      );
}
