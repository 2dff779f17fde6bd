import { render } from '@testing-library/react';
import { LiveLamp } from './LiveLamp';

const now = 1_800_000_000_000;

describe('LiveLamp', () => {
  it.each([
    ['Not live', now - 1_000, now - 12_000],
    ['Waiting for values', null, null],
    ['No new value for 10 s', now - 10_001, null],
    ['No new value for 3 h', now - 3 * 3_600_000, null],
    ['Live, newest value 10 s old', now - 10_000, null],
    ['Live, newest value 0 s old', now + 200, null],
  ])('says "%s"', (text, newestAsOf, serverLost) => {
    const { container } = render(<LiveLamp newestAsOf={newestAsOf} now={now} serverLost={serverLost} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelector('circle') !== null).toBe(text.startsWith('Live'));
  });
});
