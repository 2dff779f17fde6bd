import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (dataDir: string): string => join(dataDir, 'ended-by-a-fault');

/** Notes in the data folder that a fault of the server ends it, so that the next start can say so. Never throws. */
export function markFault(dataDir: string): void {
  try {
    writeFileSync(fileIn(dataDir), '');
  } catch {
    // A full disk: the log has the fault.
  }
}

/** Returns whether a fault ended the server before this start, once. */
export function takeFaultMark(dataDir: string): boolean {
  const isMarked = existsSync(fileIn(dataDir));
  rmSync(fileIn(dataDir), { force: true });
  return isMarked;
}
