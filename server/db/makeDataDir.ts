import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Makes the folder of the data unless it is there. Throws an error that names it if it cannot be written to. */
export function makeDataDir(dataDir: string): void {
  const folder = path.resolve(dataDir);
  try {
    make(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown fault';
    throw new Error(`DATA_DIR names ${folder}, which is no folder that can be written to (${why})`, { cause: error });
  }
}

/** Node's own recursive mode never ends where a folder such as /proc takes none. */
function make(folder: string): void {
  if (!existsSync(folder)) {
    make(path.dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  } else if (!statSync(folder).isDirectory()) {
    throw new Error(`${folder} is a file`);
  }
}
