import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { loadSqlite } from '../db/loadSqlite';
import { holdFileLock } from '../db/lock';
import { requireDatabase } from '../db/openedMark';
import type { Env } from '../env';
import { readKey } from '../readKey';
import { backupKeys, type BackupKeys } from './cipher';
import { checkFiles, digestFile, flush, sealManifest, writeManifest, type Contents, type Manifest } from './manifest';
import { copyPostgres, inspectPostgresFiles } from './postgresBackup';
import { copySqlite, encryptSqlite } from './sqliteBackup';
import { backupsFolder, listBackups } from './state';

/** Two weeks of daily backups. */
const backupsKept = 14;
const unfinished = '.unfinished-';

/**
 * Takes a backup of the running store, encrypted if a file of a key is named, and checks it before it counts as
 * finished. Keeps the last 14. Returns its folder and manifest. Rejects if another one is being taken, or if this one
 * fails: then nothing of it is left, and the earlier backups stay.
 */
export async function takeBackup(
  { dataDir, databaseUrl, backupKeyFile }: Pick<Env, 'dataDir' | 'databaseUrl' | 'backupKeyFile'>,
  now: EpochMs,
): Promise<{ folder: string; manifest: Manifest }> {
  if (databaseUrl === null) {
    requireDatabase(dataDir);
  }
  const folder = backupsFolder(dataDir);
  const salt = randomBytes(32).toString('base64url');
  const keys = backupKeyFile === null ? null : backupKeys(await readKey(backupKeyFile, 'BACKUP_KEY_FILE'), salt);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const release = holdFileLock(loadSqlite(), folder, new Error('A backup is being taken already'));
  const name = freeName(await readdir(folder), now);
  const partial = path.join(folder, unfinished + name);
  try {
    await removeUnfinished(folder);
    await mkdir(partial, { mode: 0o700 });
    const contents =
      databaseUrl === null ? await copySqlite(dataDir, partial) : await copyPostgres(databaseUrl, partial, keys);
    if (databaseUrl !== null) {
      await inspectPostgresFiles(partial, contents, keys);
    } else if (keys !== null) {
      await encryptSqlite(partial, keys);
    }
    const manifest = await finish(partial, now, {
      ...contents,
      engine: databaseUrl === null ? 'sqlite' : 'postgres',
      seal: keys === null ? null : { salt, keys },
    });
    const finished = path.join(folder, name);
    await rename(partial, finished);
    await flush(folder);
    await removeOldest(folder, now);
    return { folder: finished, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

/** Returns the name of a backup of now, or of the next second that no other has. */
function freeName(taken: readonly string[], now: EpochMs): string {
  const name = `${toInstant(now).slice(0, 19).replaceAll(':', '-')}Z`;
  return taken.includes(name) ? freeName(taken, now + 1_000) : name;
}

async function finish(
  partial: string,
  now: EpochMs,
  { seal, ...contents }: Contents & Pick<Manifest, 'engine'> & { seal: { salt: string; keys: BackupKeys } | null },
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const name of (await readdir(partial)).sort()) {
    files[name] = await digestFile(path.join(partial, name));
  }
  const plain: Manifest = { format: 1, takenAt: now, ...contents, files };
  const manifest = seal === null ? plain : sealManifest(plain, seal.salt, seal.keys);
  await writeManifest(partial, manifest);
  await checkFiles(partial, manifest);
  await flush(partial);
  return manifest;
}

/** Removes the remains of interrupted backups. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(unfinished)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Those from the future are the oldest: a clock that was ahead took them, and the one of now stays in any case. */
async function removeOldest(folder: string, now: EpochMs): Promise<void> {
  const listed = await listBackups(folder);
  const isAhead = ({ manifest }: (typeof listed)[number]): boolean => manifest.takenAt > now;
  const backups = [...listed.filter(isAhead), ...listed.filter((backup) => !isAhead(backup))];
  for (const { folder: old } of backups.slice(0, Math.max(0, backups.length - backupsKept))) {
    // Renamed first, so that a backup that is half deleted is never listed as a finished one.
    const removed = path.join(folder, unfinished + path.basename(old));
    await rename(old, removed);
    await rm(removed, { recursive: true, force: true });
  }
}
