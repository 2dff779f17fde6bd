import { countTurns } from '../../test/countTurns';
import { createTestDatabase, type TestDatabase } from '../../test/database';
import { newestSchemaVersion } from './migrate';
import { openStore, type Store } from './open';

let where: TestDatabase;
let store: Store;

beforeEach(async () => {
  where = await createTestDatabase('sqlite');
});
afterEach(async () => {
  await store.close();
  await where.remove();
});

const queries = 20;
const ask = async (): Promise<void> => {
  for (let asked = 0; asked < queries; asked += 1) {
    await store.db.selectFrom('sites').select('id').execute();
  }
};

it('a start lets others have the thread after each query, also those of its migrations', async () => {
  const open = async (): Promise<void> => {
    store = await openStore(where);
  };
  await expect(countTurns(open)).resolves.toBeGreaterThanOrEqual(newestSchemaVersion);
  await expect(countTurns(ask)).resolves.toBeGreaterThanOrEqual(queries);
});

it('a server that answers asks without a turn, so that no one has to wait for those of others', async () => {
  store = await openStore(where);
  store.beginServing();
  await expect(countTurns(ask)).resolves.toBeLessThan(queries / 2);
});
