import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as ServerForScreens from './serverForScreens';
import type { TestServer } from './testServer';

const load = createRequire(__filename);

let running: Promise<TestServer> | null = null;

/** Returns what prepareScreens.ts has bundled. Node loads it once for all test files of this process. */
export function serverForScreens(): typeof ServerForScreens {
  return load(join(__dirname, '../dist/serverForScreens.js')) as typeof ServerForScreens;
}

/** Returns the real server of this process; the first test that needs it starts it. */
export function workerServer(): Promise<TestServer> {
  running ??= start();
  return running;
}

/** Stops the server if a test file has moved its clock: the next one begins with the time of the invented ward. */
export async function stopIfMoved(): Promise<void> {
  const server = await running;
  if (server !== null && server.now() !== serverForScreens().wardNow) {
    running = null;
    await server.stop();
  }
}

async function start(): Promise<TestServer> {
  const nativeParts = takeNativeParts();
  const server = await serverForScreens().startScreenServer();
  takeNativeParts();
  Object.assign(load.cache, nativeParts);
  process.once('exit', () => {
    for (const folder of serverForScreens().folders) {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return server;
}

/**
 * Takes SQLite's native part out of Node's cache. A copy of it makes errors of the class that it was loaded with first:
 * this server has one of its own, and so have the test files that open a store, as before.
 */
function takeNativeParts(): object {
  const taken = Object.entries(load.cache).filter(([file]) => /better-sqlite3.*\.node$/.test(file));
  for (const [file] of taken) {
    Reflect.deleteProperty(load.cache, file);
  }
  return Object.fromEntries(taken);
}
