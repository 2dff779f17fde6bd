import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Kysely, SqliteDialect } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { loadSqlite } from '../db/loadSqlite';
import { holdFileLock, holdPostgresLock } from '../db/lock';
import { checkSchemaVersion } from '../db/migrate';
import { noteClosed } from '../db/openedMark';
import type { Database } from '../db/schema';
import { readKey } from '../readKey';
import { encryptedName, type BackupKeys } from './cipher';
import { checkFiles, flush, haveSameContents, keysOf, readManifest, type Manifest } from './manifest';
import { inspectPostgresFiles, restorePostgres } from './postgresBackup';
import { settleRestored, type Settled } from './settleRestored';
import { inspectSqlite, sqliteFile } from './sqliteBackup';

/** The target of a restore: a data folder for a backup of SQLite, a database for one of PostgreSQL. */
export type RestoreTarget = { dataDir: string } | { databaseUrl: string };

/**
 * Restores a backup into an empty target, all of it or nothing, ends what it would revive (`settleRestored`), and
 * returns its manifest and what that found. Rejects before it writes anything if the backup is damaged, of the other
 * engine or of a schema version that this Wardlight does not take, if its key is missing, if a server runs on the
 * target, or if the target has data.
 */
export async function restoreBackup(
  folder: string,
  target: RestoreTarget,
  { now, backupKeyFile }: { now: EpochMs; backupKeyFile: string | null },
): Promise<{ manifest: Manifest; settled: Settled }> {
  const manifest = await readManifest(folder).catch((error: unknown) => {
    throw new Error(`${folder} is no backup: its manifest cannot be read`, { cause: error });
  });
  checkSchemaVersion(manifest.schemaVersion, 'The backup is', 'restore with');
  if ((manifest.engine === 'sqlite') !== 'dataDir' in target) {
    throw new Error(
      manifest.engine === 'sqlite'
        ? 'This is a backup of SQLite: name a data folder to restore it to'
        : 'This is a backup of PostgreSQL: name the URL of an empty database to restore it to',
    );
  }
  const keys = keysOf(manifest, backupKeyFile === null ? null : await readKey(backupKeyFile, 'BACKUP_KEY_FILE'));
  await checkFiles(folder, manifest);
  const settle = (transaction: Kysely<Database>): Promise<Settled> => settleRestored(transaction, now, manifest.tables);
  if ('dataDir' in target) {
    return { manifest, settled: await restoreSqlite(folder, manifest, { dataDir: target.dataDir, keys }, settle) };
  }
  const { databaseUrl } = target;
  await inspectPostgresFiles(folder, manifest, keys);
  const lock = await holdPostgresLock(databaseUrl);
  try {
    return { manifest, settled: await restorePostgres(folder, manifest, { databaseUrl, keys }, settle) };
  } finally {
    await lock.release();
  }
}

async function restoreSqlite(
  folder: string,
  manifest: Manifest,
  { dataDir, keys }: { dataDir: string; keys: BackupKeys | null },
  settle: (transaction: Kysely<Database>) => Promise<Settled>,
): Promise<Settled> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = holdFileLock(loadSqlite(), dataDir);
  const finished = path.join(dataDir, sqliteFile);
  const partial = `${finished}.unfinished`;
  try {
    if (existsSync(finished)) {
      throw new Error(`${dataDir} holds data already. Restore into an empty folder: nothing is ever overwritten`);
    }
    if (keys === null) {
      await copyFile(path.join(folder, sqliteFile), partial, constants.COPYFILE_FICLONE);
    } else {
      const encrypted = createReadStream(path.join(folder, encryptedName(sqliteFile)));
      await pipeline(encrypted, keys.decrypt(sqliteFile), createWriteStream(partial, { mode: 0o600 }));
    }
    await chmod(partial, 0o600);
    await flush(partial);
    if (!haveSameContents(await inspectSqlite(partial, null), manifest)) {
      throw new Error('The backup is damaged: it does not hold what its manifest says');
    }
    const settled = await settleSqlite(partial, settle);
    await flush(partial);
    await rename(partial, finished);
    // Whatever became of the database that was here before.
    noteClosed(dataDir);
    await flush(dataDir);
    return settled;
  } finally {
    await rm(partial, { force: true });
    release();
  }
}

async function settleSqlite(
  file: string,
  settle: (transaction: Kysely<Database>) => Promise<Settled>,
): Promise<Settled> {
  const Sqlite = loadSqlite();
  const sqlite = new Sqlite(file, { fileMustExist: true });
  sqlite.pragma('synchronous = FULL');
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    return await db.transaction().execute(settle);
  } finally {
    await db.destroy();
  }
}
