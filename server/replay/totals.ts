import { formatAge } from '../../lib/time/formatTime';
import type { IngestResponse } from '../../lib/vitals/schema';

/** What came of everything that was sent. */
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

/** Adds the server's answer to a call of `count` samples. */
export function addAnswer(totals: Totals, count: number, answer: IngestResponse): void {
  totals.sent += count;
  totals.accepted += answer.accepted;
  totals.duplicates += answer.duplicates;
  totals.corrections += answer.corrections;
  for (const { code } of answer.rejected) {
    totals.rejected.set(code, (totals.rejected.get(code) ?? 0) + 1);
  }
}

export function countRejected(totals: Totals): number {
  return [...totals.rejected.values()].reduce((sum, count) => sum + count, 0);
}

/** One line while the replay runs; `elapsedMs` is wall time since its start. */
export function progressLine(totals: Totals, elapsedMs: number): string {
  const { sent, accepted, duplicates, corrections } = totals;
  const stored = `${accepted} accepted, ${duplicates} duplicates, ${corrections} corrections`;
  return `${formatAge(elapsedMs)}: ${sent} sent, ${stored}, ${countRejected(totals)} rejected`;
}

/** The lines at the end. Corrections are among the accepted, as the server counts them. */
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
