import { countTurns } from '../../test/countTurns';
import { createTestDatabase, type TestDatabase } from '../../test/database';
import { keptStatements } from './keptStatements';
import { newestSchemaVersion } from './migrate';
import { openStore, type Store } from './open';
import { createSerialQueue } from './serialQueue';
import { createTurns } from './turns';
import { Hung, untilHung } from './untilHung';

describe('a serial queue', () => {
  it('begins when the one before has ended, in the order in which they were handed in', async () => {
    const enqueue = createSerialQueue();
    const heard: string[] = [];
    const work = (name: string) =>
      enqueue(async () => {
        heard.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        heard.push(`${name} ends`);
        return name;
      });
    await expect(Promise.all([work('first'), work('second'), work('third')])).resolves.toEqual([
      'first',
      'second',
      'third',
    ]);
    expect(heard).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('rejects only the call that fails, and goes on with the next', async () => {
    const enqueue = createSerialQueue();
    const failing = enqueue(() => Promise.reject(new Error('full')));
    const next = enqueue(() => Promise.resolve('stored'));
    await expect(failing).rejects.toThrow('full');
    await expect(next).resolves.toBe('stored');
  });
});

describe('startTurns', () => {
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
});

describe('pieces of work in turns', () => {
  const works = 20;

  it('let others have the thread after each, on SQLite, and keep their order', async () => {
    const inTurn = createTurns('sqlite');
    const done: number[] = [];
    const all = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: works }, (_, index) =>
          inTurn(async () => {
            await Promise.resolve();
            done.push(index);
          }),
        ),
      );
    await expect(countTurns(all)).resolves.toBeGreaterThanOrEqual(works - 1);
    expect(done).toEqual(Array.from({ length: works }, (_, index) => index));
  });

  it('hold up no other when one fails', async () => {
    const inTurn = createTurns('sqlite');
    const failed = inTurn(() => Promise.reject(new Error('no such row')));
    const next = inTurn(() => Promise.resolve('read'));
    await expect(failed).rejects.toThrow('no such row');
    await expect(next).resolves.toBe('read');
  });

  it('wait for no other on PostgreSQL, which reads elsewhere', async () => {
    const inTurn = createTurns('postgres');
    const never = inTurn(() => new Promise(() => {}));
    await expect(inTurn(() => Promise.resolve('read'))).resolves.toBe('read');
    expect(never).toBeInstanceOf(Promise);
  });
});

describe('work that may hang', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is given up when its time is over, and hears of it if it goes on after all', async () => {
    let end = (): void => undefined;
    let heard: boolean | null = null;
    const work = untilHung(5_000, async (givenUp) => {
      await new Promise<void>((resolve) => (end = resolve));
      heard = givenUp.aborted;
    });
    const outcome = work.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    await expect(outcome).resolves.toBeInstanceOf(Hung);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(heard).toBe(true);
  });

  it.each([
    ['what it resolves with', () => Promise.resolve('done'), 'done'],
    ['its own failure', () => Promise.reject(new Error('full')), 'full'],
  ])('ends in time with %s, and leaves no timer behind', async (_, work, outcome) => {
    await expect(untilHung(5_000, work).catch(({ message }: Error) => message)).resolves.toBe(outcome);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('holds up a queue for 20 s and no longer', async () => {
    const enqueue = createSerialQueue();
    const hung = enqueue(never).catch((error: unknown) => error);
    let isDone = false;
    const next = enqueue(() => Promise.resolve()).then(() => {
      isDone = true;
    });
    await jest.advanceTimersByTimeAsync(19_999);
    expect(isDone).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await next;
    expect(isDone).toBe(true);
    await expect(hung).resolves.toBeInstanceOf(Hung);
  });
});

describe('keptStatements', () => {
  it('a text is compiled once', () => {
    const compiled: string[] = [];
    const prepare = keptStatements((text) => compiled.push(text));
    const first = prepare('SELECT 1');
    prepare('SELECT 2');

    expect(prepare('SELECT 1')).toBe(first);
    expect(compiled).toEqual(['SELECT 1', 'SELECT 2']);
  });

  it('one that does not compile is tried again', () => {
    const prepare = keptStatements((text) => {
      throw new Error(text);
    });

    expect(() => prepare('SELECT')).toThrow('SELECT');
    expect(() => prepare('SELECT')).toThrow('SELECT');
  });

  it('of texts without end the newest 200 are kept', () => {
    const compiled: string[] = [];
    const prepare = keptStatements((text) => compiled.push(text));
    for (let count = 0; count <= 200; count += 1) {
      prepare(`SELECT ${count}`);
    }
    prepare('SELECT 1');
    prepare('SELECT 200');

    expect(compiled).toHaveLength(201);

    prepare('SELECT 0');

    expect(compiled.at(-1)).toBe('SELECT 0');
  });
});
