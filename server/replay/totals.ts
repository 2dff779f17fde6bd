import { formatAge } from '../../lib/time/formatTime';
import type { IngestResponse } from '../../lib/vitals/schema';

/** The outcomes of everything that was sent. */
export interface Totals {
  sent: number;
  accepted: number;
  duplicates: number;
  corrections: number;
  rejected: Map<string, number>;
  /** Calls that had to be repeated. */
  repeated: number;
}

export function newTotals(): Totals {
  return { sent: 0, accepted: 0, duplicates: 0, corrections: 0, rejected: new Map(), repeated: 0 };
}

/** Adds the server's response to a call of `count` samples. */
export function addResponse(totals: Totals, count: number, response: IngestResponse): void {
  totals.sent += count;
  totals.accepted += response.accepted;
  totals.duplicates += response.duplicates;
  totals.corrections += response.corrections;
  for (const { code } of response.rejected) {
    totals.rejected.set(code, (totals.rejected.get(code) ?? 0) + 1);
  }
}

export function countRejected(totals: Totals): number {
  return [...totals.rejected.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns the line of progress. `elapsedMs` is wall time since the start of the replay. */
export function progressLine(totals: Totals, elapsedMs: number): string {
  const { sent, accepted, duplicates, corrections } = totals;
  const stored = `${accepted} accepted, ${duplicates} duplicates, ${corrections} corrections`;
  return `${formatAge(elapsedMs)}: ${sent} sent, ${stored}, ${countRejected(totals)} rejected`;
}

/** Returns the lines at the end. Corrections count as accepted, too, as on the server. */
export function summaryLines(totals: Totals): string[] {
  const rejected = [...totals.rejected].map(([code, count]) => `  rejected ${code}: ${count}`);
  return [
    `Sent ${totals.sent}; calls repeated ${totals.repeated}`,
    `  accepted: ${totals.accepted}`,
    `  duplicates: ${totals.duplicates}`,
    `  corrections: ${totals.corrections}`,
    ...(rejected.length > 0 ? rejected : ['  rejected: 0']),
  ];
}
