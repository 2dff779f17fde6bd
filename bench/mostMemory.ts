import { setTimeout as wait } from 'node:timers/promises';
import type { TestServer } from '../e2e/startServer';
import { readMetric } from './readMetric';

/** Looks once a second; resolves with the most resident memory that a server had meanwhile, in MB. */
export async function mostMemory(server: TestServer, until: AbortSignal): Promise<number> {
  let most = 0;
  while (!until.aborted) {
    most = Math.max(most, (await readMetric(server, 'process_resident_memory_bytes')) / 1e6);
    await wait(1_000);
  }
  return most;
}
