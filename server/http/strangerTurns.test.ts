import { setImmediate as turn } from 'node:timers/promises';
import { createStrangerTurns } from './strangerTurns';

/** Work that is over when its test says so. */
function work() {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: jest.fn(() => done), end };
}

it('does one piece of work at a time, others in between, and addresses take turns', async () => {
  const order: string[] = [];
  const note = (name: string) => async () => {
    order.push(name);
    await turn();
    order.push('done');
  };
  const turns = createStrangerTurns(60_000, () => {
    order.push('others');
    return turn();
  });
  await Promise.all([
    turns('a', note('a1')),
    turns('a', note('a2')),
    turns('a', note('a3')),
    turns('b', note('b1')),
    turns('c', note('c1')),
  ]);
  const all = ['a1', 'a2', 'b1', 'c1', 'a3'];
  expect(order).toEqual(all.flatMap((name) => [name, 'done', 'others']));
});

it('goes on after work that fails', async () => {
  const turns = createStrangerTurns(60_000, turn);
  const failing = turns('a', () => Promise.reject(new Error('no page')));
  const served = turns('a', () => Promise.resolve('served'));
  await expect(failing).rejects.toThrow('no page');
  await expect(served).resolves.toBe('served');
});

it('goes on without work that takes too long, once', async () => {
  const turns = createStrangerTurns(1, turn);
  const [stalled, second, third] = [work(), work(), work()];
  const asked = [turns('a', stalled.run), turns('a', () => Promise.resolve('served'))];
  await expect(asked[1]).resolves.toBe('served');
  const slow = createStrangerTurns(60_000, turn);
  const later = [slow('a', second.run), slow('a', third.run)];
  stalled.end();
  await asked[0];
  await turn();
  expect([second.run.mock.calls.length, third.run.mock.calls.length]).toEqual([1, 0]);
  second.end();
  third.end();
  await Promise.all(later);
});
