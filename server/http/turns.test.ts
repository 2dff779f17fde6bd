import { setImmediate as turn } from 'node:timers/promises';
import { createTurns } from './turns';

it('begins so many in a turn, and of those that wait one of each address in turn', async () => {
  const inTurn = createTurns(3);
  const order: string[] = [];
  const ask = (name: string): void =>
    inTurn(name.slice(0, 1), () => {
      order.push(name);
    });
  ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'c1', 'b2'].forEach(ask);
  expect(order.splice(0)).toEqual(['a1', 'a2', 'a3']);
  await turn();
  expect(order.splice(0)).toEqual(['a4', 'b1', 'c1']);
  ask('d1');
  expect(order).toEqual([]);
  await turn();
  expect(order.splice(0)).toEqual(['a5', 'b2', 'd1']);
  await turn();
  expect(order.splice(0)).toEqual(['a6', 'a7']);
  await turn();
  await turn();
  ['a8', 'b3', 'a9'].forEach(ask);
  expect(order).toEqual(['a8', 'b3', 'a9']);
});

it('begins nothing twice, and goes on after a long pause', async () => {
  const inTurn = createTurns(1);
  const go = jest.fn();
  inTurn('a', go);
  inTurn('a', go);
  expect(go).toHaveBeenCalledTimes(1);
  await turn();
  expect(go).toHaveBeenCalledTimes(2);
  await turn();
  await turn();
  inTurn('b', go);
  expect(go).toHaveBeenCalledTimes(3);
});

it('goes on at once while there are few of one, and in order in later turns', async () => {
  const [inTurn, gone] = [createTurns(2), [] as number[]];
  [1, 2, 3, 4, 5].forEach((call) => inTurn('', () => gone.push(call)));
  const counts = [[...gone]];
  for (let count = 0; count < 2; count += 1) {
    await turn();
    counts.push([...gone]);
  }
  expect(counts).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]);
});

it('waits for no one after a turn without any', async () => {
  const [inTurn, gone] = [createTurns(1), [] as string[]];
  inTurn('', () => undefined);
  await turn();
  await turn();
  inTurn('', () => gone.push('first'));
  inTurn('', () => gone.push('second'));
  expect(gone).toEqual(['first']);
  await turn();
  await turn();
  expect(gone).toEqual(['first', 'second']);
});
