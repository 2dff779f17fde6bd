import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** One run of all tests needs about 1 GiB at its peak. A container's default of 64 MiB is too little. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Creates an empty folder for a test's data: on the memory file system if there is one with enough room, because tests
 * of storage spend most of their time waiting for commits to reach a disk. The caller removes it.
 */
export function makeTestFolder(name: string): string {
  return mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), `wardlight-${name}-`));
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
