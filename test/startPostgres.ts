import { execFileSync } from 'node:child_process';
import { startEmbeddedPostgres } from './embeddedPostgres';

/**
 * Runs once before the tests of the node project; jest's workers inherit the variable. The server's own threads run
 * compiled files.
 */
export default async function startPostgres(): Promise<void> {
  const build = `import('./scripts/bundle.mjs').then(({ bundleWorkers }) => bundleWorkers(process.cwd()))`;
  execFileSync(process.execPath, ['-e', build]);
  process.env.TEST_POSTGRES_URL = await startEmbeddedPostgres();
}
