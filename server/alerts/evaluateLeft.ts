import { setImmediate as turn } from 'node:timers/promises';
import { isOpen, type Alert } from '../../lib/alerts/alert';
import { news2LimitsOf } from '../../lib/alerts/limits';
import { partOf } from '../../lib/alerts/news2Values';
import { streamsOf } from '../../lib/alerts/ruleState';
import { end } from '../../lib/alerts/takeEpisode';
import { forgetNews2Parts } from '../../lib/alerts/stepNews2';
import { isTrendRule, streams, type StreamName } from '../../lib/alerts/streams';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { news2Kinds } from '../../lib/vitals/news2Kinds';
import { isWithdrawn } from '../vitals/qualityCode';
import { movedMs, type Sample } from '../vitals/sample';
import { samplesOfMinutes, toSample } from '../vitals/samples';
import type { AlertState } from './alertState';
import { evaluatePatientAlone } from './evaluateAlone';
import { ruleSampleOf } from './loadRuleStates';
import { takeLeft } from './monitored';
import type { PatientRuleState } from './patientRuleState';
import { parametersOf } from './closePatient';
import { applyChange, type ChangeContext } from './subject';

/** A condition that lasts is found again from so much of it, in milliseconds. */
const replayedMs = 2 * 3_600_000;

/** When what is withdrawn can have raised alerts, epoch milliseconds, both inclusive. */
export interface RaisedWhile {
  since: EpochMs;
  until: EpochMs;
  /** The devices that have nothing left of what arrived in that time. */
  devices: ReadonlySet<number>;
}

/**
 * Evaluates a monitored patient again after many stored values of some kinds that arrived in a time were withdrawn:
 * what these alone raised is over, and what the others justify lasts. An alert that began before or after it, or by a
 * trend, goes on with the values that come; so does a part of the score that was saved since.
 */
export async function evaluateLeft(
  state: AlertState,
  patientId: number,
  measured: ReadonlySet<VitalKind>,
  raised: RaisedWhile,
): Promise<void> {
  await state.transact(async (states, writes) => {
    const run = { state, states, writes, at: state.now() };
    const names = streamsOf(measured).filter((name) => isRaisedWhile(states.patient(patientId), name, raised));
    // In the queue, so that no value comes in between.
    const left = await readLeft(state, patientId, names);
    evaluatePatientAlone(run, patientId, 'settings', (patient, context) => {
      if (patient.profile === 'home') {
        return patient;
      }
      const { holding, row, isComfortCare, resetAt } = patient;
      const limits = news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare });
      const { news2 } = patient;
      const parts = news2Kinds
        .filter((kind) => measured.has(kind))
        .map(partOf)
        .filter((part) => (news2.saved[part]?.at ?? 0) <= raised.until);
      const isOlder = news2.episode !== null && news2.episode.since < raised.since;
      const unscored = isOlder ? patient : { ...patient, news2: forgetNews2Parts(news2, parts, limits) };
      const reset = Math.max(0, ...names.map((name) => resetAt[name] ?? 0));
      const counted = left
        .filter(({ receivedAt }) => receivedAt > reset)
        .map((sample) => ({ sample: ruleSampleOf(state.liveState, sample), receivedAt: sample.receivedAt }));
      return withdrawEnded(takeLeft(unscored, names, counted, context), streamsOf(measured), raised, context);
    });
  });
}

/** Withdraws open alerts of some streams that have ended, if these devices alone raised them, once, in that time. */
function withdrawEnded(
  patient: PatientRuleState,
  names: readonly StreamName[],
  raised: RaisedWhile,
  context: ChangeContext,
): PatientRuleState {
  return names.flatMap(parametersOf).reduce<PatientRuleState>((after, parameter) => {
    const { alert = null, evidence } = after.records[parameter] ?? {};
    const isEnded = isOpen(alert) && alert.condition === 'ended' && !alert.isWithdrawn;
    if (!isEnded || alert.episodes > 1 || evidence === undefined || !beganIn(alert, raised)) {
      return after;
    }
    const isTheirs = evidence.samples.every(({ deviceId }) => raised.devices.has(deviceId));
    return isTheirs && evidence.samples.length > 0
      ? applyChange(after, parameter, end(alert, null, context.now), () => evidence, context)
      : after;
  }, patient);
}

/** Returns whether an alert began in that time, and not by a trend, which longer values make. */
function beganIn({ since: began, rule }: Alert, { since, until }: RaisedWhile): boolean {
  return began >= since && began <= until && !isTrendRule(rule);
}

/** Returns whether all that is active of a stream began in that time, and no trend did. */
function isRaisedWhile(patient: PatientRuleState | undefined, name: StreamName, raised: RaisedWhile): boolean {
  const active = streams[name].groups.flatMap(({ parameter }) => {
    const alert = patient?.records[parameter]?.alert;
    return alert !== undefined && isOpen(alert) && alert.condition === 'active' ? [alert] : [];
  });
  return active.length > 0 && active.every((alert) => beganIn(alert, raised));
}

/**
 * Resolves with the last values of some streams that are not withdrawn, in the order in which they arrived. Of a kind
 * that came before that alone, such as a flow of oxygen, it is the newest one.
 */
async function readLeft(
  { liveState, store, now }: AlertState,
  patientId: number,
  names: readonly StreamName[],
): Promise<Sample[]> {
  const left: Sample[] = [];
  for (const kind of names.flatMap((name): readonly VitalKind[] => streams[name].kinds)) {
    const { code } = kinds[kind];
    const known = liveState.latestOfDevices(patientId, code);
    const minutes = new Set(
      known.flatMap(({ sample }) => {
        const first = Math.floor((now() - replayedMs - sample.offsetMs + movedMs(sample)) / 60_000);
        return Array.from({ length: replayedMs / 60_000 + 2 }, (_, index) => first + index);
      }),
    );
    if (minutes.size > 0) {
      const keys = [...minutes].map((minute) => ({ minute, patient_id: patientId, kind: code }));
      const { rows } = await samplesOfMinutes(keys).execute(store.db);
      const standing = known.map(({ sample }) => sample).filter(({ minute }) => !minutes.has(minute));
      const came = [...standing, ...rows.map(toSample)].filter(({ deviceId }) => !liveState.isEarlier(deviceId));
      left.push(...came.filter(({ quality }) => !isWithdrawn(quality)));
      await turn();
    }
  }
  return left.sort((a, b) => (a.receivedAt === b.receivedAt ? a.takenAt - b.takenAt : a.receivedAt - b.receivedAt));
}
