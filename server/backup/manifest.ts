import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { backupKeys, type BackupKeys } from './cipher';

/** What a backup contains, as counted in the copy itself. */
const contents = z.strictObject({
  schemaVersion: z.int().positive(),
  auditHead: z.strictObject({ id: z.int().nonnegative(), hash: z.string() }),
  /** Keyed by table. The names are plain, because files are named after them. */
  tables: z.record(
    z.string().regex(/^\w+$/),
    z.strictObject({ rows: z.int().nonnegative(), columns: z.array(z.string()) }),
  ),
});
export type Contents = z.infer<typeof contents>;

const manifestSchema = contents.extend({
  /** The version of this file's shape and of the other files' format: 2 is encrypted. */
  format: z.union([z.literal(1), z.literal(2)]),
  engine: z.enum(['sqlite', 'postgres']),
  /** An `EpochMs`. */
  takenAt: z.int().nonnegative(),
  /** Keyed by name. The names are plain, because a restore opens the files that they name. */
  files: z.record(
    z.string().regex(/^\w+(\.\w+)+$/),
    z.strictObject({ bytes: z.int().nonnegative(), sha256: z.string() }),
  ),
  /** Of an encrypted backup: the salt of its keys, and the seal of all the rest of this file. */
  encryption: z.strictObject({ cipher: z.literal('aes-256-gcm'), salt: z.string(), seal: z.string() }).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const manifestName = 'manifest.json';

/** Returns whether two copies have the same tables, row counts and schema, and end with the same audit row. */
export function haveSameContents(one: Contents, other: Contents): boolean {
  const [a, b] = [one, other].map(({ schemaVersion, auditHead, tables }) =>
    JSON.stringify([
      schemaVersion,
      auditHead.id,
      auditHead.hash,
      Object.entries(tables).map(([name, { rows, columns }]) => [name, rows, columns]),
    ]),
  );
  return a === b;
}

/** Reads the manifest of a backup's folder. Rejects if there is none, or if it is not a manifest. */
export async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')));
}

/** Writes the manifest, which is the last file of a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(path.join(folder, manifestName), text, { flag: 'wx', mode: 0o600, flush: true });
}

/** Returns the text of a manifest that its seal is of. */
const sealedText = (manifest: Manifest): string =>
  // Parsed, so that the order of the fields is that of the schema.
  JSON.stringify(manifestSchema.parse({ ...manifest, encryption: undefined }));

/** Returns a manifest with its seal. */
export function sealManifest(manifest: Manifest, salt: string, keys: BackupKeys): Manifest {
  const sealed: Manifest = { ...manifest, format: 2 };
  return { ...sealed, encryption: { cipher: 'aes-256-gcm', salt, seal: keys.seal(sealedText(sealed)) } };
}

/**
 * Returns the keys of a backup, or null if it is not encrypted. Throws if the key is missing, or is not the one with
 * which this manifest was sealed.
 */
export function keysOf(manifest: Manifest, key: Buffer | null): BackupKeys | null {
  const { encryption } = manifest;
  if (encryption === undefined) {
    return null;
  }
  if (key === null) {
    throw new Error('This backup is encrypted: name the file of its key with BACKUP_KEY_FILE');
  }
  const keys = backupKeys(key, encryption.salt);
  if (!keys.isSeal(sealedText(manifest), encryption.seal)) {
    throw new Error('The key of BACKUP_KEY_FILE is not that of this backup, or its manifest was changed');
  }
  return keys;
}

/** Returns the size and the SHA-256 of a file. */
export async function digestFile(file: string): Promise<Manifest['files'][string]> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(file), sum);
  return { bytes: (await stat(file)).size, sha256: sum.digest('hex') };
}

/** Flushes a file, or a folder's list of names, to the disk. */
export async function flush(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Rejects unless the files of a backup are those that its manifest names, byte for byte. */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(files)) {
    const found = await digestFile(path.join(folder, name)).catch(() => null);
    if (found?.sha256 !== expected.sha256) {
      throw new Error(
        `The backup is damaged: ${name} ${found === null ? 'is missing' : 'is not the file that was written'}`,
      );
    }
  }
}
