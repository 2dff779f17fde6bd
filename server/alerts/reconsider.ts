import { isOpen } from '../../lib/alerts/alert';
import { isTechnical } from '../../lib/alerts/parameters';
import { symptomsFrom } from '../../lib/alerts/symptomEpisode';
import { readEvaluatedReports } from '../symptoms/queries';
import type { AlertState } from './alertState';
import { streamsLeft } from './clockFacts';
import { forgetSignals, parametersOf, withSettings } from './closePatient';
import { evaluatePatientAlone } from './evaluateAlone';
import type { ClockMemory } from './clockMemory';
import { evaluateClock } from './evaluateClock';
import { applyNews2, scoreFactsOf } from './news2';
import { withSetting } from './patientRuleState';
import { applySymptoms } from './symptoms';

/** Reads a patient's changed settings from the store, and evaluates the clock. */
export async function reconsider(state: AlertState, memory: ClockMemory, patientId: number): Promise<void> {
  const { liveState, people } = state;
  // An acceptance that is newer than what is known of the users does not end by it; a move ends it at once.
  await people.readPeopleAgain(0);
  await state.transact(async (states, writes) => {
    const row = liveState.patients.get(patientId);
    if (row === undefined) {
      return;
    }
    // In the queue, so that the later of two changes is read last.
    await people.readHoldingAgain(row);
    // The pages show what the rules apply, also if it was unknown whether a change was committed.
    const { standby, comfortCare } = people.holdingOf(patientId);
    liveState.putPauses(row, { standby, comfortCare });
    evaluatePatientAlone({ state, states, writes, at: state.now() }, patientId, 'settings', (patient, context) =>
      withSettings(patient, { holding: people.holdingOf(patientId) }, context),
    );
    await evaluateClock(state, memory, states, writes);
  });
}

/** Reads a site again after its rules were switched on, or its settings or limits changed. */
export async function reconsiderSite(state: AlertState, memory: ClockMemory, siteId: number): Promise<void> {
  const { liveState, people } = state;
  await state.transact(async (states, writes) => {
    const wereOn = people.rulesAreOn(siteId);
    await people.readSitesAgain();
    const rows = [...liveState.patients.values()].filter(
      (row) => row.site_id === siteId && row.state === 'active' && people.rulesAreOn(siteId),
    );
    if (!wereOn) {
      await state.loadPatients(rows);
    } else {
      for (const { id } of rows) {
        evaluatePatientAlone({ state, states, writes, at: state.now() }, id, 'settings', (patient, context) =>
          withSettings(patient, { holding: people.holdingOf(id) }, context),
        );
      }
    }
  });
  await people.readPeopleAgain();
  await state.transact(async (states, writes) => {
    await evaluateClock(state, memory, states, writes);
  });
}

/** Takes over that a device was taken off: its silence is not missed, and its technical alerts are closed. */
export async function takenOff(state: AlertState, patientId: number, deviceId: number): Promise<void> {
  await state.transact((states, writes) => {
    evaluatePatientAlone({ state, states, writes, at: state.now() }, patientId, 'settings', (patient, context) =>
      forgetSignals(
        patient,
        streamsLeft(state.liveState, patient.row, deviceId, context.now),
        { isLast: ![...state.liveState.assigned.values()].includes(patientId) },
        context,
      ),
    );
  });
}

/** Returns the MEDIUM alerts that go on without a value once a device is off a patient, by id. */
export function leftWithout(state: AlertState, patientId: number, deviceId: number): number[] {
  const row = state.liveState.patients.get(patientId);
  const names = row === undefined ? [] : streamsLeft(state.liveState, row, deviceId, state.now());
  return names.flatMap(parametersOf).flatMap((parameter) => {
    const { id = 0, alert = null } = state.shownPatient(patientId)?.records[parameter] ?? {};
    const isLeft =
      isOpen(alert) && alert.condition === 'active' && alert.priority === 'medium' && alert.outcome === null;
    return isLeft && !isTechnical(parameter) ? [id] : [];
  });
}

/** Evaluates a patient's score from values that are in the store. */
export async function scored(state: AlertState, patientId: number): Promise<void> {
  await state.transact((states, writes) => {
    evaluatePatientAlone({ state, states, writes, at: state.now() }, patientId, 'report', (patient, context) => {
      if (patient.profile === 'home') {
        return patient;
      }
      const timeZone = state.people.timeZoneOf(patient.siteId);
      const facts = scoreFactsOf(state.liveState, patient.row, context.now, timeZone, { isSave: true });
      return applyNews2(patient, facts, context);
    });
  });
}

/** Evaluates a patient's reports of symptoms, which are in the store. */
export async function reported(state: AlertState, patientId: number): Promise<void> {
  await state.transact(async (states, writes) => {
    const at = state.now();
    const row = state.liveState.patients.get(patientId);
    if (row !== undefined) {
      // A check-in answers the one that was missed.
      await state.people.readHoldingAgain(row);
    }
    const from = symptomsFrom(states.patient(patientId)?.technical.symptoms ?? null, at);
    // In the queue, so that the newer of two reports is evaluated last. A report that cannot be read is a fault of its
    // patient alone.
    let isUnread = false;
    const read = await readEvaluatedReports(state.store.db, patientId, from).then(
      (found) => {
        isUnread = found.unread > 0;
        return () => found;
      },
      (error: unknown) => () => {
        throw error;
      },
    );
    const run = { state, states, writes, at };
    evaluatePatientAlone(run, patientId, 'report', (patient, context) => {
      const { reports, unread } = read();
      if (unread === 0) {
        state.faults.passed({ patientId, deviceId: null }, 'unread report');
      }
      return applySymptoms(withSetting(patient, { holding: state.people.holdingOf(patientId) }), reports, context);
    });
    if (isUnread) {
      // What it said is unknown, so somebody has to look; what the others say counts all the same.
      evaluatePatientAlone(run, patientId, 'unread report', () => {
        throw new Error('A report of symptoms cannot be read');
      });
    }
  });
}
