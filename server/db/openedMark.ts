import { closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * The file in DATA_DIR that says that there is a database here, and whether the process that had it open has closed it.
 */
const markOf = (dataDir: string): string => path.join(dataDir, 'wardlight.opened');
/** Of one length: a full disk takes the one in the place of the other. */
const [opened, closed] = ['opened\n', 'closed\n'];

/** The header of a SQLite file, in bytes. Of a shorter file SQLite makes a new database, without its journal. */
const headerBytes = 100;

/**
 * Throws if the database of the folder is gone or empty, or if its last process did not close it and its journal is
 * gone, which holds what was acknowledged last. SQLite would begin with an empty database, or without those rows, and
 * say nothing.
 */
export function requireWhole(dataDir: string): void {
  const mark = readOrNull(markOf(dataDir));
  const file = path.join(dataDir, 'wardlight.db');
  if (mark === null) {
    return;
  }
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  if (bytes === null || bytes < headerBytes) {
    throw new Error(
      `There was a database in ${dataDir}, and wardlight.db is ${bytes === null ? 'gone' : 'empty'}. ` +
        'Put it back or bring a backup back (npm run restore). To begin with a new one, remove wardlight.opened',
    );
  }
  if (mark === opened && !existsSync(`${file}-wal`)) {
    throw new Error(
      `The server in ${dataDir} was not stopped, and its journal wardlight.db-wal is gone, which held what was ` +
        'stored last. Put it back or bring a backup back (npm run restore). If another program has opened ' +
        'wardlight.db since, which takes the journal in, remove wardlight.opened',
    );
  }
}

/** Throws if there is no database in the folder. */
export function requireDatabase(dataDir: string): void {
  if (!existsSync(path.join(dataDir, 'wardlight.db'))) {
    throw new Error(`There is no database in ${path.resolve(dataDir)}. DATA_DIR names the folder that has it`);
  }
}

/** Notes that this process has the database of the folder open. Call it once its journal is there. */
export function noteOpened(dataDir: string): void {
  write(dataDir, opened);
}

/** Notes that the database of the folder is whole without a journal. */
export function noteClosed(dataDir: string): void {
  write(dataDir, closed);
}

/**
 * To be called after a command has closed the database: if it was the last that had it open, SQLite has taken the
 * journal in, whatever became of the server.
 */
export function noteIfClosed(dataDir: string): void {
  if (readOrNull(markOf(dataDir)) === opened && !existsSync(path.join(dataDir, 'wardlight.db-wal'))) {
    noteClosed(dataDir);
  }
}

function write(dataDir: string, text: string): void {
  const file = openSync(markOf(dataDir), constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    writeSync(file, text, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
