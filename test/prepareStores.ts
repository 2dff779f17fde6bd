import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openStore } from '../server/db/open';
import { startEmbeddedPostgres } from './embeddedPostgres';
import { makeTestFolder } from './testFolder';

/**
 * Runs once before the tests of the node project; jest's workers inherit the variables. The server's own threads run
 * compiled files.
 */
export default async function prepareStores(): Promise<void> {
  const build = `import('./scripts/bundle.mjs').then(({ bundleWorkers }) => bundleWorkers(process.cwd()))`;
  execFileSync(process.execPath, ['-e', build]);
  const dataDir = makeTestFolder('migrated');
  await (await openStore({ dataDir, databaseUrl: null })).close();
  process.env.TEST_SQLITE_FILE = join(dataDir, 'wardlight.db');
  process.env.TEST_POSTGRES_URL = await startEmbeddedPostgres();
}
