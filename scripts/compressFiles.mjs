import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/**
 * Writes a compressed copy, "name.gz", of every text in a folder and its subfolders. Fonts and pictures are compressed
 * already.
 */
export function compressFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.(js|css|json|svg|txt)$/.test(entry.name)) {
      const file = join(entry.parentPath, entry.name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }));
    }
  }
}
