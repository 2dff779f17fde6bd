import type { Engine } from './database';
import { startTestServer, type TestServer } from './testServer';

const started = new Map<string, Promise<TestServer>>();

/**
 * Returns the server of this test file, on an engine and with environment variables; the first caller starts it. It
 * stops after the last test of the file, so `stop` is not called by its users. Sites are isolated, so each test has a
 * site of its own in it. A suite about the start, the clock, the disk, throttles, keys, ports or values that cannot be
 * stored starts a server for itself with `startTestServer`.
 */
export function sharedTestServer(engine: Engine, variables: Record<string, string> = {}): Promise<TestServer> {
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
