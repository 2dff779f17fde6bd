import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const flushes = 5;
const bytes = 4_096;

/** Above this many milliseconds a disk is slow: every transaction waits for one flush. */
export const slowFlushMs = 20;

/** Returns how long the disk of a folder takes to flush a small write, in milliseconds: the middle one of five. */
export function measureFlush(folder: string): number {
  const name = path.join(folder, 'wardlight.flush');
  const file = openSync(name, 'w', 0o600);
  try {
    const times = Array.from({ length: flushes }, (_, index) => {
      writeSync(file, Buffer.alloc(bytes, index), 0, bytes, 0);
      const begun = performance.now();
      fsyncSync(file);
      return performance.now() - begun;
    });
    return times.sort((a, b) => a - b)[Math.floor(flushes / 2)] ?? 0;
  } finally {
    closeSync(file);
    rmSync(name);
  }
}
