import type { EpochMs } from '../time/epochMs';

/** How long after an event a note about it is a late entry, in milliseconds (design.md section 4). */
const lateMs = 15 * 60_000;

/** Returns whether a note was written more than 15 min after what it tells about. */
export function isLateEntry(eventAt: EpochMs, writtenAt: EpochMs): boolean {
  return writtenAt - eventAt > lateMs;
}
