import type { EpochMs } from '../../lib/time/epochMs';
import { keep, type AlertState } from './alertState';
import { withSetting, type PatientRuleState } from './patientRuleState';
import {
  applyRetrospective,
  findRetrospective,
  minutesOf,
  readDueRetrospectives,
  type FoundEpisode,
  type QueuedRetrospective,
} from './retrospective';

/** An entry whose evaluation threw is tried again after this time, or with the next late values. */
const againAfterMs = 10 * 60_000;

/**
 * Evaluates samples that arrived too late to sound. What they would have raised becomes retrospective, closed alerts,
 * and one that is open until somebody acknowledges it.
 */
export class RetrospectiveQueue {
  private evaluating: Promise<void> | null = null;
  private isStopped = false;
  /** The entries whose evaluation threw, by patient: the touches that they had, and when. */
  private readonly failed = new Map<number, { touches: number; at: EpochMs }>();

  constructor(private readonly state: AlertState) {}

  /** Evaluates what is due. */
  async evaluate(): Promise<void> {
    this.evaluating ??= this.evaluateAll().finally(() => {
      this.evaluating = null;
    });
    await this.evaluating;
  }

  /** Ends an evaluation after its present step; the rest waits for the next start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.evaluating;
  }

  private async evaluateAll(): Promise<void> {
    while (await this.evaluateOnce()) {
      // Continues with the next patient.
    }
  }

  /** Evaluates the queued minutes of one patient. Resolves with whether there may be more. */
  private async evaluateOnce(): Promise<boolean> {
    const { now, store } = this.state;
    const due = await readDueRetrospectives(store.db, now());
    const queued = due.find(({ patient_id, touches }) => {
      const failed = this.failed.get(patient_id);
      return failed?.touches !== touches || now() - failed.at >= againAfterMs;
    });
    if (queued === undefined || this.isStopped) {
      return false;
    }
    return await this.evaluateQueued(queued);
  }

  /** Evaluates an entry of the queue. Resolves with whether it was done with: false if it was stopped. */
  private async evaluateQueued(queued: QueuedRetrospective): Promise<boolean> {
    const { faults, liveState, now, people, store } = this.state;
    const { patient_id: patientId, touches } = queued;
    const subject = { patientId, deviceId: null };
    const patient = this.patientOf(patientId);
    const minutes = minutesOf(queued, patient?.records.outOfReach, now());
    if (minutes === null) {
      faults.unread('retrospective', subject);
    }
    let found: FoundEpisode[] | null = [];
    if (patient !== null && minutes !== null) {
      try {
        found = await findRetrospective(store, liveState, patient, minutes, {
          since: people.raisesFrom(patient),
          isStopped: () => this.isStopped,
        });
      } catch (error) {
        // It waits, and the others go on.
        this.failed.set(patientId, { touches, at: now() });
        faults.failedOnce(subject, 'retrospective', error);
        return true;
      }
    }
    if (found === null) {
      return false;
    }
    const episodes = found;
    await this.state.transact(async (states, writes) => {
      const context = this.state.contextAt(now(), writes);
      // The patient may have left meanwhile, or gone home.
      const present = patient === null ? null : this.state.patientIn(states, patientId, context);
      if (present?.profile === 'continuous' && minutes !== null) {
        keep(states, await applyRetrospective(store.db, present, { episodes, minutes }, context), writes);
      }
      writes.evaluatedRetrospectives.push({ patientId, touches, at: context.now });
    });
    return true;
  }

  /** Returns a patient for whom retrospective entries are made, by the present settings, or null. */
  private patientOf(patientId: number): PatientRuleState | null {
    const { committed, people } = this.state;
    const row = this.state.rowOf(patientId);
    const known = committed.patient(patientId);
    const isHere = row !== undefined && row.state === 'active' && people.rulesAreOn(row.site_id);
    return isHere && known?.profile === 'continuous' && row.profile === 'continuous'
      ? withSetting(known, { row })
      : null;
  }
}
