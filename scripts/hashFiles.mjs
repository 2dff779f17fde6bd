import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Takes paths below `root`, files or folders, and returns one hash over the names and contents that `counts` accepts.
 */
export function hashFiles(root, paths, counts = () => true) {
  const hash = createHash('sha256');
  const add = (path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false });
    if (entry?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) {
        add(`${path}/${name}`);
      }
    } else if (entry?.isFile() && counts(path)) {
      hash.update(`${path}\0${entry.size}\0`).update(readFileSync(join(root, path)));
    }
  };
  paths.forEach(add);
  return hash.digest('hex');
}
