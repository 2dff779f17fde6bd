import type { Store } from '../server/db/open';

/** Resolves when a store takes writes again: a SQLite file that was locked is tried once a second. */
export async function untilWritable({ db }: Store): Promise<void> {
  const write = (): Promise<boolean> =>
    db
      .deleteFrom('progress')
      .where('name', '=', '')
      .execute()
      .then(
        () => true,
        () => false,
      );
  while (!(await write())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
