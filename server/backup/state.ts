import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readManifest, type Manifest } from './manifest';

/** A day and two hours: one that was missed shows, one that took its time does not. */
export const overdueAfterMs = 26 * 3_600_000;

export function backupsFolder(dataDir: string): string {
  return path.join(dataDir, 'backups');
}

/** A finished backup's folder, named after the instant in UTC; what is still being made begins with a dot. */
const finished = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** The finished backups of a folder, oldest first. */
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
 * When the newest good backup was taken (epoch milliseconds, null: there is none), and whether that is too long ago.
 */
export async function backupState(
  dataDir: string,
  now: number,
): Promise<{ takenAt: number | null; isOverdue: boolean }> {
  const takenAt = (await listBackups(backupsFolder(dataDir))).at(-1)?.manifest.takenAt ?? null;
  return { takenAt, isOverdue: takenAt === null || now - takenAt > overdueAfterMs };
}
