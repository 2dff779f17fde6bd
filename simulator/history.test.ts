import { historyBlocks, instants, wholeMinutes } from './history';

const minute = 60_000;
const hour = 60 * minute;
const until = Date.UTC(2026, 4, 1, 10, 0, 20);

const blocks = (isSent: (at: number) => boolean = () => false) => [...historyBlocks(until, isSent)];

describe('historyBlocks', () => {
  it('sends the newest first, and in the end a day without a hole', () => {
    const starts = blocks().map(([first]) => first ?? NaN);
    expect(starts).toEqual(starts.toSorted((a, b) => b - a));
    const all = new Set(blocks().flat());
    const seconds = instants(until - hour - 20_000, until, 1_000);
    const minutes = instants(Math.ceil((until - 24 * hour) / minute) * minute, until, minute);
    expect([...seconds, ...minutes].filter((at) => !all.has(at))).toEqual([]);
    expect(all.size).toBe(blocks().flat().length);
  });

  it('sends nothing of the time of the live values, and nothing older than a day', () => {
    const all = blocks().flat();
    expect(Math.max(...all)).toBe(until - 1_000);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(until - 24 * hour);
  });

  it('keeps each call of a gateway small', () => {
    expect(Math.max(...blocks().map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  it('leaves out what was sent', () => {
    const told = (until - 30 * minute) / minute;
    const all = blocks((at) => at < told).flat();
    expect(all.filter((at) => at / minute < Math.floor(told))).toEqual([]);
    expect(all.length).toBeGreaterThan(29 * 60);
    expect(blocks(() => true).flat()).toEqual([]);
  });
});

describe('wholeMinutes', () => {
  it('does not trust the first and the last minute of a stretch', () => {
    const isWhole = wholeMinutes(new Set([10, 11, 12, 13, 20, 30, 31]));
    expect(instants(9, 33, 1).filter(isWhole)).toEqual([11, 12]);
  });
});
