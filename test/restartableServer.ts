import type { Engine } from './database';
import { startTestServer, type TestServer } from './testServer';

const started = new Map<string, Promise<TestServer>>();

/**
 * Returns a server of this test file whose tests may call `restart`; otherwise it is as `sharedTestServer` returns it.
 * Its users read the app, the ports and the parts of the server from it each time, because a restart replaces them.
 */
export function restartableTestServer(engine: Engine, variables: Record<string, string> = {}): Promise<TestServer> {
  const key = JSON.stringify([engine, variables]);
  const server = started.get(key) ?? startTestServer(engine, variables);
  started.set(key, server);
  return server;
}

afterAll(async () => {
  for (const server of started.values()) {
    await (await server).stop();
  }
});
