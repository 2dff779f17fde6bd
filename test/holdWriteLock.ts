import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/**
 * Opens the SQLite file of a data folder in another process that holds its write lock, as a tool does that someone
 * opened beside the server; returns the function that ends that.
 */
export async function holdWriteLock(dataDir: string): Promise<() => Promise<void>> {
  const hold = `
    const node = Number(process.versions.node.split('.')[0]);
    const Sqlite = require(node >= 22 ? 'better-sqlite3-node22' : 'better-sqlite3');
    const file = new Sqlite(process.argv[1]);
    file.exec('BEGIN IMMEDIATE');
    process.stdout.write('held');
    process.stdin.once('end', () => { file.exec('ROLLBACK'); file.close(); }).resume();`;
  const other = spawn(process.execPath, ['-e', hold, path.join(dataDir, 'wardlight.db')], {
    cwd: path.join(__dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  return async () => {
    other.stdin.end();
    await once(other, 'exit');
  };
}
