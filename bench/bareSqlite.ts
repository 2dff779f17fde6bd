import { loadSqlite } from '../server/db/loadSqlite';
import { openStore } from '../server/db/open';
import { sqliteStatements } from '../server/ingest/sqliteWriter';

/**
 * The limit of ingest: the same rows into the same table by better-sqlite3 alone, a transaction a batch, every commit
 * flushed. Arguments: empty folder, seconds, rows a batch, patients. Prints rows per second.
 */
async function main(): Promise<void> {
  const [dataDir = '', seconds = '3', batch = '500', patients = '250'] = process.argv.slice(2);
  const store = await openStore({ dataDir, databaseUrl: null });
  await store.close();
  const Sqlite = loadSqlite();
  const sqlite = new Sqlite(`${dataDir}/wardlight.db`);
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('cache_size = -65536');
  sqlite.pragma('wal_autocheckpoint = 4000');
  const insert = sqlite.prepare(sqliteStatements.insert);
  let takenAt = Date.UTC(2026, 4, 1);
  const writeBatch = sqlite.transaction(() => {
    for (let row = 0; row < Number(batch); row += 1) {
      const patient = (row >> 1) % Number(patients);
      insert.run(
        Math.floor(takenAt / 60_000),
        patient + 1,
        1 + (row & 1),
        takenAt,
        1,
        1,
        60 + (row % 40),
        0,
        takenAt + 200,
        0,
      );
    }
    takenAt += 1000;
  });
  const start = performance.now();
  let rows = 0;
  while (performance.now() - start < Number(seconds) * 1000) {
    writeBatch.immediate();
    rows += Number(batch);
  }
  process.stdout.write(`${Math.round(rows / ((performance.now() - start) / 1000))}\n`);
  sqlite.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
