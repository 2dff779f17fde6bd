import { countTurns } from '../../test/countTurns';
import { createTurns } from './turns';

const works = 20;

describe('pieces of work in turns', () => {
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
