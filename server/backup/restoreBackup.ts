import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { loadSqlite } from '../db/loadSqlite';
import { holdFileLock, holdPostgresLock } from '../db/lock';
import { newestSchemaVersion } from '../db/migrate';
import { checkFiles, flush, haveSameContents, readManifest, type Manifest } from './manifest';
import { inspectPostgresFiles, restorePostgres } from './postgresBackup';
import { inspectSqlite, sqliteFile } from './sqliteBackup';

/** The target of a restore: a data folder for a backup of SQLite, a database for one of PostgreSQL. */
export type RestoreTarget = { dataDir: string } | { databaseUrl: string };

/**
 * Restores a backup into an empty target, all of it or nothing, and returns its manifest. Rejects before it writes
 * anything if the backup is damaged, of the other engine or of a newer Wardlight, if a server runs on the target, or
 * if the target contains data.
 */
export async function restoreBackup(folder: string, target: RestoreTarget): Promise<Manifest> {
  const manifest = await readManifest(folder).catch((error: unknown) => {
    throw new Error(`${folder} is no backup: its manifest cannot be read`, { cause: error });
  });
  if (manifest.schemaVersion > newestSchemaVersion) {
    throw new Error(
      `The backup is of schema version ${manifest.schemaVersion}, this Wardlight knows ${newestSchemaVersion}: ` +
        'restore with a newer Wardlight',
    );
  }
  if ((manifest.engine === 'sqlite') !== 'dataDir' in target) {
    throw new Error(
      manifest.engine === 'sqlite'
        ? 'This is a backup of SQLite: name a data folder to restore it to'
        : 'This is a backup of PostgreSQL: name the URL of an empty database to restore it to',
    );
  }
  await checkFiles(folder, manifest);
  if ('dataDir' in target) {
    await restoreSqlite(folder, manifest, target.dataDir);
  } else {
    await inspectPostgresFiles(folder, manifest);
    const lock = await holdPostgresLock(target.databaseUrl);
    try {
      await restorePostgres(folder, manifest, target.databaseUrl);
    } finally {
      await lock.release();
    }
  }
  return manifest;
}

async function restoreSqlite(folder: string, manifest: Manifest, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = holdFileLock(loadSqlite(), dataDir);
  const finished = path.join(dataDir, sqliteFile);
  const partial = `${finished}.unfinished`;
  try {
    if (await exists(finished)) {
      throw new Error(`${dataDir} holds data already. Restore into an empty folder: nothing is ever overwritten`);
    }
    await copyFile(path.join(folder, sqliteFile), partial, constants.COPYFILE_FICLONE);
    await chmod(partial, 0o600);
    await flush(partial);
    if (!haveSameContents(await inspectSqlite(partial, null), manifest)) {
      throw new Error('The backup is damaged: it does not hold what its manifest says');
    }
    await rename(partial, finished);
    await flush(dataDir);
  } finally {
    await rm(partial, { force: true });
    release();
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
