import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';

/**
 * Creates a plugin that lets others have the thread after each query, until `end`. SQLite answers in this thread, and a
 * start is one long chain of such answers: without it no request would hear that the server is starting.
 */
export function createStartTurns(): KyselyPlugin & { end(): void } {
  let isStarting = true;
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isStarting) {
        await turn();
      }
      return result;
    },
    end: () => {
      isStarting = false;
    },
  };
}
