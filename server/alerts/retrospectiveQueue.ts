import type { AlertState } from './alertState';
import { withSetting, type PatientRuleState } from './patientRuleState';
import { applyRetrospective, findRetrospective, readDueRetrospective } from './retrospective';

/**
 * Evaluates samples that arrived too late to sound. What they would have raised becomes a retrospective, closed alert.
 */
export class RetrospectiveQueue {
  private evaluating: Promise<void> | null = null;
  private isStopped = false;

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
    const { liveState, now, people, store } = this.state;
    const queued = await readDueRetrospective(store.db, now());
    if (queued === null || this.isStopped) {
      return false;
    }
    const { patient_id: patientId, touches } = queued;
    const patient = this.patientOf(patientId);
    const found =
      patient === null
        ? []
        : await findRetrospective(store, liveState, patient, queued, {
            since: people.raisesFrom(patient),
            isStopped: () => this.isStopped,
          });
    if (found === null) {
      return false;
    }
    await this.state.transact(async (_states, writes) => {
      const context = this.state.contextAt(now(), writes);
      if (patient !== null) {
        await applyRetrospective(store.db, patient, found, context);
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
