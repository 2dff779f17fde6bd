import { retried } from './chat';

describe('what is tried again', () => {
  const pauses: number[] = [];
  const wait = (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  };
  beforeEach(() => {
    pauses.length = 0;
  });

  it('is done once if it succeeds at once', async () => {
    const work = jest.fn(() => Promise.resolve());
    await expect(retried(work, () => false, wait)).resolves.toBe(true);
    expect(work).toHaveBeenCalledTimes(1);
    expect(pauses).toEqual([]);
  });

  it('waits longer each time until it succeeds', async () => {
    const work = jest.fn<Promise<void>, []>(() => Promise.resolve());
    work.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down'));
    await expect(retried(work, () => false, wait)).resolves.toBe(true);
    expect(pauses).toEqual([5_000, 30_000]);
  });

  it('is given up after just over half an hour', async () => {
    const work = jest.fn(() => Promise.reject(new Error('down')));
    await expect(retried(work, () => false, wait)).resolves.toBe(false);
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(1_955_000);
  });

  it('is given up once it is no longer wanted', async () => {
    const work = jest.fn(() => Promise.reject(new Error('down')));
    await expect(retried(work, () => pauses.length === 1, wait)).resolves.toBe(false);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
