import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { toInstant } from '../../lib/time/schema';
import { loadSqlite } from '../db/loadSqlite';
import { holdFileLock } from '../db/lock';
import { checkFiles, digestFile, flush, writeManifest, type Contents, type Manifest } from './manifest';
import { copyPostgres, inspectPostgresFiles } from './postgresBackup';
import { copySqlite } from './sqliteBackup';
import { backupsFolder, listBackups } from './state';

/** Two weeks of days. */
const backupsKept = 14;
const unfinished = '.unfinished-';

/**
 * Takes a backup of the running store, checks it, and only then lets it be one of the finished; older ones beyond the
 * last 14 go. Returns its folder. Throws where one is being taken already, or where it fails: then nothing of it is
 * left and the backups before it stay. `now` is epoch milliseconds.
 */
export async function takeBackup(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
  now: number,
): Promise<{ folder: string; manifest: Manifest }> {
  const folder = backupsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const release = holdFileLock(loadSqlite(), folder, new Error('A backup is being taken already'));
  const name = `${toInstant(now).slice(0, 19).replaceAll(':', '-')}Z`;
  const partial = path.join(folder, unfinished + name);
  try {
    await clear(folder);
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
    await forgetOldest(folder);
    return { folder: finished, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

async function finish(partial: string, contents: Contents, engine: Manifest['engine'], now: number): Promise<Manifest> {
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

/** Removes what a backup that was cut off has left. */
async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(unfinished)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

async function forgetOldest(folder: string): Promise<void> {
  const backups = await listBackups(folder);
  for (const { folder: old } of backups.slice(0, Math.max(0, backups.length - backupsKept))) {
    // First out of the list, so that one that is half gone never passes for a good one.
    const going = path.join(folder, unfinished + path.basename(old));
    await rename(old, going);
    await rm(going, { recursive: true, force: true });
  }
}
