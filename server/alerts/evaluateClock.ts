import { isOpen } from '../../lib/alerts/alert';
import type { Episode } from '../../lib/alerts/episode';
import {
  diskLow,
  doubtedClock,
  evaluateCut,
  evaluateServerClock,
  evaluateServerFault,
  type TechnicalActive,
} from '../../lib/alerts/technicalRules';
import type { RuleId } from '../../lib/alerts/ruleNames';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertState } from './alertState';
import type { AlertWrites } from './alertWrites';
import { applyClock } from './applyClock';
import { clockFactsOf, deviceFactsOf, measuredOf, type Measured } from './clockFacts';
import type { ClockMemory } from './clockMemory';
import { closePatient, withRow } from './closePatient';
import { closeDevice, evaluateDevice, type DeviceRuleState } from './deviceRuleState';
import { evaluateDeviceAlone, evaluateFormerPatientAlone, evaluatePatientAlone, type Run } from './evaluateAlone';
import { heartbeatPatients } from './heartbeatPatient';
import { inTurns } from './inTurns';
import { withTrust } from './pace';
import { raiseUnreadable } from './raiseUnreadable';
import { isOfReports } from './reportSubject';
import type { RuleStates } from './ruleStates';
import { isServer, serverOf } from './serverSubject';
import { escalateAll, applyActive } from './subject';

/**
 * Evaluates the server itself for each site whose rules are on: its clock (clinical.md section 0, C1), whether a fault
 * of its own ended it, and its disk, once that was looked at.
 */
function evaluateServer(run: Run, { step, isClockDoubted, startedAfterFault, isDiskLow, cut }: ClockMemory): void {
  const { state, states, at } = run;
  const ofCut = cut === null ? null : evaluateCut(cut, at);
  for (const siteId of state.people.sitesWithRules()) {
    const known = states.device(serverOf(siteId));
    const ofStep = step === null ? null : evaluateServerClock(step, at);
    const before = stillActive(known, at);
    // A second, smaller step is no improvement.
    const stepped = ofStep === null || before?.priority === 'high' ? before : ofStep;
    const doubted = isClockDoubted ? { ...doubtedClock, since: at } : null;
    const faultAt = startedAfterFault ?? openSince(known, 'server');
    const fault = faultAt === null ? null : evaluateServerFault(faultAt, at);
    const isAny = [stepped, doubted, fault, ofCut].some((active) => active !== null);
    if (known !== undefined || isAny || isDiskLow === true) {
      evaluateDeviceAlone(run, { siteId, deviceId: serverOf(siteId) }, (server, context) => {
        const clock = applyActive(server, 'clock', [stepped, doubted], context);
        const ended = applyActive(clock, 'server', [fault], context);
        const withPort = applyActive(ended, 'gateway', [ofCut], context);
        const ofDisk = isDiskLow === true ? [{ ...diskLow, since: at }] : [];
        return escalateAll(isDiskLow === null ? withPort : applyActive(withPort, 'disk', ofDisk, context), context);
      });
    }
  }
}

/** After a restart only the alert itself knows of a step. */
function stillActive(server: DeviceRuleState | undefined, now: EpochMs): TechnicalActive | null {
  const since = openSince(server, 'clock');
  const alert = server?.records.clock?.alert;
  return since === null || alert?.rule === doubtedClock.rule
    ? null
    : evaluateServerClock({ jumpedMs: alert?.priority === 'high' ? Infinity : 0, at: since }, now);
}

/** Returns since when an alert about the server is active, null if none is. */
function openSince(server: DeviceRuleState | undefined, parameter: 'clock' | 'server'): EpochMs | null {
  const alert = server?.records[parameter]?.alert;
  return alert === undefined || alert.condition === 'ended' ? null : alert.since;
}

const isActive = (episode: Episode | undefined, rule: RuleId): boolean =>
  episode !== undefined && episode.endedAt === null && episode.rule === rule;

/** The score of each patient is evaluated once in this many ticks. */
const scoreEvery = 5;

/**
 * Evaluates everything that depends on time alone, in the store's queue: in between, others read, and no one writes.
 * Rejects after `givenUp`.
 */
