import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDataDir } from '../db/makeDataDir';

const bytes = 32;

/**
 * Returns the key with which unknown e-mail addresses are hashed before their failures are counted. It lies beside the
 * database but in no backup, so that a copy of the database does not reveal the addresses. If the file is missing, a
 * new key is made; only counters of at most a day are lost.
 */
export function throttleKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'throttle.key');
  const known = readOrNull(file);
  if (known?.length === bytes) {
    return known;
  }
  const made = randomBytes(bytes);
  makeDataDir(dataDir);
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
