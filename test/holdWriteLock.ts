import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/**
 * Opens the SQLite file of a data folder in another process that holds its write lock, as a tool does that someone
 * opened beside the server; returns the function that ends that. `forMs`: the other process ends it by itself after so
 * many milliseconds, because a thread that waits for the lock can call nothing.
 */
export async function holdWriteLock(dataDir: string, forMs: number | null = null): Promise<() => Promise<void>> {
  const hold = `
    const node = Number(process.versions.node.split('.')[0]);
    const Sqlite = require(node >= 22 ? 'better-sqlite3-node22' : 'better-sqlite3');
    const file = new Sqlite(process.argv[1]);
    file.exec('BEGIN IMMEDIATE');
    process.stdout.write('held');
    const release = () => { if (file.open) { file.exec('ROLLBACK'); file.close(); } };
    process.stdin.once('end', release).resume();
    if (process.argv[2] !== '') setTimeout(release, Number(process.argv[2]));`;
  const other = spawn(process.execPath, ['-e', hold, path.join(dataDir, 'wardlight.db'), String(forMs ?? '')], {
    cwd: path.join(__dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  const ended = once(other, 'exit');
  return async () => {
    other.stdin.end();
    await ended;
  };
}