export async function evaluateClock(
  state: AlertState,
  memory: ClockMemory,
  states: RuleStates,
  writes: AlertWrites,
  givenUp?: AbortSignal,
): Promise<void> {
  const { liveState, people } = state;
  const { listeningSince } = memory;
  const at = state.now();
  const run: Run = { state, states, writes, at };
  memory.ticks += 1;
  state.sessions.countPresence();
  raiseUnreadable(run);
  evaluateServer(run, memory);
  const rows = [...heartbeatPatients, ...liveState.patients.values()].filter(({ site_id }) =>
    people.rulesAreOn(site_id),
  );
  const active = rows.filter((row) => row.state === 'active');
  const measured: Measured[] = [];
  await inTurns(active, givenUp, (row) => {
    evaluatePatientAlone(run, row.id, 'devices', (patient) => {
      measured.push(...measuredOf(liveState, row));
      return patient;
    });
  });
  const known = deviceFactsOf(liveState, measured, memory, { at, listeningSince });
  const devices = new Map([...known].filter(([, { siteId }]) => people.rulesAreOn(siteId)));
  for (const [deviceId, { siteId, ...facts }] of devices) {
    evaluateDeviceAlone(run, { siteId, deviceId }, (device, context) => evaluateDevice(device, facts, context));
  }
  liveState.silentGateways.replace(
    [...devices].flatMap(([deviceId, { siteId, lastSeenAt: since, patientIds }]) => {
      const { endedAt = 0, priority } = states.device(deviceId)?.technical.gateway ?? {};
      const { name = '' } = liveState.devices.get(deviceId) ?? {};
      return endedAt !== null || priority === undefined
        ? []
        : [{ siteId, deviceId, name, priority, since, patientIds }];
    }),
  );
  for (const { deviceId, siteId, alert } of state.records()) {
    const unused =
      deviceId === null ||
      isServer(deviceId) ||
      isOfReports(deviceId) ||
      devices.has(deviceId) ||
      !isOpen(alert) ||
      // Silence does not say that the next values of a monitor will be a patient's: somebody has to have seen it.
      (alert.parameter === 'monitor' &&
        alert.acknowledged === null &&
        liveState.devices.get(deviceId)?.revoked_at === null) ||
      !people.rulesAreOn(siteId)
        ? undefined
        : states.device(deviceId);
    if (unused !== undefined) {
      evaluateDeviceAlone(run, unused, (device, context) => closeDevice(device, 'serves no patient', context));
    }
  }
  const assigned = liveState.deviceStays.byPatient();
  await inTurns(active, givenUp, (row) => {
    const isScored = row.id % scoreEvery === memory.ticks % scoreEvery;
    evaluatePatientAlone(run, row.id, 'clock', (patient, context) =>
      applyClock(
        withTrust(liveState, patient, row),
        clockFactsOf(liveState, row, devices, {
          at,
          listeningSince,
          isScored,
          dueTimes: people.dueTimesOf(row.site_id),
          assigned: (assigned.get(row.id) ?? []).map(({ deviceId, since }) => ({
            deviceId,
            since: Math.max(since, patient.signalsFrom),
          })),
          wasUnreliable: isActive(patient.technical.sensor, 'sensor.unreliable'),
        }),
        context,
      ),
    );
  });
  await inTurns(rows, givenUp, (row) => {
    const former = row.state === 'active' ? undefined : states.patient(row.id);
    // Also without an open alert: the old state must not raise anything if the patient comes back.
    const open = Object.values(former?.records ?? {}).flatMap(({ alert }) => (isOpen(alert) ? [alert] : []));
    if (former !== undefined && (former.row.state === 'active' || open.length > 0)) {
      // One that no one has seen is still asked for (clinical.md section 0, E7).
      const isClosed = former.row.state !== 'active' && open.every(({ latched }) => latched);
      evaluateFormerPatientAlone(run, former, (patient, context) =>
        escalateAll(isClosed ? patient : closePatient(withRow(patient, row, context), 'discharged', context), context),
      );
    }
  });
}
