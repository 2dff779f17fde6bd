import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Alerts } from '../alerts/alerts';
import type { Store } from '../db/open';
import type { Sessions } from '../session/sessions';
import { isDiskLow, lowBelowBytes, type DiskSpace } from './isDiskLow';
import { reserveSize } from './reserve';

/** Watches the disk with the data. */
export interface DiskWatch {
  /** Looks how much room there is: an alert and a banner say that it gets low. Makes the reserve if there is room. */
  look(): Promise<void>;
  /** Returns the room as last seen, null before that. */
  space(): DiskSpace | null;
}

/** A process that has just started has other things to write, in milliseconds. */
const makeReserveAfterMs = 60_000;

interface Parts {
  store: Store;
  dataDir: string;
  alerts: Pick<Alerts, 'noteDisk'>;
  sessions: Pick<Sessions, 'noteDisk'>;
  log: Logger;
  /** Milliseconds of a clock that is never set. */
  elapsed: () => number;
  readSpace?: (folder: string) => Promise<DiskSpace>;
}

/** Resolves with the room on the disk that holds a folder. */
export async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Creates the watch. On PostgreSQL it has nothing to watch: the disk is another computer's. */
export function createDiskWatch({
  store: { reserve },
  dataDir,
  alerts,
  sessions,
  log,
  elapsed,
  readSpace = spaceOf,
}: Parts): DiskWatch {
  const startedAt = elapsed();
  let space: DiskSpace | null = null;
  let isLow = false;
  let hadReserve = false;
  /** The room of the reserve while it is given up: it is no room to spare. */
  let givenUpBytes = 0;
  return {
    space: () => space,
    look: async () => {
      if (reserve === null) {
        return;
      }
      space = await readSpace(dataDir);
      if (hadReserve && !reserve.exists()) {
        log.error(space, 'the disk with the data is full: the reserve was given up');
        givenUpBytes = reserveSize;
      }
      hadReserve = reserve.exists();
      const { freeBytes, totalBytes } = space;
      const wasLow = isLow;
      isLow = isDiskLow({ freeBytes: freeBytes - givenUpBytes, totalBytes }, wasLow);
      // Nothing of it is stored: on a full disk that would fail.
      alerts.noteDisk(isLow);
      sessions.noteDisk(isLow);
      if (isLow !== wasLow) {
        log.warn(space, isLow ? 'the disk with the data is nearly full' : 'the disk with the data has room again');
      }
      const hasRoom = !isLow && freeBytes - reserveSize > lowBelowBytes(space);
      if (hasRoom && !hadReserve && elapsed() - startedAt >= makeReserveAfterMs) {
        await reserve.make();
        [hadReserve, givenUpBytes] = [true, 0];
        log.info({ bytes: reserveSize }, 'a reserve on the disk was made');
      }
    },
  };
}
