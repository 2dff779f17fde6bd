import { setImmediate as turn } from 'node:timers/promises';
import { createBodyTurns } from './bodyTurns';

let now = 0;
let done: string[] = [];
beforeEach(() => {
  now = 0;
  done = [];
});
const inTurn = createBodyTurns(turn, () => now);
const work = (deviceId: number, name: string, { ms = 0, isLong = false } = {}) =>
  inTurn({ deviceId, isLong }, () => {
    done.push(name);
    now += ms;
    return name;
  });
/** What is done in each turn of the event loop until all is. */
const inTurns = async (all: Promise<unknown>[]): Promise<string[][]> => {
  let isOver = false;
  const over = Promise.allSettled(all).then(() => (isOver = true));
  const turns: string[][] = [];
  while (!isOver) {
    await turn();
    turns.push(done.splice(0));
  }
  await over;
  return turns.filter((names) => names.length > 0);
};

describe('the bodies of devices', () => {
  it('have turns by device, so that one that sends much keeps no other waiting', async () => {
    const turns = await inTurns([work(1, 'a1'), work(1, 'a2'), work(1, 'a3'), work(2, 'b1'), work(3, 'c1')]);
    expect(turns.flat()).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('leave the thread to others after 5 ms', async () => {
    await expect(inTurns([1, 2, 3, 4, 5].map((id) => work(id, `${id}`, { ms: 3 })))).resolves.toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5'],
    ]);
  });

  it('are one long one in each turn, after the short ones', async () => {
    const long = [1, 2, 3].map((id) => work(id, `long ${id}`, { isLong: true, ms: 15 }));
    await expect(inTurns([...long, work(9, 'short')])).resolves.toEqual([['short', 'long 1'], ['long 2'], ['long 3']]);
  });

  it('fail each for itself', async () => {
    const failing = inTurn({ deviceId: 1, isLong: false }, () => {
      throw new Error('no JSON');
    });
    const other = work(1, 'a');
    await expect(failing).rejects.toThrow('no JSON');
    await expect(other).resolves.toBe('a');
  });
});
