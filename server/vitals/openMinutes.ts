import { getOrAdd } from '../../lib/getOrAdd';
import type { EpochMs } from '../../lib/time/epochMs';
import { isWithdrawn } from './qualityCode';
import { seriesKey, type Sample } from './sample';
import { addTo, emptyRollup, type Rollup } from './rollUp';

export interface OpenMinute {
  minute: number;
  patientId: number;
  kind: number;
  siteId: number;
  rollup: Rollup;
  /** Its newest time. */
  lastAt: EpochMs;
  /**
   * A sample was corrected, came out of order, at the same time from another device or before the minute was open: the
   * rollup has to be computed from the samples.
   */
  unclear: boolean;
}

/**
 * So many minutes from the first that is not closed on are open. Samples of later ones, of a device whose clock runs
 * ahead or after the server's was set back, are written as late ones: else they would be open for as long as that is,
 * and a start would have to read them all.
 */
export const openMinutesAhead = 5;

/** Returns whether a minute is open, given the first that is not closed. Epoch minutes. */
export function isOpenMinute(minute: number, closedUntil: number): boolean {
  return minute >= closedUntil && minute < closedUntil + openMinutesAhead;
}

/** The rollups of the minutes that are still open, counted in memory so that an ACK needs no write for them. */
export class OpenMinutes {
  private readonly byMinute = new Map<number, Map<number, OpenMinute>>();
  /** Minutes before this one were collected: new samples of them are late. */
  private collectedUntil: number;
  private openUntil: number;

  /** Takes the first open minute, and the first one for which nothing came before it was open. */
  constructor(
    from: number,
    private unknownUntil: number,
  ) {
    this.collectedUntil = from;
    this.openUntil = from + openMinutesAhead;
  }

  /** Opens the minutes ahead of the first that is not closed. Those that are over stay until they are collected. */
  open(closedUntil: number): void {
    this.openUntil = closedUntil + openMinutesAhead;
  }

  /**
   * Opens the minutes from `from` on again after a clock that was ahead has closed them. What came for them before is
   * unknown here.
   */
  reopen(from: number): void {
    this.unknownUntil = Math.max(this.unknownUntil, this.openUntil);
    this.collectedUntil = from;
    this.open(from);
    this.byMinute.clear();
  }

  /** Returns whether samples of a minute may have come before it was open. */
  isUnknown(minute: number): boolean {
    return minute < this.unknownUntil;
  }

  /** Adds a committed sample; `isNew` is false for a correction. */
  take(sample: Sample, isNew: boolean): void {
    const open = this.entryOf(sample);
    if (open !== null) {
      open.unclear ||= !isNew || sample.takenAt <= open.lastAt;
      open.lastAt = Math.max(open.lastAt, sample.takenAt);
      if (isWithdrawn(sample.quality)) {
        // It may be in the rollup, which is a gap until it is computed: it must not show under this patient.
        open.rollup = emptyRollup();
      } else {
        addTo(open.rollup, sample.value, sample.quality);
      }
    }
  }

  /** Notes a sample that may or may not have been committed. */
  doubt(sample: Sample): void {
    const open = this.entryOf(sample);
    if (open !== null) {
      open.unclear = true;
    }
  }

  private entryOf(sample: Sample): OpenMinute | null {
    if (sample.minute < this.collectedUntil) {
      return null;
    }
    if (sample.minute >= this.openUntil) {
      this.unknownUntil = Math.max(this.unknownUntil, sample.minute + 1);
      return null;
    }
    const { minute, patientId, kind, siteId } = sample;
    const ofMinute = getOrAdd(this.byMinute, minute, () => new Map<number, OpenMinute>());
    return getOrAdd(ofMinute, seriesKey(patientId, kind), () => ({
      ...{ minute, patientId, kind, siteId, rollup: emptyRollup() },
      ...{ lastAt: -1, unclear: this.isUnknown(minute) },
    }));
  }

  /** Returns the open minutes of one kind of one patient. */
  of(patientId: number, kind: number): OpenMinute[] {
    const key = seriesKey(patientId, kind);
    return [...this.byMinute.values()].flatMap((minute) => minute.get(key) ?? []);
  }

  /** Removes the minutes before the given one and returns them. */
  collect(until: number): OpenMinute[] {
    this.collectedUntil = until;
    this.open(until);
    const collected: OpenMinute[] = [];
    for (const [minute, entries] of this.byMinute) {
      if (minute < until) {
        collected.push(...entries.values());
        this.byMinute.delete(minute);
      }
    }
    return collected;
  }
}
