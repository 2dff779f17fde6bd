import { act, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { InventedStream, setPageVisibility } from '../test/inventedStream';
import { useServerEvents } from './useServerEvents';

const heard: string[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  InventedStream.install();
  heard.length = 0;
});
afterEach(() => {
  InventedStream.remove();
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const show = (state: DocumentVisibilityState) => act(() => setPageVisibility(state));
const live = () => InventedStream.opened.filter(({ readyState }) => readyState !== InventedStream.CLOSED);

function render(session: 'open' | 'locked' | null = 'open') {
  return renderHook(
    ({ session, as }: { session: 'open' | 'locked' | null; as: string }) =>
      useServerEvents(session, {
        alerts: () => heard.push(`alerts ${as}`),
        patients: () => heard.push(`patients ${as}`),
        session: () => heard.push(`session ${as}`),
      }),
    { wrapper: StrictMode, initialProps: { session, as: 'first' } },
  );
}

/** Returns the only open stream. */
async function opened(): Promise<InventedStream> {
  await pass(1_000);
  const [stream, more] = live();
  if (stream === undefined || more !== undefined) {
    throw new Error(`${live().length} streams are open`);
  }
  act(() => stream.open());
  return stream;
}

describe('a page’s stream of events', () => {
  it('is left out if the browser has none', async () => {
    InventedStream.remove();
    render();
    await pass(60_000);
    expect(heard).toEqual([]);
  });

  it('is opened only for signed-in users, and ends with the session and with the page', async () => {
    const { rerender, unmount } = render(null);
    await pass(60_000);
    expect(InventedStream.opened).toEqual([]);
    rerender({ session: 'open', as: 'first' });
    await opened();
    rerender({ session: null, as: 'first' });
    expect(live()).toEqual([]);
    rerender({ session: 'open', as: 'first' });
    await opened();
    unmount();
    expect(live()).toEqual([]);
    await pass(60_000);
    expect(InventedStream.opened).toHaveLength(2);
  });

  it('is another one while the session is locked', async () => {
    const { rerender } = render();
    const before = await opened();
    rerender({ session: 'locked', as: 'first' });
    expect(live()).toEqual([]);
    const locked = await opened();
    expect(locked).not.toBe(before);
    act(() => locked.tell('alerts'));
    expect(heard).toEqual(['alerts first']);
  });

  it('is a single one, opened a second after the page, also in strict mode', async () => {
    render();
    await pass(999);
    expect(InventedStream.opened).toEqual([]);
    await opened();
    await pass(60_000);
    expect(InventedStream.opened.map(({ url }) => url)).toEqual(['/api/v2/events']);
  });

  it('calls the current handlers with what the server reports', async () => {
    const { rerender } = render();
    const stream = await opened();
    rerender({ session: 'open', as: 'second' });
    act(() => stream.tell('patients'));
    act(() => stream.tell('alerts'));
    act(() => stream.tell('session'));
    act(() => stream.tell('something new'));
    expect(heard).toEqual(['patients second', 'alerts second', 'session second']);
  });

  it('polls nothing when it is opened or restored: the polls bring what was missed', async () => {
    render();
    const stream = await opened();
    act(() => stream.fail('lost'));
    await pass(60_000);
    expect(live()).toEqual([stream]);
    act(() => stream.open());
    expect(heard).toEqual([]);
    act(() => stream.tell('alerts'));
    expect(heard).toEqual(['alerts first']);
  });

  it('is tried again every 30 s after a refusal', async () => {
    render();
    await pass(1_000);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(InventedStream.opened).toHaveLength(attempt);
      act(() => InventedStream.opened.at(-1)?.fail('refused'));
      await pass(29_999);
      expect(InventedStream.opened).toHaveLength(attempt);
      await pass(1);
    }
    expect(live()).toHaveLength(1);
  });
});

describe('a page that is hidden', () => {
  it('opens no stream before it is visible', async () => {
    show('hidden');
    render();
    await pass(60_000);
    expect(InventedStream.opened).toEqual([]);
    show('visible');
    expect(live()).toHaveLength(1);
  });

  it('keeps its stream for 30 s, and polls nothing when it is visible again', async () => {
    render();
    const stream = await opened();
    show('hidden');
    await pass(29_999);
    expect(live()).toEqual([stream]);
    show('visible');
    expect(heard).toEqual([]);
    await pass(60_000);
    expect(live()).toEqual([stream]);
  });

  it('closes its connection after 30 s, until it is visible again', async () => {
    render();
    await opened();
    show('hidden');
    await pass(30_000);
    expect(live()).toEqual([]);
    await pass(60_000);
    show('visible');
    expect(live()).toHaveLength(1);
    await pass(60_000);
    expect(InventedStream.opened).toHaveLength(2);
  });

  it('does not try again after a refusal', async () => {
    render();
    const stream = await opened();
    show('hidden');
    act(() => stream.fail('refused'));
    await pass(60_000);
    expect(InventedStream.opened).toHaveLength(1);
  });
});
