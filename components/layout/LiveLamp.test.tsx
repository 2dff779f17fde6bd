import { render } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { LiveLamp } from './LiveLamp';

const now = 1_800_000_000_000;

/** A lamp of a page with fresh values and a server that answers, unless said otherwise. */
const show = (change: Partial<ComponentProps<typeof LiveLamp>> = {}) =>
  render(
    <LiveLamp
      areValuesShown
      newestAsOf={now}
      delayMs={800}
      now={now}
      serverLost={null}
      isAnswering
      alertsStopped={null}
      {...change}
    />,
  );

describe('LiveLamp', () => {
  it.each<[string, number | null, number | null, number | null, boolean]>([
    ['', now - 1_000, null, 800, false],
    ['', now - 1_000, now - 12_000, 800, false],
    ['', now - 1_000, now - 12_000, 800, true],
    ['Waiting for values', null, null, 800, true],
    ['No new value for 10 s', now - 10_001, null, 800, true],
    ['No new value for 3 h', now - 3 * 3_600_000, null, 800, true],
    ['Live', now - 10_000, null, null, true],
    ['Live', now + 200, null, null, true],
    ['Waiting for values', now + 2_001, null, 800, true],
    ['Live 0.8 s', now - 1_000, null, 800, true],
    ['Live 0.0 s', now - 1_000, null, 0, true],
  ])('says "%s"', (text, newestAsOf, serverLost, delayMs, areValuesShown) => {
    const { container } = show({ areValuesShown, newestAsOf, delayMs, serverLost });
    expect(container.textContent).toBe(text);
    expect(container.querySelector('circle') !== null).toBe(text.startsWith('Live'));
  });

  it.each([
    [null, 'Newest value 1 s old.'],
    [800, 'Newest value 1 s old. 0.8 s from server to screen: median of the last responses with new values.'],
  ])('says the rest in a tooltip (delay %s)', (delayMs, title) => {
    const { container } = show({ newestAsOf: now - 1_000, delayMs });
    expect(container.firstElementChild?.getAttribute('title')).toBe(title);
    expect(container.firstElementChild?.getAttribute('aria-description')).toBe(title);
  });

  it('is not green while the server can raise no alerts, however fresh the values are', () => {
    const { container } = show({ alertsStopped: now - 12_000 });
    expect(container.textContent).toBe('Alerts not running');
    expect(container.querySelector('circle')).toBeNull();
  });

  it('is not green from the first call without an answer, however fresh the values are', () => {
    const { container } = show({ isAnswering: false });
    expect(container.textContent).toBe('Server not answering');
    expect(container.querySelector('circle')).toBeNull();
  });

  it('leaves no lamp on a page without values', () => {
    const { container } = show({ areValuesShown: false, newestAsOf: null, delayMs: null });
    expect(container.firstChild).toBeNull();
  });
});
