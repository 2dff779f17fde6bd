import { act, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { serverNow } from '../lib/browser/serverClock';
import type { MonitoredPatient } from '../lib/patients/staleBeds';
import type { VitalKind } from '../lib/vitals/kinds';
import type { LatestValue } from '../lib/vitals/schema';
import { setPageVisibility } from '../test/inventedStream';
import { inventedValue, secondsAgo, wardNow } from '../test/inventedWard';
import {
  PageValuesProvider,
  useNotedArrivals,
  useNotedSamples,
  usePageValues,
  useShownValues,
  type PageValues,
  type PatientValues,
} from './PageValuesProvider';

jest.mock('../lib/browser/serverClock');

interface Shown {
  id?: number;
  kind?: VitalKind;
  latest?: LatestValue;
}

/** A value that the server received this many seconds ago; it was measured then unless said otherwise. */
const received = (ago: number, taken = ago): LatestValue =>
  inventedValue({ receivedAt: secondsAgo(ago), asOf: secondsAgo(taken) });

let paint: () => void;

beforeEach(() => {
  const waiting: FrameRequestCallback[] = [];
  jest.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => waiting.push(callback));
  jest.useFakeTimers();
  jest.mocked(serverNow).mockReturnValue(wardNow);
  setPageVisibility('visible');
  paint = () => act(() => waiting.splice(0).forEach((callback) => callback(0)));
});
afterEach(() => jest.useRealTimers());

/** Lets the store note what was painted. */
const tell = () => act(() => jest.runAllTimers());

const monitored = { state: 'active', profile: 'continuous', standby: null } as const;

/** A second patient, whose values stay the same. */
const neighbour = { ...monitored, id: 2, latest: { spo2: received(90) } };

/** A page with a lamp: `bring` is a response of a screen with values, `leave` goes to a page without any. */
function showPage() {
  let values: PageValues | undefined;
  function Lamp() {
    values = usePageValues();
    return null;
  }
  function Screen({ patients }: { patients: readonly (PatientValues & MonitoredPatient)[] }) {
    useShownValues();
    useNotedSamples(patients);
    useNotedArrivals(patients);
    return null;
  }
  const page = (key: string, patients: readonly (PatientValues & MonitoredPatient)[] | null) => (
    <StrictMode>
      <PageValuesProvider>
        {patients === null ? null : <Screen key={key} patients={patients} />}
        <Lamp />
      </PageValuesProvider>
    </StrictMode>
  );
  const { rerender } = render(page('first', null));
  return {
    values: () => values,
    bring: ({ id = 1, kind = 'spo2', latest }: Shown, key = 'first') =>
      rerender(page(key, [{ ...monitored, id, latest: latest === undefined ? {} : { [kind]: latest } }, neighbour])),
    leave: () => rerender(page('first', null)),
  };
}

function delayAfter(...answers: Shown[]): () => number | null | undefined {
  const { bring, values } = showPage();
  for (const answer of answers) {
    bring(answer);
  }
  return () => values()?.delayMs;
}

describe('the time that values take to the screen', () => {
  it.each<[string, Shown[]]>([
    ['what the page came with', [{ latest: received(2) }]],
    ['a patient’s first value', [{}, { latest: received(2) }]],
    ['a value that stays', [{ latest: received(2) }, { latest: received(2) }]],
    ['a value of another kind', [{ latest: received(2) }, { kind: 'pulseRate', latest: received(1) }]],
    ['a value of another patient', [{ latest: received(2) }, { id: 3, latest: received(1) }]],
    ['a value that the server had before', [{ latest: received(2) }, { latest: received(3) }]],
    ['a back-fill', [{ latest: received(2) }, { latest: received(1, 62) }]],
  ])('is not known from %s', (_, answers) => {
    const delay = delayAfter(...answers);
    paint();
    tell();
    expect(delay()).toBeNull();
  });

  it('is not known from values that arrive while the page is hidden, or before the server’s time is known', () => {
    setPageVisibility('hidden');
    const hidden = delayAfter({ latest: received(2) }, { latest: received(1) });
    paint();
    tell();
    expect(hidden()).toBeNull();
    setPageVisibility('visible');
    jest.mocked(serverNow).mockReturnValue(null);
    const timeless = delayAfter({ latest: received(2) }, { latest: received(1) });
    paint();
    tell();
    expect(timeless()).toBeNull();
  });

  it('is from the server’s receipt of the newest value to its paint, and is set in a task after that frame', () => {
    const delay = delayAfter({ latest: received(5) }, { latest: received(3) }, { latest: received(1.2) });
    expect(delay()).toBeNull();
    paint();
    expect(delay()).toBeNull();
    tell();
    expect(delay()).toBe(1_200);
  });

  it('is the median of the responses that changed something', () => {
    const { bring, values } = showPage();
    bring({ latest: received(5) });
    bring({ latest: received(1.2) });
    paint();
    tell();
    jest.mocked(serverNow).mockReturnValue(wardNow + 10_000);
    bring({ latest: received(-9.2) });
    paint();
    tell();
    expect(values()?.delayMs).toBe(1_000);
  });
});

describe('the newest sample', () => {
  it('is that of the newest value of any response since a screen with values was opened', () => {
    const { bring, values } = showPage();
    expect(values()).toMatchObject({ areShown: false, newestAsOf: null });
    bring({ latest: received(3) });
    expect(values()).toMatchObject({ areShown: true, newestAsOf: wardNow - 3_000 });
    bring({ latest: received(1) });
    expect(values()?.newestAsOf).toBe(wardNow - 1_000);
    bring({ latest: received(2) });
    expect(values()?.newestAsOf).toBe(wardNow - 1_000);
  });

  it('is no value from the future: after the server’s clock was set back an older one counts', () => {
    const { bring, values } = showPage();
    bring({ latest: received(1) });
    jest.mocked(serverNow).mockReturnValue(wardNow - 60_000);
    bring({ latest: received(61) });
    expect(values()?.newestAsOf).toBe(wardNow - 61_000);
  });

  it('of one screen does not count for the next', () => {
    const { bring, leave, values } = showPage();
    bring({ latest: received(1) });
    leave();
    expect(values()).toMatchObject({ areShown: false, newestAsOf: null });
    bring({ latest: received(40) });
    expect(values()?.newestAsOf).toBe(wardNow - 40_000);
  });

  it('of one screen does not count for the one that replaces it at once', () => {
    const { bring, values } = showPage();
    bring({ latest: received(1) });
    bring({ latest: received(40) }, 'second');
    expect(values()).toMatchObject({ areShown: true, newestAsOf: wardNow - 40_000 });
  });
});
