import type { EpochMs } from '../time/epochMs';

/** The samples of a source in a stretch of time. */
export interface Validity {
  total: number;
  valid: number;
  /** How often a valid one followed an invalid one, or the other way round. */
  changes: number;
}

const slotMs = 10_000;
/** A probe is judged by the samples of this time (clinical.md section 0, Q5). */
const judgedMs = 300_000;
const endsAfterMs = 120_000;
/** Slower sources are not judged. */
const slowestMs = 10_000;
const leastChanges = 5;
const validToEnd = 0.8;

/** Counts the samples of one source by 10 s for five minutes. */
export class ValidityHistory {
  private slots: (Validity & { slot: number })[] = [];
  private wasValid: boolean | null = null;
  private since: EpochMs | null = null;

  /** Adds a sample that was measured at `at`, epoch milliseconds. */
  take(at: EpochMs, isValid: boolean): void {
    this.since ??= at;
    const slot = Math.floor(at / slotMs);
    let newest = this.slots.at(-1);
    if (newest === undefined || slot > newest.slot) {
      newest = { slot, total: 0, valid: 0, changes: 0 };
      this.slots = this.slots.filter((one) => one.slot > slot - judgedMs / slotMs);
      this.slots.push(newest);
    }
    newest.total += 1;
    newest.valid += isValid ? 1 : 0;
    newest.changes += this.wasValid !== null && this.wasValid !== isValid ? 1 : 0;
    this.wasValid = isValid;
  }

  /** Moves with a step of the server's clock, in milliseconds: its slots to the nearest one. */
  moveClock(ms: number): void {
    const slots = Math.round(ms / slotMs);
    this.slots = this.slots.map((one) => ({ ...one, slot: one.slot + slots }));
    this.since = this.since === null ? null : this.since + ms;
  }

  private over(now: EpochMs, ms: number): Validity {
    const from = Math.floor((now - ms) / slotMs);
    const sum: Validity = { total: 0, valid: 0, changes: 0 };
    for (const { slot, total, valid, changes } of this.slots) {
      if (slot > from) {
        sum.total += total;
        sum.valid += valid;
        sum.changes += changes;
      }
    }
    return sum;
  }

  /**
   * Returns whether the probe comes and goes at `now`: fewer than half of the samples of 5 min were valid, with at
   * least 5 changes. If it did before (`was`), it does until 80 % of 2 min are valid. `everyMs` is its pace.
   */
  isUnreliable(was: boolean, everyMs: number, now: EpochMs): boolean {
    if (everyMs > slowestMs) {
      return false;
    }
    if (was) {
      const { total, valid } = this.over(now, endsAfterMs);
      const isKnown = this.since !== null && now - this.since >= endsAfterMs;
      return !isKnown || (total > 0 && valid < validToEnd * total);
    }
    const { total, valid, changes } = this.over(now, judgedMs);
    const isKnown = this.since !== null && now - this.since >= judgedMs;
    return isKnown && 2 * valid < total && changes >= leastChanges;
  }
}
