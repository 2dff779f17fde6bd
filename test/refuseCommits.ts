import { sql } from 'kysely';
import type { Store } from '../server/db/open';

/**
 * Makes every commit that inserts into a table fail, by a rule that the store checks only at the commit; returns the
 * function that ends that.
 */
export async function refuseCommits(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  table = 'samples',
): Promise<() => Promise<void>> {
  const into = sql.table(table);
  await sql`CREATE TABLE refusal (site_id BIGINT REFERENCES sites (id) DEFERRABLE INITIALLY DEFERRED)`.execute(db);
  if (engine === 'sqlite') {
    await sql`CREATE TRIGGER refuse AFTER INSERT ON ${into} BEGIN INSERT INTO refusal VALUES (-1); END`.execute(db);
  } else {
    await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO refusal VALUES (-1); RETURN NULL; END $$`.execute(db);
    await sql`CREATE TRIGGER refuse AFTER INSERT ON ${into} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`.execute(db);
  }
  return async () => {
    await sql.raw(`DROP TRIGGER refuse${engine === 'sqlite' ? '' : ` ON ${table}`}`).execute(db);
    if (engine === 'postgres') {
      await sql`DROP FUNCTION refuse()`.execute(db);
    }
    await sql`DROP TABLE refusal`.execute(db);
  };
}
