import { sql } from 'kysely';
import { createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { openStore, type Store } from './open';
import { createWritableCheck } from './writableCheck';

describe.each(engines)('whether the store takes writes, on %s', (engine) => {
  let where: TestDatabase;
  let store: Store;
  let free: number;
  let at: number;
  let check: () => Promise<void>;

  beforeEach(async () => {
    where = await createTestDatabase(engine, true);
    store = await openStore(where);
    [free, at] = [10_000_000, 0];
    const checkLock = () => Promise.resolve();
    check = createWritableCheck({ db: store.db, checkLock, freeBytes: () => free, elapsed: () => at });
  });
  afterEach(async () => {
    await store.close();
    await where.remove();
  });

  const written = async (): Promise<number> =>
    (await store.db.selectFrom('progress').select('value').where('name', '=', 'written').executeTakeFirst())?.value ??
    0;

  it('is refused while the disk is full, although small writes fit, and shown once there is room', async () => {
    free = 999_999;
    await expect(check()).rejects.toThrow('The disk with the data is full');
    free = 1_000_000;
    await expect(check()).resolves.toBeUndefined();
  });

  it('is shown by what a reserve gives while the disk is full, as long as there is one', async () => {
    const reserve = [2_000_000];
    const checkWithReserve = createWritableCheck({
      db: store.db,
      checkLock: () => Promise.resolve(),
      freeBytes: () => free,
      giveUpReserve: () => {
        const room = reserve.pop();
        free += room ?? 0;
        return room !== undefined;
      },
      elapsed: () => at,
    });
    free = 0;
    await expect(checkWithReserve()).resolves.toBeUndefined();
    free = 0;
    await expect(checkWithReserve()).rejects.toThrow('The disk with the data is full');
  });

  it('is shown by a write that is committed, once in five seconds', async () => {
    for (at of [0, 1_000, 4_999, 5_000]) {
      await check();
    }
    await expect(written()).resolves.toBe(2);
  });

  it('is refused as long as a write fails, and tried each time', async () => {
    await check();
    await sql`ALTER TABLE progress RENAME TO gone`.execute(store.db);
    at = 5_000;
    await expect(check()).rejects.toThrow();
    at = 6_000;
    await expect(check()).rejects.toThrow();
    await sql`ALTER TABLE gone RENAME TO progress`.execute(store.db);
    await check();
    await expect(written()).resolves.toBe(2);
  });
});

describe('a SQLite file that may not grow', () => {
  it('refuses a write with the fault of the full store, and takes others once it may', async () => {
    const where = await createTestDatabase('sqlite', true);
    const store = await openStore(where);
    const sqlite = store.engine === 'sqlite' ? store.sqlite : null;
    const pages = Number(sqlite?.pragma('page_count', { simple: true }));
    const fill = (): Promise<unknown> =>
      store.db.transaction().execute((transaction) =>
        transaction
          .insertInto('sites')
          .values({ name: 'x'.repeat(100_000), time_zone: 'UTC', created_at: 0 })
          .execute(),
      );
    sqlite?.pragma(`max_page_count = ${pages}`);
    await expect(fill()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    sqlite?.pragma('max_page_count = 1000000');
    await expect(fill()).resolves.toBeDefined();
    await store.close();
    await where.remove();
  });
});
