import { createSerialQueue } from './serialQueue';
import { Hung, untilHung } from './untilHung';

const never = (): Promise<never> => new Promise(() => undefined);

describe('work that may hang', () => {
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
