import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const bytes = 32;

/**
 * The key under which e-mail addresses that nobody here has are counted. It lies beside the database and in no backup
 * of it, so that a copy of the database cannot be asked whom somebody tried. Without the file another key is made:
 * nothing but counters of at most a day is lost with it.
 */
export function throttleKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'throttle.key');
  const known = readOrNull(file);
  if (known?.length === bytes) {
    return known;
  }
  const made = randomBytes(bytes);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
