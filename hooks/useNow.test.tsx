import { act, render, screen } from '@testing-library/react';
import { Profiler, StrictMode, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { noteResponse, thisMoment } from '../lib/browser/serverClock';
import { useNow } from './useNow';
import { useServerLost } from './useServerLost';

const server = 1_770_000_000_000;

function Screen({ initial }: { initial: number }): ReactNode {
  const now = useNow(initial);
  const lost = useServerLost();
  return (
    <p>
      <span data-testid="now">{now - server}</span>
      <span data-testid="lost">{lost === null ? 'live' : `lost since ${lost - server}`}</span>
    </p>
  );
}

const now = () => Number(screen.getByTestId('now').textContent);
const lost = () => screen.getByTestId('lost').textContent;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

/** A sleep without timers. Only the wall clock goes on. A tab that was frozen wakes the same way. */
const sleep = (ms: number) => jest.setSystemTime(Date.now() + ms);

/** Far from the server's time, and a day later for each test, because the page's clock outlives a test. */
let day = 1_000_000_000_000;
beforeEach(() => {
  day += 86_400_000;
  jest.useFakeTimers({ now: day });
});
afterEach(() => jest.useRealTimers());

/** What the page showed, and how often it had been drawn, before the browser's part and after each wait. */
const hydrated: { now: number; drawings: number }[] = [];
// Before all tests, in whatever order they run: a clock that has started does not stop.
beforeAll(async () => {
  jest.useFakeTimers({ now: day });
  const container = document.createElement('div');
  document.body.append(container);
  container.innerHTML = renderToString(<Screen initial={server + 123} />);
  let drawings = 0;
  hydrated.push({ now: now(), drawings });
  // If the first rendering differed, React would write to the console, which fails the test after it.
  const { unmount } = render(
    <Profiler id="screen" onRender={() => (drawings += 1)}>
      <Screen initial={server + 123} />
    </Profiler>,
    { container, hydrate: true },
  );
  for (const ms of [300, 700, 9_000]) {
    await pass(ms);
    hydrated.push({ now: now(), drawings });
  }
  unmount();
  container.remove();
  jest.useRealTimers();
});

describe('now', () => {
  it('is the page’s time in the first rendering on both sides, then goes on from it', () => {
    // A second rendering of every place on the page, in one task, would hold up a slow computer.
    expect(hydrated.slice(0, 2)).toEqual([
      { now: 123, drawings: 0 },
      { now: 123, drawings: 1 },
    ]);
    const [, , second = null, later = null] = hydrated.map((one) => one.now);
    expect(second).toBe(1_000);
    expect(later).toBeGreaterThanOrEqual(10_000);
    expect((later ?? NaN) % 1_000).toBe(0);
  });

  it('changes in hundreds of places, at once after a sleep', async () => {
    noteResponse(server, thisMoment());
    const { unmount } = render(Array.from({ length: 500 }, (_, place) => <Screen key={place} initial={server} />));
    const shown = () => new Set(screen.getAllByTestId('now').map(({ textContent }) => Number(textContent)));
    await pass(1_020);
    expect(shown()).toEqual(new Set([1_000]));
    sleep(60_000);
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(shown().size).toBe(1);
    expect(Math.max(...shown())).toBeGreaterThanOrEqual(61_000);
    unmount();
  });

  it('changes in hundreds of places at once in a hidden tab, whose tasks the browser delays', async () => {
    const hidden = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    noteResponse(server, thisMoment());
    const { unmount } = render(Array.from({ length: 500 }, (_, place) => <Screen key={place} initial={server} />));
    await pass(1_000);
    expect(new Set(screen.getAllByTestId('now').map(({ textContent }) => Number(textContent)))).toEqual(
      new Set([1_000]),
    );
    unmount();
    hidden.mockRestore();
  });

  it('changes at the start of each second of the server’s time, whatever the browser’s clock says', async () => {
    noteResponse(server + 400, thisMoment());
    render(<Screen initial={server} />, { wrapper: StrictMode });
    expect(now()).toBe(0);
    await pass(599);
    expect(now()).toBe(0);
    await pass(1);
    expect(now()).toBe(1_000);
    await pass(1_000);
    expect(now()).toBe(2_000);
  });

  it('is one ticker for the whole page, which ends with the last screen', async () => {
    noteResponse(server, thisMoment());
    const both = render(
      <>
        <Screen initial={server} />
        <Screen initial={server} />
      </>,
    );
    expect(jest.getTimerCount()).toBe(1);
    await pass(5_000);
    expect(jest.getTimerCount()).toBe(1);
    both.unmount();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is corrected at once when a response shows that it was ahead', async () => {
    noteResponse(server, thisMoment());
    render(<Screen initial={server} />);
    await pass(5_000);
    noteResponse(server + 2_000, thisMoment());
    await pass(1_000);
    expect(now()).toBe(3_000);
  });
});

describe('a computer that slept', () => {
  it.each(['visibilitychange', 'pageshow', 'focus', 'online'])(
    'shows the true time and the loss at once on %s',
    async (event) => {
      noteResponse(server, thisMoment());
      render(<Screen initial={server} />);
      await pass(1_000);
      expect(lost()).toBe('live');
      sleep(3_600_000);
      act(() => void window.dispatchEvent(new Event(event)));
      expect(now()).toBe(3_601_000);
      expect(lost()).toBe('lost since 0');
    },
  );

  it('draws nothing with the time from before, also without an event of waking', async () => {
    noteResponse(server, thisMoment());
    const { rerender } = render(<Screen initial={server} />);
    await pass(1_000);
    sleep(3_600_000);
    rerender(<Screen initial={server} key="drawn for another reason" />);
    expect(now()).toBe(3_601_000);
    expect(lost()).toBe('lost since 0');
  });

  it('reports both with its first tick', async () => {
    noteResponse(server, thisMoment());
    render(<Screen initial={server} />);
    await pass(500);
    sleep(3_600_000);
    await pass(500);
    expect(now()).toBe(3_601_000);
    expect(lost()).toBe('lost since 0');
  });
});

describe('the loss of the server', () => {
  it('is shown after 10 s without a response, and ends within a second of the next one', async () => {
    noteResponse(server, thisMoment());
    render(<Screen initial={server} />);
    await pass(9_000);
    expect(lost()).toBe('live');
    await pass(1_000);
    expect(lost()).toBe('lost since 0');
    noteResponse(server + 10_000, thisMoment());
    await pass(1_000);
    expect(lost()).toBe('live');
  });
});
