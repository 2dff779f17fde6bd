import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** How many rows of the audit wait in memory: `from` the time of the oldest, for each site (null: of no site). */
const waitingRows = z.object({
  from: z.number(),
  sites: z.array(z.tuple([z.number().nullable(), z.number()])),
});
export type WaitingRows = z.infer<typeof waitingRows>;

/** Says on the disk, beside the database, that rows of the audit wait in memory: a crash would lose them. */
export interface LossMarker {
  /** What waited when the process before this one ended; null: nothing; `unreadable`: something did. */
  found: WaitingRows | 'unreadable' | null;
  /** Says what waits from now on; null: nothing. Throws if it cannot be written. */
  write(waiting: WaitingRows | null): void;
}

/** In bytes: room for some hundred sites. */
const markerSize = 8_192;

/**
 * Opens the marker of a data folder. It is overwritten in place and never grows, because it is needed when the disk is
 * full.
 */
export function openLossMarker(dataDir: string): LossMarker {
  const file = path.join(dataDir, 'audit-waiting');
  let isMarked = false;
  if (!existsSync(file)) {
    try {
      writeFileSync(file, textOf(null), { mode: 0o600 });
    } catch {
      // No room for it: then `write` throws until there is.
    }
  }
  return {
    found: read(file),
    write: (waiting) => {
      const text = textOf(waiting);
      const open = openSync(file, existsSync(file) ? 'r+' : 'w', 0o600);
      try {
        writeSync(open, text, 0);
        // That some wait outlives a power cut; how many only the process, because a view must not take long.
        if (!isMarked || waiting === null) {
          fsyncSync(open);
        }
        isMarked = waiting !== null;
      } finally {
        closeSync(open);
      }
    },
  };
}

function textOf(waiting: WaitingRows | null): string {
  const text = JSON.stringify(waiting);
  if (text.length > markerSize) {
    throw new Error('Rows of too many sites wait for the audit');
  }
  return text.padEnd(markerSize);
}

function read(file: string): LossMarker['found'] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return waitingRows.nullable().parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}
