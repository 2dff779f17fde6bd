import { startServerClock } from '../lib/browser/serverClock';
import { subscribeToTicks, tickedNow } from './ticker';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

// The only test of this file, because a clock that has started does not stop.
it('corrects the time of a page that took long to arrive in the next task, not with the next second', () => {
  const pageTime = 1_770_000_000_000;
  // The browser had to load the page's code before it could run.
  jest.setSystemTime(performance.timeOrigin + 4_200);
  startServerClock(pageTime);
  const listener = jest.fn();
  const end = subscribeToTicks(listener);
  expect(tickedNow()).toBeNull();
  expect(listener).not.toHaveBeenCalled();
  jest.advanceTimersByTime(0);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(tickedNow()).toBe(pageTime + 4_000);
  end();
});
