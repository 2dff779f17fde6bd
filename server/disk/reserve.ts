import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** In bytes. */
export const reserveSize = 64 * 1_048_576;
const chunkSize = 1_048_576;

/** Room on the disk that is kept for the moment when there is no other: alerts and the audit go on a while then. */
export interface Reserve {
  exists(): boolean;
  /** Gives the room up. Returns false if there was none. */
  giveUp(): boolean;
  /** Takes the room again, in small steps. Rejects if there is not enough. */
  make(): Promise<void>;
}

/** Returns the reserve of a data folder: a file that the process before this one may have left. */
export function reserveIn(dataDir: string, size = reserveSize): Reserve {
  const file = path.join(dataDir, 'reserve');
  const unfinished = `${file}.part`;
  return {
    exists: () => existsSync(file),
    giveUp: () => {
      if (!existsSync(file)) {
        return false;
      }
      rmSync(file, { force: true });
      return true;
    },
    make: async () => {
      // Zeros would take no room on a disk that compresses.
      const chunk = randomBytes(chunkSize);
      try {
        const handle = await open(unfinished, 'w', 0o600);
        try {
          for (let written = 0; written < size; written += chunkSize) {
            await handle.write(chunk, 0, Math.min(chunkSize, size - written));
            // All at once would hold up the flush of a commit.
            await handle.sync();
          }
        } finally {
          await handle.close();
        }
        await rename(unfinished, file);
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
      }
    },
  };
}
