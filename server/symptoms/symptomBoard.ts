import { firstDifference } from '../../lib/sortOrder';
import { saysSymptoms, type GradedReport } from '../../lib/symptoms/gradedReport';
import { summaryOf } from '../../lib/symptoms/summaryOf';
import type { ShownSummary } from '../../lib/symptoms/summarySchema';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { movedFrom } from '../clock/movedFrom';

/** A stored report, as lists and counts use it. */
export interface BoardReport extends GradedReport {
  id: number;
  /** It was entered in error: kept, so that an older read does not bring it back, and shown nowhere. */
  isInError: boolean;
}

interface Known {
  siteId: number;
  /** The newest first. */
  reports: readonly BoardReport[];
  shown: ShownSummary | null;
}

/** Longer than a day of any site, with the night before it. In milliseconds. */
const keptMs = 48 * 3_600_000;
/** How many are kept in any case, for what is new or worse. */
const keptAtLeast = 6;

/**
 * The newest reports of each patient in memory, so that neither a list nor the counts of a day read the store. It is
 * part of `LiveState` and changes after the commit.
 */
export class SymptomBoard {
  private readonly byPatient = new Map<number, Known>();
  private readonly versions = new Map<number, number>();

  constructor(private readonly changed: (siteId: number) => void) {}

  /** Returns the version of a site's reports. */
  version(siteId: number): number {
    return this.versions.get(siteId) ?? 0;
  }

  /**
   * Adds reports of a patient, or what they are now. The order in which they arrive does not count: one that was
   * entered in error stays so.
   */
  take({ id, site_id: siteId }: { id: number; site_id: number }, reports: readonly BoardReport[]): void {
    const byId = new Map(this.byPatient.get(id)?.reports.map((report) => [report.id, report]));
    for (const report of reports) {
      const isInError = report.isInError || byId.get(report.id)?.isInError === true;
      byId.set(report.id, { ...report, isInError });
    }
    this.put(id, siteId, [...byId.values()]);
    this.note(siteId);
  }

  /** Returns what a list shows of a patient's newest report, or null. */
  shown(patientId: number): ShownSummary | null {
    return this.byPatient.get(patientId)?.shown ?? null;
  }

  /** Returns a patient's reports since a time at most a day ago, the newest first. */
  since(patientId: number, from: EpochMs): readonly GradedReport[] {
    const known = this.byPatient.get(patientId)?.reports ?? [];
    const isShown = (report: BoardReport): boolean => report.isUnreadable === true || saysSymptoms(report);
    return known.filter((report) => report.reportedAt >= from && !report.isInError && isShown(report));
  }

  /** Moves the times of new reports with a step of the server's clock, as the store does. */
  moveClock(ms: number, until: EpochMs): void {
    const from = movedFrom(ms, until);
    for (const [id, { siteId, reports }] of this.byPatient) {
      if (reports.some(({ reportedAt }) => reportedAt > from)) {
        const moved = reports.map((report) =>
          report.reportedAt > from ? { ...report, reportedAt: report.reportedAt + ms } : report,
        );
        this.put(id, siteId, moved);
        this.note(siteId);
      }
    }
  }

  private put(patientId: number, siteId: number, reports: BoardReport[]): void {
    const sorted = reports.sort((a, b) => firstDifference(b.reportedAt - a.reportedAt, b.id - a.id));
    const oldest = (sorted[0]?.reportedAt ?? 0) - keptMs;
    const kept = sorted.filter(({ reportedAt }, index) => index < keptAtLeast || reportedAt >= oldest);
    const summary = summaryOf(kept.filter(({ isInError }) => !isInError));
    this.byPatient.set(patientId, {
      siteId,
      reports: kept,
      shown:
        summary === null
          ? null
          : {
              ...summary,
              reportedAt: toInstant(summary.reportedAt),
              redFlagsAt: instantOrNull(summary.redFlagsAt),
            },
    });
  }

  private note(siteId: number): void {
    this.versions.set(siteId, this.version(siteId) + 1);
    this.changed(siteId);
  }
}
