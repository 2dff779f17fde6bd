import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { everyMs } from './workerClock';

/** A worker whose ticks the test makes. */
class InventedWorker {
  static readonly started: InventedWorker[] = [];
  onmessage: (() => void) | null = null;
  onerror: (() => void) | null = null;
  isOver = false;
  constructor(readonly address: string) {
    InventedWorker.started.push(this);
  }
  terminate(): void {
    this.isOver = true;
  }
  /** Ticks once a second. */
  run(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      jest.advanceTimersByTime(1_000);
      this.onmessage?.();
    }
  }
}

beforeEach(() => {
  jest.useFakeTimers();
  InventedWorker.started.length = 0;
  Object.defineProperty(globalThis, 'Worker', { configurable: true, value: InventedWorker });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'Worker');
  jest.useRealTimers();
});

describe('the worker’s clock', () => {
  it('counts the ticks of one worker for all who wait, and ends it with the last of them', () => {
    const [five, one] = [jest.fn(), jest.fn()];
    const stopFive = everyMs(5_000, five);
    const stopOne = everyMs(1_000, one);
    const [worker, more] = InventedWorker.started;
    expect([worker?.address, more]).toEqual(['/ticks_worker.js', undefined]);
    worker?.run(10);
    expect([five.mock.calls.length, one.mock.calls.length]).toEqual([2, 10]);
    stopFive();
    expect(worker?.isOver).toBe(false);
    stopOne();
    expect(worker?.isOver).toBe(true);
  });

  it('goes on with the page’s own timers if the worker cannot be loaded, or the browser has none', () => {
    const lost = jest.fn();
    const stopLost = everyMs(5_000, lost);
    InventedWorker.started[0]?.onerror?.();
    jest.advanceTimersByTime(10_000);
    expect(lost).toHaveBeenCalledTimes(2);
    stopLost();
    Reflect.deleteProperty(globalThis, 'Worker');
    const none = jest.fn();
    const stopNone = everyMs(5_000, none);
    jest.advanceTimersByTime(10_000);
    expect(none).toHaveBeenCalledTimes(2);
    stopNone();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is a worker that ticks once a second', () => {
    const postMessage = jest.fn();
    const file = readFileSync(join(__dirname, '../../public/ticks_worker.js'), 'utf8');
    runInContext(file, createContext({ setInterval, postMessage }));
    jest.advanceTimersByTime(3_000);
    expect(postMessage).toHaveBeenCalledTimes(3);
  });
});
