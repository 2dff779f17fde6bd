import { stopEmbeddedPostgres } from './embeddedPostgres';

/** Runs once after the tests of the node project. */
export default async function stopPostgres(): Promise<void> {
  await stopEmbeddedPostgres();
}
