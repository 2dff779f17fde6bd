import { randomBytes } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type QueryResult } from 'pg';
import { openStore } from '../server/db/open';
import { makeTestFolder } from './testFolder';

/**
 * Suites about what is stored, and about calls that compete for a row, run on both:
 * `describe.each(engines)('on %s', (engine) => ...)`.
 */
export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Suites about the rules above the store (permissions, throttling, sentences) need one engine. */
export const apiEngines = apiEnginesOf(process.env.ENGINES);

/** `ENGINES=all` is the long run: every suite that can use either engine uses both. */
export function apiEnginesOf(variable: string | undefined): readonly Engine[] {
  if (variable !== undefined && variable !== '' && variable !== 'all') {
    throw new Error(`ENGINES is ${variable}; the only value that means something is "all"`);
  }
  return variable === 'all' ? engines : ['sqlite'];
}

/** The place of one test's data, for `openStore`: SQLite has no URL, its file is in `dataDir`. */
export interface TestDatabase {
  dataDir: string;
  databaseUrl: string | null;
  /** Drops the database and removes the folder; connections that are still open are cut. */
  remove(): Promise<void>;
}

/**
 * Creates a database without rows for the caller, so that tests cannot see each other's. It has no tables yet, or with
 * `isMigrated` those of now: to copy them takes a third of the time of a migration on PostgreSQL, a tenth on SQLite.
 */
export async function createTestDatabase(engine: Engine, isMigrated = false): Promise<TestDatabase> {
  const dataDir = makeTestFolder('test');
  const removeFolder = async (): Promise<void> => {
    for (const folder of [dataDir, `${dataDir}-keys`]) {
      await rm(folder, { recursive: true, force: true });
    }
  };
  if (engine === 'sqlite') {
    const migrated = process.env.TEST_SQLITE_FILE;
    // Benchmarks have no such file: the server that opens theirs migrates it.
    if (isMigrated && migrated !== undefined) {
      await copyFile(migrated, join(dataDir, 'wardlight.db'));
    }
    return { dataDir, databaseUrl: null, remove: removeFolder };
  }
  const name = `w_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${isMigrated ? await migratedDatabase() : 'template1'}`);
  return {
    dataDir,
    databaseUrl: urlOf(name),
    remove: async () => {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
      await removeFolder();
    },
  };
}

/**
 * Returns the name of a database with all tables. Each process has its own, because a database in use cannot be copied.
 */
async function migratedDatabase(): Promise<string> {
  const name = `migrated_${process.pid}`;
  const { rowCount } = await administer(`SELECT FROM pg_database WHERE datname = '${name}'`);
  if (rowCount === 0) {
    await administer(`CREATE DATABASE ${name}`);
    const store = await openStore({ dataDir: '', databaseUrl: urlOf(name) });
    await store.close();
  }
  return name;
}

function urlOf(database: string): string {
  const url = new URL(testVariable('TEST_POSTGRES_URL'));
  url.pathname = `/${database}`;
  return url.toString();
}

/** Returns a variable of test/prepareStores.ts. Throws in a project of jest that does not run it. */
export function testVariable(name: 'TEST_SQLITE_FILE' | 'TEST_POSTGRES_URL'): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: tests on stores are in the node project of jest.config.ts, which sets it`);
  }
  return value;
}

async function administer(statement: string): Promise<QueryResult> {
  const client = new Client({ connectionString: testVariable('TEST_POSTGRES_URL') });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
