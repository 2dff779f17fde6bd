import { forgetCheckIn } from './keptCheckIns';

/** A database that does at once whatever it is asked. */
interface Database {
  onclose: (() => void) | null;
  transaction: () => unknown;
}

const opened: Database[] = [];

function openDatabase(): unknown {
  const database: Database = {
    onclose: null,
    transaction: () => {
      const transaction = {
        oncomplete: () => undefined,
        objectStore: () => ({ delete: () => ({ result: undefined }) }),
      };
      queueMicrotask(() => transaction.oncomplete());
      return transaction;
    },
  };
  opened.push(database);
  const request = { result: database, onsuccess: () => undefined };
  queueMicrotask(() => request.onsuccess());
  return request;
}

describe('the check-ins that a phone keeps', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB');
  beforeAll(() => {
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: { open: openDatabase } });
  });
  afterAll(() => {
    if (before !== undefined) {
      Object.defineProperty(globalThis, 'indexedDB', before);
    }
  });

  it('are in a database that is opened once, and again after the browser has closed it', async () => {
    await forgetCheckIn('a');
    await forgetCheckIn('b');
    expect(opened).toHaveLength(1);
    opened[0]?.onclose?.();
    await forgetCheckIn('c');
    expect(opened).toHaveLength(2);
  });
});
