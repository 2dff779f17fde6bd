import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const load = createRequire(__filename);

/**
 * Returns the better-sqlite3 that runs on this Node. Version 13 ships its binaries and crashes on Node 20; version 12
 * is compiled when it is installed. package.json lists both under two names, and npm installs the one that fits.
 */
export function loadSqlite(): typeof BetterSqlite3 {
  const nodeMajor = Number(process.versions.node.split('.')[0]);
  const name = nodeMajor >= 22 ? 'better-sqlite3-node22' : 'better-sqlite3';
  try {
    return load(name) as typeof BetterSqlite3;
  } catch (error) {
    throw new Error(
      `${name} is not installed. On Node 20 it is compiled while installing ` +
        'and needs python3, make and a C++ compiler; Node 24 needs none.',
      { cause: error },
    );
  }
}
