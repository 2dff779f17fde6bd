import { act, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { serverNow } from '../../lib/api/serverClock';
import type { VitalKind } from '../../lib/vitals/kinds';
import type { LatestValue } from '../../lib/vitals/schema';
import { setPageVisibility } from '../../test/inventedStream';
import { inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { useNotedArrival, useScreenDelay } from './screenDelay';

jest.mock('../../lib/api/serverClock');

interface Shown {
  kind?: VitalKind;
  latest?: LatestValue;
}

/** A value that the server received so many seconds ago and that was taken then, unless said otherwise. */
const received = (ago: number, taken = ago): LatestValue =>
  inventedValue({ receivedAt: secondsAgo(ago), asOf: secondsAgo(taken) });

let paint: () => void;

beforeEach(() => {
  const waiting: FrameRequestCallback[] = [];
  jest.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => waiting.push(callback));
  jest.useFakeTimers();
  paint = () => act(() => waiting.splice(0).forEach((callback) => callback(0)));
});
afterEach(() => jest.useRealTimers());

/** Lets the lamp hear of what was painted. */
const tell = () => act(() => jest.runAllTimers());

/** Two places on the screen and what is known of the delay; each array is what one answer brings to the first. */
function showInTurn(...turns: Shown[]): () => number | null {
  let delay: number | null = null;
  function Place({ kind = 'spo2', latest }: Shown) {
    useNotedArrival(kind, latest);
    return null;
  }
  function Lamp() {
    delay = useScreenDelay();
    return null;
  }
  const screen = (turn: Shown | undefined) => (
    <StrictMode>
      <Place {...turn} />
      <Place latest={received(90)} />
      <Lamp />
    </StrictMode>
  );
  const [first, ...others] = turns;
  const { rerender } = render(screen(first));
  for (const turn of others) {
    rerender(screen(turn));
  }
  return () => delay;
}

// What was measured stays with the page, so those that measure nothing come first.
describe('the time that values take to the screen', () => {
  it.each<[string, Shown[]]>([
    ['what the page came with', [{ latest: received(2) }]],
    ['the first value of a place', [{}, { latest: received(2) }]],
    ['a value that stays', [{ latest: received(2) }, { latest: received(2) }]],
    ['a value of another kind', [{ latest: received(2) }, { kind: 'pulseRate', latest: received(1) }]],
    ['a value that the server had before', [{ latest: received(2) }, { latest: received(3) }]],
    ['a back-fill', [{ latest: received(2) }, { latest: received(1, 62) }]],
  ])('is not known from %s', (_, turns) => {
    jest.mocked(serverNow).mockReturnValue(wardNow);
    const delay = showInTurn(...turns);
    paint();
    tell();
    expect(delay()).toBeNull();
  });

  it('is not known from what comes while nobody sees the page, or before the server has told its time', () => {
    jest.mocked(serverNow).mockReturnValue(wardNow);
    setPageVisibility('hidden');
    const hidden = showInTurn({ latest: received(2) }, { latest: received(1) });
    paint();
    tell();
    expect(hidden()).toBeNull();
    setPageVisibility('visible');
    jest.mocked(serverNow).mockReturnValue(null);
    const timeless = showInTurn({ latest: received(2) }, { latest: received(1) });
    paint();
    tell();
    expect(timeless()).toBeNull();
  });

  it('is from the server’s receipt of the newest value to its paint, and told after the frame, in whose task nothing else may be drawn', () => {
    jest.mocked(serverNow).mockReturnValue(wardNow);
    const delay = showInTurn({ latest: received(5) }, { latest: received(3) }, { latest: received(1.2) });
    expect(delay()).toBeNull();
    paint();
    expect(delay()).toBeNull();
    tell();
    expect(delay()).toBe(1_200);
  });

  it('is the median of the answers that changed something', () => {
    jest.mocked(serverNow).mockReturnValue(wardNow + 10_000);
    const delay = showInTurn({ latest: received(5) }, { latest: received(-9.2) });
    paint();
    tell();
    expect(delay()).toBe(1_000);
  });
});
