import path from 'node:path';

/** Returns an error that names the file and the way back if SQLite says that it is damaged, else the same error. */
export function nameDamage(error: unknown, file: string): unknown {
  const isDamage = error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
  return isDamage
    ? new Error(
        `${file} is damaged (${error.message}). Move it away together with its -wal and -shm, then bring the newest ` +
          `backup back: npm run restore -- ${path.join(path.dirname(file), 'backups')}/...`,
        { cause: error },
      )
    : error;
}
