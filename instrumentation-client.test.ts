import type * as Sentry from '@sentry/nextjs';
import type * as Zod from 'zod';
import type * as PageErrors from './lib/monitoring/pageErrors';

const mockLoaded = jest.fn();
jest.mock('./sentry.client.config', () => {
  mockLoaded();
  return {};
});
jest.mock('@sentry/nextjs', () => ({
  init: jest.fn(),
  captureException: jest.fn(),
  setUser: jest.fn(),
  ...Object.fromEntries(
    ['breadcrumbs', 'browserTracing', 'dedupe', 'eventFilters', 'globalHandlers', 'linkedErrors', 'replay'].map(
      (name) => [`${name}Integration`, (options: unknown) => ({ name, options })],
    ),
  ),
  addIntegration: jest.fn(),
}));

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

describe('sentry.client.config', () => {
  /** Loads the file as a page does and returns the SDK's options, and the page's other half. */
  function load(receiver: string | null) {
    if (receiver === null) {
      delete document.documentElement.dataset.reports;
    } else {
      document.documentElement.dataset.reports = receiver;
    }
    let loaded: { sentry: typeof Sentry; errors: typeof PageErrors } | undefined;
    jest.isolateModules(() => {
      const errors = jest.requireActual<typeof PageErrors>('./lib/monitoring/pageErrors');
      errors.setReportedUser(7);
      errors.reportError('before');
      jest.requireActual('./sentry.client.config');
      loaded = { sentry: jest.requireMock<typeof Sentry>('@sentry/nextjs'), errors };
    });
    if (loaded === undefined) {
      throw new Error('The file was not loaded');
    }
    const { sentry, errors } = loaded;
    const options = jest.mocked(sentry.init).mock.lastCall?.[0];
    if (options === undefined) {
      throw new Error('The SDK was not started');
    }
    const names = Array.isArray(options.integrations) ? options.integrations.map(({ name }) => name) : [];
    return { sentry, errors, options, names };
  }

  describe('the page’s error reports', () => {
    it('have the values of the specification, and go through /monitoring', () => {
      const { options } = load('https://abc@reports.example/7');
      expect(options).toMatchObject({
        tracesSampleRate: 1,
        replaysOnErrorSampleRate: 1,
        replaysSessionSampleRate: 0.1,
        environment: 'production',
        debug: false,
        tunnel: '/monitoring',
        dsn: 'https://abc@reports.example/7',
        release: 'wardlight@0.1.0',
        traceLifecycle: 'static',
      });
    });

    it('use nothing of the SDK that is not named', () => {
      const { options, names } = load('https://abc@reports.example/7');
      expect(options.defaultIntegrations).toBe(false);
      expect(names).toEqual([
        'eventFilters',
        'globalHandlers',
        'linkedErrors',
        'dedupe',
        'breadcrumbs',
        'browserTracing',
      ]);
    });

    it('go to this server if the operator named no receiver, and then are errors alone', () => {
      const { options, names } = load(null);
      expect(options.dsn).toBe(`http://page@${location.host}/1`);
      expect(names).not.toContain('browserTracing');
    });

    it('omit the timing of /404', async () => {
      const { options } = load('https://abc@reports.example/7');
      const timed = (transaction: string) => options.beforeSendTransaction?.({ type: 'transaction', transaction }, {});
      await expect(Promise.resolve(timed('/404'))).resolves.toBeNull();
      await expect(Promise.resolve(timed('/patients'))).resolves.toMatchObject({ transaction: '/patients' });
    });

    it('contain the page’s pattern and nothing of a patient', async () => {
      const { options } = load(null);
      history.replaceState(null, '', '/patient_details?ids=7#Moreau');
      const sent = await options.beforeSend?.({ type: undefined, message: 'Moreau', extra: { name: 'Moreau' } }, {});
      expect(sent).toMatchObject({ transaction: '/patient_details', message: 'Message withheld' });
      expect(JSON.stringify(sent)).not.toContain('Moreau');
    });

    it('are never recorded on the page of patients at home, and never name its link', async () => {
      const idle = jest.fn();
      jest.doMock('./lib/browser/whenIdle', () => ({ whenIdle: idle }));
      history.replaceState(null, '', '/check_in#secret');
      const { options } = load('https://abc@reports.example/7');
      expect(idle).not.toHaveBeenCalled();
      const breadcrumbs = [
        { category: 'navigation', data: { from: '/check_in#secret', to: 'https://ward.example/check_in#secret' } },
      ];
      const request = { url: 'https://ward.example/check_in#secret' };
      const sent = await options.beforeSend?.({ type: undefined, message: '#secret', request, breadcrumbs }, {});
      expect(sent).toMatchObject({ transaction: '/check_in', request: { url: '/check_in' } });
      expect(JSON.stringify(sent)).not.toContain('secret');
      history.replaceState(null, '', '/patients');
      load('https://abc@reports.example/7');
      expect(idle).toHaveBeenCalledTimes(1);
      jest.dontMock('./lib/browser/whenIdle');
    });

    it('send earlier errors, and the number of the page’s user', () => {
      const { sentry, errors } = load(null);
      const id = errors.reportError('after');
      errors.setReportedUser(null);
      expect(jest.mocked(sentry.captureException).mock.calls).toEqual([
        ['before', { event_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string }],
        ['after', { event_id: id }],
      ]);
      expect(jest.mocked(sentry.setUser).mock.calls).toEqual([[{ id: 7 }], [null]]);
    });
  });
});
