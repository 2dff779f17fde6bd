import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './UsageError';

/**
 * Returns the bytes of a file that the user of a command names. npm starts commands in the project's folder; INIT_CWD
 * is the folder in which the user typed the path. Throws UsageError if it cannot be read.
 */
export function readUserFile(path: string): Buffer {
  try {
    return readFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), path));
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : String(failure);
    throw new UsageError(`${path} cannot be read (${code})`);
  }
}
