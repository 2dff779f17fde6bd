import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { EpochMs } from '../../lib/time/epochMs';

/** Messages that were wholly taken are in other files than the rest, because those are kept longer. */
export type FileSet = 'day' | 'month';

/** A file of raw messages. */
export interface StoredFile {
  /** Files are numbered in the order in which they were begun. */
  number: number;
  set: FileSet;
  startedAt: EpochMs;
  bytes: number;
}

/** Returns the name of a file in its folder. */
export function fileName({ number, set, startedAt }: Omit<StoredFile, 'bytes'>): string {
  return `${number}-${set}-${startedAt}.raw`;
}

/** Resolves with the files of a folder, the oldest first. A folder that is not there has none. */
export async function readFolder(folder: string): Promise<StoredFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw error;
  });
  const found: StoredFile[] = [];
  for (const name of names) {
    const match = /^(\d{1,9})-(day|month)-(\d{1,15})\.raw$/.exec(name);
    if (match !== null) {
      const { size } = await stat(path.join(folder, name));
      const set = match[2] === 'day' ? 'day' : 'month';
      found.push({ number: Number(match[1]), set, startedAt: Number(match[3]), bytes: size });
    }
  }
  return found.sort((a, b) => a.number - b.number);
}
