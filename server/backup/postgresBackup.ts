import { createReadStream, createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { z } from 'zod';
import { createChainCheck, type AuditRow } from '../audit/chain';
import { schemaStatements } from '../db/migrate';
import type { Database } from '../db/schema';
import { encryptedName, type BackupKeys } from './cipher';
import { flush, type Contents, type Manifest } from './manifest';

/** The name of a table's file; an encrypted one has an ending in addition. */
const fileOf = (table: string): string => `${table}.copy.gz`;
const placeOf = (folder: string, table: string, keys: BackupKeys | null): string =>
  path.join(folder, keys === null ? fileOf(table) : encryptedName(fileOf(table)));
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const list = (columns: readonly string[]): string => columns.map(quoted).join(', ');

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'wardlight-backup',
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  });
  // A connection that breaks also fails the query that runs on it, which reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    // In the middle of a COPY, client.end() would wait for the rest of the table.
    socket.destroy();
    throw error;
  }
}

/** Copies all tables, in one snapshot, into compressed files of a folder, and returns what they contain. */
export async function copyPostgres(databaseUrl: string, into: string, keys: BackupKeys | null): Promise<Contents> {
  return await withClient(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: columns } = await client.query<{ table_name: string; column_name: string }>(
      `SELECT c.table_name, c.column_name FROM information_schema.columns c
        JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
        ORDER BY c.table_name, c.ordinal_position`,
    );
    const tables: Contents['tables'] = {};
    for (const name of new Set(columns.map(({ table_name }) => table_name))) {
      const ofTable = columns.filter(({ table_name }) => table_name === name).map(({ column_name }) => column_name);
      const file = placeOf(into, name, keys);
      // In the order of its chain of hashes, so that the chain can be checked while the file is read.
      const order = name === 'audit' ? ' ORDER BY id' : '';
      const source = client.query(to(`COPY (SELECT ${list(ofTable)} FROM ${quoted(name)}${order}) TO STDOUT`));
      await pipeline(
        source,
        createGzip({ level: 4 }),
        keys?.encrypt(fileOf(name)) ?? new PassThrough(),
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      );
      await flush(file);
      tables[name] = { rows: source.rowCount, columns: ofTable };
    }
    const version = await client.query<{ version: number }>('SELECT max(version) AS version FROM schema_versions');
    const head = await client.query<{ last_id: number; hash: string }>('SELECT last_id, hash FROM audit_head');
    await client.query('COMMIT');
    return {
      schemaVersion: Number(version.rows[0]?.version),
      auditHead: { id: Number(head.rows[0]?.last_id), hash: head.rows[0]?.hash ?? '' },
      tables,
    };
  });
}

const number = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
const auditCells = z.object({
  id: number,
  at: number,
  site_id: number.nullable(),
  actor: z.string(),
  actor_id: number.nullable(),
  session: z.string().nullable(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
  action: z.string(),
  object_type: z.string().nullable(),
  object_id: number.nullable(),
  outcome: z.string(),
  details: z.string().nullable(),
  hash: z.string(),
});

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Returns the cells of a line of PostgreSQL's COPY text format. The line has no line feed; null is NULL. */
export function parseCopyLine(line: string): (string | null)[] {
  return line
    .split('\t')
    .map((cell) => (cell === '\\N' ? null : cell.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)));
}

