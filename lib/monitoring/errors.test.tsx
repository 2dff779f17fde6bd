import { act } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { ErrorBoundary } from '../../components/ui/ErrorBoundary';
import { expectConsole } from '../../test/expectConsole';
import { logError } from '../log';
import type * as PageErrors from './pageErrors';
import { withholdErrors } from './withholdErrors';

describe('pageErrors', () => {
  const notFirst = (): void => undefined;

  /** Loads the module as a new page does: what waits in one page does not wait in the next. */
  function newPage(): typeof PageErrors {
    let page: typeof PageErrors | undefined;
    jest.isolateModules(() => {
      page = jest.requireActual<typeof PageErrors>('./pageErrors');
    });
    if (page === undefined) {
      throw new Error('The module was not loaded');
    }
    return page;
  }

  function newReporter() {
    const sent: [unknown, string][] = [];
    const users: (number | null)[] = [];
    return {
      sent,
      users,
      reporter: {
        send: (error: unknown, id: string) => {
          sent.push([error, id]);
        },
        setUser: (id: number | null) => {
          users.push(id);
        },
      },
    };
  }

  describe('errors of a page', () => {
    it('wait for the code that sends them, and are handed over in their order under the ids that were shown', () => {
      const page = newPage();
      const { reporter, sent } = newReporter();
      const first = page.reportError('one');
      const second = page.reportError('two');
      page.handOver(reporter);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect(first).not.toBe(second);
      expect(sent).toEqual([
        ['one', first],
        ['two', second],
      ]);
    });

    it('are sent at once when it is there', () => {
      const page = newPage();
      const { reporter, sent } = newReporter();
      page.handOver(reporter);
      const id = page.reportError('three');
      expect(sent).toEqual([['three', id]]);
    });

    it('are kept from the first uncaught one until other code receives them', () => {
      const page = newPage();
      const { reporter, sent } = newReporter();
      const first = jest.fn();
      page.holdErrors(first);
      const problem = new Error('x');
      window.dispatchEvent(new ErrorEvent('error', { error: problem }));
      window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
      window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'refused' }));
      expect(first).toHaveBeenCalledTimes(3);
      page.handOver(reporter);
      expect(sent.map(([error]) => error)).toEqual([problem, 'Script error.', 'refused']);
      // The test's own listener: without it the environment fails the test for an uncaught error.
      const heard = jest.fn();
      window.addEventListener('error', heard, { once: true });
      window.dispatchEvent(new ErrorEvent('error', { error: problem }));
      expect(heard).toHaveBeenCalled();
      expect(sent).toHaveLength(3);
    });

    it('are limited to twenty', () => {
      const page = newPage();
      const { reporter, sent } = newReporter();
      page.holdErrors(notFirst);
      for (let count = 0; count < 1_000; count += 1) {
        page.reportError(count);
      }
      page.handOver(reporter);
      expect(sent.map(([error]) => error)).toEqual(Array.from({ length: 20 }, (_, count) => count));
    });

    it('name the user by number, whether the user was known before or after', () => {
      const page = newPage();
      const { reporter, users } = newReporter();
      page.setReportedUser(7);
      page.handOver(reporter);
      page.setReportedUser(null);
      expect(users).toEqual([7, null]);
    });
  });
});

describe('withholdErrors', () => {
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
});
