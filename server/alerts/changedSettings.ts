import type { AlertState } from './alertState';
import type { ClockMemory } from './clockMemory';
import { reconsider, reconsiderSite, reported } from './reconsider';

/**
 * Applies settings that people changed, and reports of symptoms, to the rules. A change is in the store before the
 * rules read it: one that could not be read is kept, and read again by the clock until it succeeds, because no request
 * would repeat it.
 */
export class ChangedSettings {
  private readonly patients = new Set<number>();
  private readonly sites = new Set<number>();
  private readonly reports = new Set<number>();

  constructor(
    private readonly state: AlertState,
    private readonly memory: ClockMemory,
  ) {}

  /** Marks a patient of whom it is unknown whether a change was committed. */
  doubt(patientId: number): void {
    this.patients.add(patientId);
  }

  async patient(patientId: number): Promise<void> {
    // Taken out before the attempt: what changes during it marks the patient again.
    this.patients.delete(patientId);
    await reconsider(this.state, this.memory, patientId).catch((error: unknown) => {
      this.patients.add(patientId);
      throw error;
    });
  }

  /** Evaluates a patient's reports of symptoms. A call that says that nothing was stored may never be repeated. */
  async reported(patientId: number): Promise<void> {
    this.reports.delete(patientId);
    await reported(this.state, patientId).catch((error: unknown) => {
      this.reports.add(patientId);
      throw error;
    });
  }

  async site(siteId: number): Promise<void> {
    this.sites.delete(siteId);
    await reconsiderSite(this.state, this.memory, siteId).catch((error: unknown) => {
      // Its settings may be read already, and its patients not.
      this.state.doubt(
        [...this.state.liveState.patients.values()].flatMap((row) => (row.site_id === siteId ? row.id : [])),
      );
      this.sites.add(siteId);
      throw error;
    });
  }

  /** Repeats what failed. One patient's failure holds back no other. Rejects if something failed again. */
  async repeat(givenUp: AbortSignal | undefined): Promise<void> {
    const failed: unknown[] = [];
    const again = [
      ...[...this.reports].map((id) => () => this.reported(id)),
      ...[...this.sites].map((id) => () => this.site(id)),
      ...[...this.patients].map((id) => () => this.patient(id)),
    ];
    for (const one of again) {
      givenUp?.throwIfAborted();
      await one().catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0) {
      throw failed[0];
    }
  }
}