/** Yields the lines of a stream of COPY text. Only a line feed ends one: other separators may be part of a cell. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

/** Reads the files back. Rejects if one has another number of rows than was copied, or if the audit is not whole. */
export async function inspectPostgresFiles(
  folder: string,
  { tables, auditHead }: Contents,
  keys: BackupKeys | null,
): Promise<void> {
  const chain = createChainCheck([]);
  for (const [name, { rows, columns }] of Object.entries(tables)) {
    let count = 0;
    await pipeline(
      createReadStream(placeOf(folder, name, keys)),
      keys?.decrypt(fileOf(name)) ?? new PassThrough(),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => {
        for await (const line of linesOf(source)) {
          count += 1;
          const fault = name === 'audit' ? chain.take(auditRowOf(line, columns)) : null;
          if (fault !== null) {
            throw new Error(`The audit in the backup is not whole: row ${fault.row ?? ''} ${fault.why}`);
          }
        }
      },
    );
    if (count !== rows) {
      throw new Error(`The backup is damaged: ${name} has ${count} rows, not ${rows}`);
    }
  }
  if (chain.head().id !== auditHead.id || chain.head().hash !== auditHead.hash) {
    throw new Error('The audit in the backup is not whole: it does not end where it ended');
  }
}

function auditRowOf(line: string, columns: readonly string[]): AuditRow {
  const cells = parseCopyLine(line);
  return auditCells.parse(Object.fromEntries(columns.map((column, index) => [column, cells[index]])));
}

/**
 * Restores a backup into an empty database and then calls `settle` in the same transaction, all of it or nothing, and
 * returns its result. Rejects if the database has any table.
 */
export async function restorePostgres<Result>(
  folder: string,
  manifest: Manifest,
  { databaseUrl, keys }: { databaseUrl: string; keys: BackupKeys | null },
  settle: (transaction: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  return await withClient(databaseUrl, async (client) => {
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
    return await db.transaction().execute(async (transaction) => {
      await copyBack(client, folder, manifest, keys);
      return await settle(transaction);
    });
  });
}

/** Returns a pool of the one connection, whose transaction the copying is a part of. */
function poolOf(client: pg.Client): PostgresPool {
  return {
    connect: () => Promise.resolve(Object.assign(client, { release: () => undefined })),
    end: () => Promise.resolve(),
  };
}

async function copyBack(client: pg.Client, folder: string, manifest: Manifest, keys: BackupKeys | null): Promise<void> {
  const { rows: known } = await client.query(
    `SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() LIMIT 1`,
  );
  if (known.length > 0) {
    throw new Error('The database is not empty. Restore into an empty one: nothing is ever overwritten');
  }
  for (const statement of schemaStatements('postgres', manifest.schemaVersion)) {
    await client.query(statement);
  }
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `SELECT c.relname AS child, p.relname AS parent FROM pg_constraint f
        JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class p ON p.oid = f.confrelid
        WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace`,
  );
  for (const name of parentsFirst(Object.keys(manifest.tables), references)) {
    const { columns = [], rows = 0 } = manifest.tables[name] ?? {};
    const filled = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (filled.rows.length > 0) {
      await client.query(`DELETE FROM ${quoted(name)}`);
    }
    const target = client.query(from(`COPY ${quoted(name)} (${list(columns)}) FROM STDIN`));
    await pipeline(
      createReadStream(placeOf(folder, name, keys)),
      keys?.decrypt(fileOf(name)) ?? new PassThrough(),
      createGunzip(),
      target,
    );
    if (target.rowCount !== rows) {
      throw new Error(`${name} took ${target.rowCount} rows, not ${rows}`);
    }
    const identity = await client.query<{ sequence: string | null }>(
      `SELECT pg_get_serial_sequence($1, column_name) AS sequence FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $2 AND is_identity = 'YES'`,
      [quoted(name), name],
    );
    for (const { sequence } of identity.rows) {
      await client.query(
        `SELECT setval($1, greatest((SELECT max(id) FROM ${quoted(name)}), 1),
            EXISTS (SELECT 1 FROM ${quoted(name)}))`,
        [sequence],
      );
    }
  }
}

/** Returns the tables in an order in which each follows the tables that it references. */
function parentsFirst(tables: readonly string[], references: readonly { child: string; parent: string }[]): string[] {
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) {
      return;
    }
    for (const { child, parent } of references) {
      if (child === name && parent !== name) {
        visit(parent);
      }
    }
    ordered.add(name);
  };
  for (const name of tables) {
    visit(name);
  }
  return [...ordered];
}
