import type * as Zod from 'zod';
import type * as PageErrors from './lib/monitoring/pageErrors';

const mockLoaded = jest.fn();
jest.mock('./sentry.client.config', () => {
  mockLoaded();
  return {};
});

describe('instrumentation-client', () => {
  const createElement = Document.prototype.createElement;
  let errors: typeof PageErrors;
  let readyState: DocumentReadyState;

  beforeEach(() => {
    readyState = 'complete';
    jest.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState);
    jest.useFakeTimers();
  });

  afterEach(() => {
    // Its listeners end when other code takes the page's errors.
    errors.handOver({ send: () => undefined, setUser: () => undefined });
    jest.useRealTimers();
    mockLoaded.mockClear();
    Document.prototype.createElement = createElement;
    document.head.replaceChildren();
    jest.resetModules();
  });

  function start(html: string): void {
    document.head.innerHTML = html;
    jest.isolateModules(() => {
      jest.requireActual('./instrumentation-client');
      errors = jest.requireActual<typeof PageErrors>('./lib/monitoring/pageErrors');
    });
  }

  it('keeps zod from compiling schemas, which the Content-Security-Policy forbids', () => {
    start('');
    expect(jest.requireActual<typeof Zod>('zod').config().jitless).toBe(true);
  });

  it('never gives the nonce to a script element', () => {
    start('<script nonce="abc"></script>');
    expect(document.createElement('script').nonce).toBeFalsy();
  });

  it('gives the nonce of the page to each style element that is created', () => {
    start('<script nonce="abc"></script>');
    expect(document.createElement('style').nonce).toBe('abc');
    expect(document.createElement('STYLE').nonce).toBe('abc');
  });

  it('leaves elements alone on a page without a nonce', () => {
    start('');
    expect(document.createElement('style').nonce).toBeFalsy();
  });

  it('loads the code of error reports some time after the page, once', async () => {
    readyState = 'interactive';
    start('');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(mockLoaded).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('load'));
    await jest.advanceTimersByTimeAsync(4_000);
    expect(mockLoaded).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(mockLoaded).toHaveBeenCalledTimes(1);
  });

  it('loads it at once after an error, but not before the page has loaded', async () => {
    readyState = 'interactive';
    start('');
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('x') }));
    await jest.advanceTimersByTimeAsync(0);
    expect(mockLoaded).not.toHaveBeenCalled();
    window.dispatchEvent(new Event('load'));
    await jest.advanceTimersByTimeAsync(0);
    expect(mockLoaded).toHaveBeenCalledTimes(1);
  });
});
