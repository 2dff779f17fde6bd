import { startEmbeddedPostgres } from './embeddedPostgres';

/** Runs once before the tests of the node project; jest's workers inherit the variable. */
export default async function startPostgres(): Promise<void> {
  process.env.TEST_POSTGRES_URL = await startEmbeddedPostgres();
}
