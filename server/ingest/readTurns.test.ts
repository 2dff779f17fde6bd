import { createReadTurns } from './readTurns';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('long bodies', () => {
  it('are read two at a time, in the order in which they came', () => {
    const [read, turns] = [[] as number[], createReadTurns(2, 100)];
    const ends = [1, 2, 3, 4].map((body) => turns(() => read.push(body)));
    expect(read).toEqual([1, 2]);
    ends[1]?.();
    expect(read).toEqual([1, 2, 3]);
    ends[1]?.();
    expect(read).toEqual([1, 2, 3]);
    ends[0]?.();
    expect(read).toEqual([1, 2, 3, 4]);
  });

  it('keep no one waiting for longer than their time', () => {
    const [read, turns] = [[] as number[], createReadTurns(1, 100)];
    const ends = [1, 2, 3].map((body) => turns(() => read.push(body)));
    jest.advanceTimersByTime(99);
    expect(read).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(read).toEqual([1, 2]);
    // Its time was over: it ends no other's.
    ends[0]?.();
    expect(read).toEqual([1, 2]);
  });

  it('that are given up are not read, and leave no one out', () => {
    const [read, turns] = [[] as number[], createReadTurns(1, 100)];
    const ends = [1, 2, 3].map((body) => turns(() => read.push(body)));
    ends[1]?.();
    ends[0]?.();
    expect(read).toEqual([1, 3]);
  });
});
