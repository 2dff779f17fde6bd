import { render } from '@testing-library/react';
import { LiveLamp } from './LiveLamp';

const now = 1_800_000_000_000;

describe('LiveLamp', () => {
  it.each<[string, number | null, number | null, number | null, boolean]>([
    ['No values on this page', now - 1_000, null, 800, false],
    ['Not live', now - 1_000, now - 12_000, 800, false],
    ['Not live', now - 1_000, now - 12_000, 800, true],
    ['Waiting for values', null, null, 800, true],
    ['No new value for 10 s', now - 10_001, null, 800, true],
    ['No new value for 3 h', now - 3 * 3_600_000, null, 800, true],
    ['Live, newest value 10 s old', now - 10_000, null, null, true],
    ['Live, newest value 0 s old', now + 200, null, null, true],
    ['Live, newest value 1 s old, 0.8 s from server to screen', now - 1_000, null, 800, true],
    ['Live, newest value 1 s old, 0.0 s from server to screen', now - 1_000, null, 0, true],
  ])('says "%s"', (text, newestAsOf, serverLost, delayMs, areValuesShown) => {
    const { container } = render(
      <LiveLamp
        areValuesShown={areValuesShown}
        newestAsOf={newestAsOf}
        delayMs={delayMs}
        now={now}
        serverLost={serverLost}
      />,
    );
    expect(container.textContent).toBe(text);
    expect(container.querySelector('circle') !== null).toBe(text.startsWith('Live'));
  });
});
