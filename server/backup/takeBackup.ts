import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { loadSqlite } from '../db/loadSqlite';
import { holdFileLock } from '../db/lock';
import { checkFiles, digestFile, flush, writeManifest, type Contents, type Manifest } from './manifest';
import { copyPostgres, inspectPostgresFiles } from './postgresBackup';
import { copySqlite } from './sqliteBackup';
import { backupsFolder, listBackups } from './state';

/** Two weeks of daily backups. */
const backupsKept = 14;
const unfinished = '.unfinished-';

/**
 * Takes a backup of the running store and checks it before it counts as finished. Keeps the last 14. Returns its folder
 * and manifest. Rejects if another one is being taken, or if this one fails: then nothing of it is left, and the
 * earlier backups stay.
 */
export async function takeBackup(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
  now: EpochMs,
): Promise<{ folder: string; manifest: Manifest }> {
  const folder = backupsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const release = holdFileLock(loadSqlite(), folder, new Error('A backup is being taken already'));
  const name = `${toInstant(now).slice(0, 19).replaceAll(':', '-')}Z`;
  const partial = path.join(folder, unfinished + name);
  try {
    await removeUnfinished(folder);
    await mkdir(partial, { mode: 0o700 });
    const contents =
      databaseUrl === null ? await copySqlite(dataDir, partial) : await copyPostgres(databaseUrl, partial);
    if (databaseUrl !== null) {
      await inspectPostgresFiles(partial, contents);
    }
    const manifest = await finish(partial, contents, databaseUrl === null ? 'sqlite' : 'postgres', now);
    const finished = path.join(folder, name);
    await rename(partial, finished);
    await flush(folder);
    await removeOldest(folder);
    return { folder: finished, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

async function finish(
  partial: string,
  contents: Contents,
  engine: Manifest['engine'],
  now: EpochMs,
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const name of (await readdir(partial)).sort()) {
    files[name] = await digestFile(path.join(partial, name));
  }
  const manifest: Manifest = { format: 1, engine, takenAt: now, ...contents, files };
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

async function removeOldest(folder: string): Promise<void> {
  const backups = await listBackups(folder);
  for (const { folder: old } of backups.slice(0, Math.max(0, backups.length - backupsKept))) {
    // Renamed first, so that a backup that is half deleted is never listed as a finished one.
    const removed = path.join(folder, unfinished + path.basename(old));
    await rename(old, removed);
    await rm(removed, { recursive: true, force: true });
  }
}
