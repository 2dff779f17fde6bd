import { sql } from 'kysely';
import type { TestServer } from './testServer';
import { holdWriteLock } from './holdWriteLock';

/**
 * Lets the store of a server answer and take no writes: SQLite because another process holds the file, PostgreSQL
 * because it has become read-only. Returns the function that ends that.
 */
export async function refuseWrites({ server, store }: TestServer): Promise<() => Promise<void>> {
  if (store.engine === 'sqlite') {
    return await holdWriteLock(server.env.dataDir);
  }
  const { db } = store;
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db);
  const database = sql.id(rows[0]?.name ?? '');
  const set = async (isReadOnly: boolean): Promise<void> => {
    // The setting itself has to be written, and holds for connections that begin after it.
    await db.connection().execute(async (connection) => {
      await sql`SET default_transaction_read_only = off`.execute(connection);
      const to = isReadOnly ? 'on' : 'off';
      await sql`ALTER DATABASE ${database} SET default_transaction_read_only = ${sql.raw(to)}`.execute(connection);
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'wardlight' AND pid <> pg_backend_pid()`.execute(connection);
      await sql`SET default_transaction_read_only = ${sql.raw(to)}`.execute(connection);
    });
  };
  await set(true);
  return () => set(false);
}
