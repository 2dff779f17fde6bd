import { join } from 'node:path';
import { calls, type CallName } from '../lib/api/calls';
import type { Declaration } from '../lib/api/declaration';
import { openStore } from '../server/db/open';
import { wardNow } from './inventedWard';
import { makeTestFolder } from './testFolder';
import { startTestServer, type TestServer } from './testServer';

/**
 * What tests of screens need of the server. It is bundled (prepareScreens.ts) and loaded by the process that runs the
 * tests, once, and not in the page of each test file: that would take a second each time.
 */

/** The call that a request of a page is for. */
export interface ReceivedCall {
  name: CallName;
  /** `params`, `query` and `body`, those that the call has, as the server reads them. */
  input: { params?: unknown; query?: unknown; body?: unknown };
  /** What is wrong with the request; null if nothing is. */
  fault: string | null;
}

const routes = Object.entries(calls).map(([name, call]: [string, Declaration]) => ({
  name: name as CallName,
  call,
  path: new RegExp(`^${call.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/** Returns the call that a request is for, or null if there is none. */
export function receive(method: string, address: string, body: unknown): ReceivedCall | null {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  for (const { name, call, path } of routes) {
    const match = call.method === method ? path.exec(pathname) : null;
    if (match !== null) {
      const faults: string[] = [];
      const read = (part: 'params' | 'query' | 'body', given: unknown): object => {
        const parsed = call[part]?.safeParse(given);
        if (parsed?.success === false) {
          faults.push(`${part}: ${parsed.error.message}`);
        }
        return parsed === undefined ? {} : { [part]: parsed.data ?? given };
      };
      const input = {
        ...read('params', { ...match.groups }),
        ...read('query', Object.fromEntries(searchParams)),
        ...(call.bytes === undefined ? read('body', body) : { body }),
      };
      return { name, input, fault: faults.length === 0 ? null : `${name} ${faults.join('; ')}` };
    }
  }
  return null;
}

/** Returns what is wrong with a response that a test invents, or null. */
export function faultOf(name: CallName, body: unknown): string | null {
  const declared: Declaration = calls[name];
  const parsed = declared.response.safeParse(body);
  return parsed.success ? null : `The response of ${name} is none of the server: ${parsed.error.message}`;
}

export const statusOf = (name: CallName): number => calls[name].status;

/** What is left on the disk when the process ends. */
export const folders: string[] = [];

/** Starts the server with the clock of the invented ward. */
export async function startScreenServer(): Promise<TestServer> {
  if (process.env.TEST_SQLITE_FILE === undefined) {
    const dataDir = makeTestFolder('migrated');
    folders.push(dataDir);
    await (await openStore({ dataDir, databaseUrl: null })).close();
    process.env.TEST_SQLITE_FILE = join(dataDir, 'wardlight.db');
  }
  const server = await startTestServer('sqlite', {}, wardNow);
  folders.push(server.dataDir);
  return server;
}

export { wardNow };
