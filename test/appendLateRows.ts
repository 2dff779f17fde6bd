import type { LateRows } from '../server/audit/lateRows';

/** Resolves when all rows are written that waited while nothing could be stored. */
export async function appendLateRows(lateRows: LateRows): Promise<void> {
  while (lateRows.count() > 0) {
    // A SQLite file that was locked is tried once a second.
    await lateRows.append().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
