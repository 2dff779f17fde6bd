import { act } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { ErrorBoundary } from '../../components/ui/ErrorBoundary';
import { expectConsole } from '../../test/expectConsole';
import { logError } from '../log';
import { withholdErrors } from './withholdErrors';

const secret = 'Ines Moreau, MRN 4711';

function Broken(): never {
  throw new TypeError(secret);
}

describe('the console', () => {
  let errors: readonly unknown[][];
  let end: () => void;
  let root: Root | null;

  beforeEach(() => {
    errors = expectConsole('error');
    end = withholdErrors();
    document.body.innerHTML = '<div></div>';
    root = null;
  });
  afterEach(() => {
    act(() => root?.unmount());
    end();
  });

  const place = (): Element => document.body.firstElementChild ?? document.body;
  const printed = (): string => errors.flat().map(String).join(' ');

  it('shows the kind of an error that a boundary caught, and nothing that it quotes', () => {
    root = createRoot(place());
    act(() => {
      root?.render(
        <ErrorBoundary resetKey="/">
          <Broken />
        </ErrorBoundary>,
      );
    });
    expect(printed()).toContain('TypeError');
    expect(printed()).toContain('A page could not be drawn');
    expect(printed()).not.toMatch(/Moreau|4711/);
  });

  it('has nothing of a change of size whose rest the browser draws with the next frame', () => {
    const notice = (message: string) => new ErrorEvent('error', { error: null, message });
    window.dispatchEvent(notice('ResizeObserver loop completed with undelivered notifications.'));
    expect(errors).toEqual([]);
    window.dispatchEvent(notice('Script error.'));
    expect(errors).toHaveLength(1);
  });

  it('shows the kind of an error that React recovered from, and nothing that it quotes', () => {
    const element = place();
    element.innerHTML = '<p>Ines Moreau</p>';
    let first = true;
    const Mended = () => {
      if (first) {
        first = false;
        throw new RangeError(secret);
      }
      return <p>Ines Moreau</p>;
    };
    act(() => {
      root = hydrateRoot(element, <Mended />);
    });
    expect(element.textContent).toBe('Ines Moreau');
    expect(printed()).toContain('Uncaught');
    expect(printed()).not.toMatch(/Moreau|4711/);
  });

  it('shows the kind of an uncaught error, and that it was not caught', () => {
    const event = new ErrorEvent('error', { error: new RangeError(secret), message: secret, cancelable: true });
    window.dispatchEvent(event);
    expect(errors).toEqual([['Uncaught RangeError']]);
    expect(event.defaultPrevented).toBe(true);
  });

  it.each([
    ['an error', new RangeError(secret), 'RangeError'],
    ['a text', secret, 'string'],
    ['an object', { name: secret }, 'object'],
  ])('shows no more of a promise that was rejected with %s', (_, reason, says) => {
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
    window.dispatchEvent(event);
    expect(errors).toEqual([[`Uncaught (in promise) ${says}`]]);
    expect(event.defaultPrevented).toBe(true);
  });

  it('keeps the number of one of React’s own errors, without what is quoted behind it', () => {
    // oxlint-disable-next-line no-console -- as React does
    console.error(new Error(`Minified React error #418; visit https://react.dev/errors/418?args[]=${secret}`));
    expect(errors).toEqual([['Error #418']]);
  });

  it('leaves our own texts unchanged', () => {
    logError('Failed to update last active', { status: 503 });
    expect(errors).toEqual([['Failed to update last active', { status: 503 }]]);
  });
});
