import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { freePort } from '../test/freePort';
import { startServer, type TestServer } from './startServer';

/** What a shared server has beside its sites: nothing, the HL7 listener, or a key of the chat service. */
const kinds = ['plain', 'hl7', 'chat'] as const;
export type SharedKind = (typeof kinds)[number];

const sharedServer = z.object({ url: z.string(), dataDir: z.string(), hl7Port: z.int() });
export type SharedServer = z.output<typeof sharedServer>;

/** Where the specs ask, in the environment of each worker. */
const variable = 'SHARED_SERVERS_URL';

/** The first site of a shared server belongs to no spec. */
const firstSite = {
  ADMIN_EMAIL: 'robin@example.org',
  ADMIN_PASSWORD: 'correct horse battery',
  ADMIN_TYPE: 'physician',
  SITE_NAME: 'The first site',
  SITE_TIME_ZONE: 'UTC',
};

/**
 * Playwright's global setup: keeps the servers that specs share. Each starts when the first spec asks for it, so a run
 * of one spec starts no other, and all end with the run.
 */
export default async function keepSharedServers(): Promise<() => Promise<void>> {
  const begun = new Map<SharedKind, Promise<{ server: TestServer; hl7Port: number }>>();
  const serverOf = async (kind: SharedKind): Promise<SharedServer> => {
    const starting = begun.get(kind) ?? start(kind);
    begun.set(kind, starting);
    const { server, hl7Port } = await starting.catch((problem: unknown) => {
      // The next spec tries again: one start that took too long fails one spec, and not all.
      begun.delete(kind);
      throw problem;
    });
    return { url: server.url, dataDir: server.dataDir, hl7Port };
  };
  const door = createServer((request, response) => {
    const kind = kinds.find((each) => request.url === `/${each}`);
    if (kind === undefined) {
      response.writeHead(404).end();
      return;
    }
    serverOf(kind).then(
      (server) => response.end(JSON.stringify(server)),
      (problem: unknown) => response.writeHead(500).end(String(problem)),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address() as AddressInfo;
  process.env[variable] = `http://127.0.0.1:${address.port}`;
  return async () => {
    door.closeAllConnections();
    door.close();
    for (const starting of begun.values()) {
      await starting.then(
        ({ server }) => server.remove(),
        // It has removed itself.
        () => undefined,
      );
    }
  };
}

async function start(kind: SharedKind): Promise<{ server: TestServer; hl7Port: number }> {
  const hl7Port = kind === 'hl7' ? await freePort() : 0;
  const env = {
    plain: {},
    hl7: { HL7_PORT: String(hl7Port) },
    chat: { STREAM_API_KEY: 'abc123', STREAM_API_SECRET: 'a secret of the chat service' },
  };
  return { server: await startServer({ ...firstSite, ...env[kind] }), hl7Port };
}

/** Returns a server that specs share, once it is ready. */
export async function sharedServerOf(kind: SharedKind): Promise<SharedServer> {
  const response = await fetch(`${process.env[variable] ?? ''}/${kind}`);
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`The shared server "${kind}" did not start: ${text}`);
  }
  return sharedServer.parse(JSON.parse(text));
}
