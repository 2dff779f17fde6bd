/** The room on the disk with the data, in bytes. */
export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

/** Returns the room below which the disk is nearly full: a tenth of it, or 2 GB if that is less. In bytes. */
export function lowBelowBytes({ totalBytes }: Pick<DiskSpace, 'totalBytes'>): number {
  return Math.min(totalBytes / 10, 2_000_000_000);
}

/** Returns whether the disk is nearly full. One that was ends to be so with a tenth more, so that it does not flap. */
export function isDiskLow(space: DiskSpace, wasLow: boolean): boolean {
  return space.freeBytes < lowBelowBytes(space) * (wasLow ? 1.1 : 1);
}
