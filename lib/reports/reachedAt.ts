import type { EpochMs } from '../time/epochMs';
import { reportStatuses, type ReportStatus } from './reportStatuses';

const isStatus = (text: string): text is ReportStatus => Object.hasOwn(reportStatuses, text);

/**
 * Takes when a report was filed and the lines of its history that change its status, the oldest first. Returns when it
 * came to each status first; null: it has not yet.
 */
export function reachedAt(
  reportedAt: EpochMs,
  changes: readonly { to: string | null; at: EpochMs }[],
): Record<ReportStatus, EpochMs | null> {
  const found: Record<ReportStatus, EpochMs | null> = {
    new: reportedAt,
    triaged: null,
    investigating: null,
    actioned: null,
    closed: null,
    reopened: null,
  };
  for (const { to, at } of changes) {
    if (to !== null && isStatus(to)) {
      found[to] ??= at;
    }
  }
  return found;
}
