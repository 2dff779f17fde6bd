import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stopEmbeddedPostgres } from './embeddedPostgres';
import { testVariable } from './database';

/** Runs once after the tests of the node project. */
export default async function removeStores(): Promise<void> {
  await rm(dirname(testVariable('TEST_SQLITE_FILE')), { recursive: true, force: true });
  await stopEmbeddedPostgres();
}
