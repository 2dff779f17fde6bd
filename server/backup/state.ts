import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { EpochMs } from '../../lib/time/epochMs';
import { readManifest, type Manifest } from './manifest';

/** A day and two hours: a missed backup is reported, a slow one is not. */
export const overdueAfterMs = 26 * 3_600_000;

export function backupsFolder(dataDir: string): string {
  return path.join(dataDir, 'backups');
}

/** Matches the folder of a finished backup: its instant in UTC. Unfinished ones begin with a dot. */
const finished = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** Returns the finished backups of a folder, oldest first. */
export async function listBackups(folder: string): Promise<{ folder: string; manifest: Manifest }[]> {
  const names = await readdir(folder).catch(() => []);
  const found: { folder: string; manifest: Manifest }[] = [];
  for (const name of names.filter((each) => finished.test(each)).sort()) {
    const manifest = await readManifest(path.join(folder, name)).catch(() => null);
    if (manifest !== null) {
      found.push({ folder: path.join(folder, name), manifest });
    }
  }
  return found;
}

/**
 * Returns when the newest good backup was taken (null: there is none), and whether that is too long ago. One from the
 * future was taken by a wrong clock, and would hide for as long that none is taken.
 */
export async function backupState(
  dataDir: string,
  now: EpochMs,
): Promise<{ takenAt: EpochMs | null; isOverdue: boolean }> {
  const known = (await listBackups(backupsFolder(dataDir))).map(({ manifest }) => manifest.takenAt);
  const takenAt = known.findLast((at) => at <= now) ?? null;
  return { takenAt, isOverdue: takenAt === null || now - takenAt > overdueAfterMs };
}
