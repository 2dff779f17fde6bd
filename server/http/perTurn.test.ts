import { setImmediate as turn } from 'node:timers/promises';
import { perTurn } from './perTurn';

describe('what is done so many times in a turn of the event loop', () => {
  it('goes on at once while there are few, and in order in later turns', async () => {
    const [inTurn, gone] = [perTurn(2), [] as number[]];
    const all = [1, 2, 3, 4, 5].map((call) => inTurn().then(() => gone.push(call)));
    await Promise.resolve().then(() => undefined);
    const counts = [[...gone]];
    for (let count = 0; count < 2; count += 1) {
      await turn();
      counts.push([...gone]);
    }
    await Promise.all(all);
    expect(counts).toEqual([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('waits for no one after a turn without any', async () => {
    const [inTurn, gone] = [perTurn(1), [] as string[]];
    await inTurn();
    await turn();
    await turn();
    void inTurn().then(() => gone.push('first'));
    void inTurn().then(() => gone.push('second'));
    await Promise.resolve().then(() => undefined);
    expect(gone).toEqual(['first']);
    await turn();
    await turn();
    expect(gone).toEqual(['first', 'second']);
  });
});
