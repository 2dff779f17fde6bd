import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Kysely, SqliteDialect } from 'kysely';
import { readHead, verifyAudit } from '../audit/verify';
import { loadSqlite } from '../db/loadSqlite';
import { noteIfClosed } from '../db/openedMark';
import type { Database } from '../db/schema';
import { encryptedName, type BackupKeys } from './cipher';
import { digestFile, flush, type Contents } from './manifest';

export const sqliteFile = 'wardlight.db';

/**
 * Copies the database of a data folder into another folder, and returns what the copy contains. The server may go on
 * writing: the copy is one read transaction on its own connection. It blocks this thread, so the server runs it in
 * another process.
 */
export async function copySqlite(dataDir: string, into: string): Promise<Contents> {
  const Sqlite = loadSqlite();
  const source = new Sqlite(path.join(dataDir, sqliteFile), { fileMustExist: true });
  const copy = path.join(into, sqliteFile);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: source }) });
  let hashBefore: string;
  try {
    hashBefore = (await readHead(db)).hash;
    source.prepare('VACUUM INTO ?').run(copy);
  } finally {
    await db.destroy();
    noteIfClosed(dataDir);
  }
  await chmod(copy, 0o600);
  await flush(copy);
  return await inspectSqlite(copy, hashBefore === '' ? null : hashBefore);
}

/**
 * Replaces the copy of a folder by an encrypted one. Rejects if what it was encrypted to cannot be read back. The copy
 * lay beside the database, which is not encrypted either.
 */
export async function encryptSqlite(folder: string, keys: BackupKeys): Promise<void> {
  const copy = path.join(folder, sqliteFile);
  const encrypted = path.join(folder, encryptedName(sqliteFile));
  await pipeline(
    createReadStream(copy),
    keys.encrypt(sqliteFile),
    createWriteStream(encrypted, { flags: 'wx', mode: 0o600 }),
  );
  await flush(encrypted);
  const readBack = createHash('sha256');
  await pipeline(createReadStream(encrypted), keys.decrypt(sqliteFile), readBack);
  if (readBack.digest('hex') !== (await digestFile(copy)).sha256) {
    throw new Error('The encrypted backup is not what was encrypted');
  }
  await rm(copy);
}

/**
 * Counts what a database file contains. Rejects if the file is damaged, if its audit is not whole, or if the audit
 * lacks the row with the hash `auditHash`.
 */
export async function inspectSqlite(file: string, auditHash: string | null): Promise<Contents> {
  const Sqlite = loadSqlite();
  const sqlite = new Sqlite(file, { fileMustExist: true, readonly: true });
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    if (sqlite.pragma('integrity_check', { simple: true }) !== 'ok') {
      throw new Error('The backup is damaged: SQLite’s own check of the file fails');
    }
    const { head, fault } = await verifyAudit(db, auditHash);
    if (fault !== null) {
      throw new Error(
        `The audit in the backup is not whole: ${fault.row === null ? '' : `row ${fault.row} `}${fault.why}`,
      );
    }
    const names = sqlite
      .prepare<[], { name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .all();
    const tables: Contents['tables'] = {};
    for (const { name } of names) {
      const rows = sqlite.prepare<[], { rows: number }>(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows ?? 0;
      const columns = sqlite.prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)').all(name);
      tables[name] = { rows, columns: columns.map((column) => column.name) };
    }
    const version =
      sqlite.prepare<[], { version: number }>('SELECT max(version) AS version FROM schema_versions').get()?.version ??
      0;
    return { schemaVersion: version, auditHead: head, tables };
  } finally {
    await db.destroy();
  }
}
