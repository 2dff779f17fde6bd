import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const manifestSchema = z.strictObject({
  /** Of this file and of how the others are written. */
  format: z.literal(1),
  engine: z.enum(['sqlite', 'postgres']),
  schemaVersion: z.int().positive(),
  /** Epoch milliseconds. */
  takenAt: z.int().nonnegative(),
  auditHead: z.object({ id: z.int().nonnegative(), hash: z.string() }),
  tables: z.record(z.string(), z.object({ rows: z.int().nonnegative(), columns: z.array(z.string()) })),
  /** By name, with the SHA-256 in hex. */
  files: z.record(z.string().regex(/^[a-z_]+(\.[a-z]+)+$/), z.object({ bytes: z.int().nonnegative(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const manifestName = 'manifest.json';

/** The manifest of a backup's folder. Throws where there is none or it is not one of ours. */
export async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')));
}
