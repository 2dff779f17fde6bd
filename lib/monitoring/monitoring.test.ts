import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { calls } from '../api/calls';
import { release } from '../release';
import { routePattern } from './routePattern';
import { safeMessage, withheld } from './safeMessage';
import { scrubBreadcrumb, scrubEvent, scrubReplayEvent } from './scrubEvent';
import { scrubReplayFrame } from './scrubReplayFrame';
import { droppedTransaction, replayRates, replayValues, sentryValues } from './sentryValues';

describe('the code that keeps a page’s errors until they are sent', () => {
  it('is less than a kilobyte of the first load', () => {
    const { code } = transformSync(readFileSync(join(__dirname, 'pageErrors.ts'), 'utf8'), {
      loader: 'ts',
      minify: true,
      format: 'esm',
    });
    expect(Buffer.byteLength(code)).toBeLessThan(1_000);
    // It imports nothing.
    expect(code).not.toMatch(/\bimport\b/);
  });
});

describe('routePattern', () => {
  it.each([
    ['https://ward.example/patient_details?ids=7,8#x', '/patient_details'],
    ['/api/v2/patients/12/vitals?kind=spo2', '/api/v2/patients/:id/vitals'],
    ['/Moreau/7', '/:text/:id'],
    ['/:text/:id', '/:text/:id'],
    ['/patients/Moreau', '/patients/:text'],
    ['', '/'],
    ['https://ward.example', '/'],
    ['/_next/data/k3x/patients.json', '/_next/data/:text/:text'],
    ['Moreau', '/:text'],
    ['//evil.example/patients', '/:text/patients'],
    ['/dashboard\n?name=Moreau', '/:text'],
  ])('turns %j into the pattern %s', (address, pattern) => {
    expect(routePattern(address)).toBe(pattern);
  });

  it('lets no word through that is not one of ours', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        const pattern = routePattern(`/patients/${text}/${more}?${text}#${more}`);
        expect(pattern.split('/').every((part) => part === '' || /^(:id|:text|[\w-]+)$/.test(part))).toBe(true);
        expect(routePattern(`/M${text.replace(/[/?#]/g, '')}`).startsWith('/:text')).toBe(true);
      }),
    );
  });

  const pages = readdirSync(join(__dirname, '../../pages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^_].*\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\.tsx$/, '').replace(/(^|\/)index$/, '')}`);
  const addresses = Object.values(calls).map(({ path }) => path);

  // A new page or call that fails here has a word that is missing in the list of routePattern.ts.
  it.each([...new Set([...pages, ...addresses])])('knows every word of %s', (path) => {
    expect(routePattern(path.replaceAll(/:\w+/g, '7'))).toBe(path.replaceAll(/:\w+/g, ':id'));
  });
});

describe('safeMessage', () => {
  it.each([
    ['Ines Moreau has no signal', withheld],
    ['', withheld],
    ["Cannot read properties of undefined (reading 'Moreau')", 'Cannot read properties of undefined'],
    ['patients.Moreau is not a function', 'Something is not a function'],
    ['Minified React error #418; visit https://react.dev/errors/418?args[]=Moreau', 'Minified React error #418'],
    ['Request failed with status code 503', 'Request failed with status code 503'],
    ['Request failed with status code 503 for Moreau', withheld],
    ['Failed to fetch (ward.example)', 'Failed to fetch'],
    ['Invalid Step! Moreau', 'Invalid Step!'],
    ['useChat must be used within a ChatProvider', 'useChat must be used within a ChatProvider'],
  ])('reduces %j to %j', (message, said) => {
    expect(safeMessage(message)).toBe(said);
  });

  it('never repeats a marker that was in the message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(safeMessage(`${before}Moreau-4711${after}`)).not.toContain('4711');
      }),
    );
  });
});

describe('scrubEvent', () => {
  const id = 'a'.repeat(32);
  const error = {
    event_id: id,
    timestamp: 1_770_000_000.5,
    platform: 'javascript',
    level: 'error',
    release: 'wardlight@0.1.0',
    environment: 'production',
    transaction: '/patient_details?ids=7',
    request: { url: 'https://ward.example/patients?name=Moreau', headers: { Cookie: 'token=secret' } },
    user: { id: 7, email: 'ines@ward.example', ip_address: '10.0.0.7' },
    extra: { patient: 'Moreau' },
    tags: { mrn: '4711', replayId: 'b'.repeat(32) },
    message: 'Moreau fell',
    server_name: 'ward-pc-7',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'Moreau')",
          mechanism: { type: 'onerror', handled: false, data: { text: 'Moreau' } },
          stacktrace: {
            frames: [
              {
                filename: 'https://ward.example/_next/static/chunks/pages/patients-3f.js',
                function: 'PatientRow',
                lineno: 1,
                colno: 2,
                in_app: true,
                vars: { name: 'Moreau' },
                context_line: "const name = 'Moreau'",
              },
              { filename: 'https://ward.example/Moreau.js', function: 'x' },
            ],
          },
        },
      ],
    },
    breadcrumbs: [
      { timestamp: 1, category: 'ui.click', message: 'button[title="Moreau"]' },
      {
        timestamp: 2,
        type: 'http',
        category: 'fetch',
        data: { url: '/api/v2/patients/7/vitals?x=Moreau', method: 'GET', status_code: 200, body: 'Moreau' },
      },
    ],
  };

  describe('what an error report may carry', () => {
    it('is the place and the error, and no person', () => {
      expect(scrubEvent(error)).toEqual({
        event_id: id,
        timestamp: 1_770_000_000.5,
        platform: 'javascript',
        level: 'error',
        release: 'wardlight@0.1.0',
        environment: 'production',
        transaction: '/patient_details',
        request: { url: '/patients' },
        user: { id: '7' },
        // A receiver finds the replay by it.
        tags: { replayId: 'b'.repeat(32) },
        message: 'Message withheld',
        exception: {
          values: [
            {
              type: 'TypeError',
              value: 'Cannot read properties of undefined',
              mechanism: { type: 'onerror', handled: false },
              stacktrace: {
                frames: [
                  {
                    filename: '/_next/static/chunks/pages/patients-3f.js',
                    function: '?',
                    lineno: 1,
                    colno: 2,
                    in_app: true,
                  },
                  { filename: 'other', function: '?' },
                ],
              },
            },
          ],
        },
        breadcrumbs: [
          { timestamp: 1, category: 'ui.click' },
          {
            timestamp: 2,
            type: 'http',
            category: 'fetch',
            data: { url: '/api/v2/patients/:id/vitals', method: 'GET', status_code: 200 },
          },
        ],
      });
    });

    it('names no error and no function but those that always have that name', () => {
      const of = (type: string, name: string) =>
        scrubEvent({ exception: { values: [{ type, stacktrace: { frames: [{ function: name }] } }] } }).exception
          ?.values;
      const as = (type: string, name: string) => [{ type, stacktrace: { frames: [{ function: name }] } }];
      // Code gives both any name: `{ [name]: () => 0 }`, `error.name = name`.
      expect(of('Moreau', 'Moreau')).toEqual(as('OtherError', '?'));
      expect(of('MoreauError', 'Array.Moreau')).toEqual(as('OtherError', '?'));
      expect(of('constructor', 'toString')).toEqual(as('OtherError', '?'));
      expect(of('RangeError', 'Array.map')).toEqual(as('RangeError', 'Array.map'));
    });

    it('drops a field that does not have its form', () => {
      expect(
        scrubEvent({
          event_id: 'Moreau',
          level: 'Moreau',
          user: 'Moreau',
          exception: 'Moreau',
          breadcrumbs: { values: 'Moreau' },
          spans: [7],
        }),
      ).toEqual({
        spans: [],
      });
    });

    it('contains no text that was put anywhere into any event', () => {
      // More digits than a random integer has, which may well contain 4711.
      const marker = 'Moreau 471108150815';
      const withMarker: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
        tree: fc.oneof(
          { depthSize: 'small' },
          fc.constant(marker),
          fc.integer(),
          fc.array(tie('tree')),
          fc.dictionary(
            fc.constantFrom(
              ...Object.keys(error),
              'values',
              'frames',
              'filename',
              'value',
              'type',
              'data',
              'url',
              marker,
            ),
            tie('tree'),
          ),
        ),
      })).tree;
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom(...Object.keys(error), 'spans', 'contexts', 'measurements'), withMarker),
          (event) => {
            expect(JSON.stringify([scrubEvent(event), scrubReplayEvent(event)])).not.toMatch(/Moreau|471108150815/);
          },
        ),
      );
    });
  });

  describe('the breadcrumbs of a page', () => {
    it.each([
      { category: 'ui.click', message: 'button[title="Moreau"]' },
      { category: 'console', message: 'Moreau' },
      { message: 'Moreau' },
    ])('contain nothing of %j', (given) => {
      expect(scrubBreadcrumb(given)).toBeNull();
    });

    it('are the page and the call, by their patterns', () => {
      expect(
        scrubBreadcrumb({ category: 'navigation', data: { from: '/patients?x=Moreau', to: '/patient_details?ids=7' } }),
      ).toEqual({
        category: 'navigation',
        data: { from: '/patients', to: '/patient_details' },
      });
    });
  });

  describe('the timing of a page', () => {
    it('names calls by their patterns and carries no attribute', () => {
      const trace = { trace_id: id, span_id: 'b'.repeat(16) };
      const span = {
        ...trace,
        start_timestamp: 1,
        timestamp: 2,
        op: 'http.client',
        description: 'GET /api/v2/patients/7?x=Moreau',
      };
      expect(scrubEvent({ spans: [{ ...span, data: { name: 'Moreau' } }, { span_id: 'Moreau' }] })).toEqual({
        spans: [
          {
            ...trace,
            start_timestamp: 1,
            timestamp: 2,
            op: 'http.client',
            description: '/api/v2/patients/:id',
            status: 'unknown',
            data: {},
          },
        ],
      });
    });
  });

  describe('the event of a replay', () => {
    it('names the pages by their patterns', () => {
      expect(
        scrubReplayEvent({
          type: 'replay_event',
          replay_id: id,
          urls: ['https://ward.example/patients?name=Moreau'],
          user: { id: '7', username: 'Moreau' },
        }),
      ).toEqual({
        type: 'replay_event',
        replay_id: id,
        urls: ['/patients'],
        user: { id: '7' },
      });
    });
  });
});

describe('a frame of a recording that is not the picture', () => {
  const times = { startTimestamp: 1, endTimestamp: 2 };

  it.each(['resource.xhr', 'resource.img', 'largest-contentful-paint', 'memory', 'ui.click'])(
    'is nothing of %s',
    (op) => {
      expect(scrubReplayFrame({ op, description: 'https://ward.example/Moreau', ...times })).toBeNull();
    },
  );

  it('is the page that was opened, by its pattern', () => {
    const frame = {
      op: 'navigation.push',
      description: 'https://ward.example/patients?name=Moreau#x',
      ...times,
      data: { previous: 'Moreau' },
    };
    expect(scrubReplayFrame(frame)).toEqual({ op: 'navigation.push', description: '/patients', ...times });
  });
});

describe('sentryValues', () => {
  describe('the values that the product specification fixes', () => {
    it('are: traces sample rate 1', () => {
      expect(sentryValues.tracesSampleRate).toBe(1);
    });

    it('are: replay on-error sample rate 1, replay session sample rate 0.1', () => {
      expect(replayRates).toEqual({ replaysOnErrorSampleRate: 1, replaysSessionSampleRate: 0.1 });
    });

    it('are: all text masked, all media blocked', () => {
      expect(replayValues).toMatchObject({ maskAllText: true, maskAllInputs: true, blockAllMedia: true });
    });

    it('are: environment production, debug off', () => {
      expect(sentryValues).toMatchObject({ environment: 'production', debug: false });
    });

    it('are: transactions of /404 are dropped', () => {
      expect(droppedTransaction).toBe('/404');
    });
  });

  describe('what is collected without being asked for', () => {
    it('is nothing, each kind by its name', () => {
      expect(sentryValues.dataCollection).toEqual({
        userInfo: false,
        cookies: false,
        httpHeaders: { request: false, response: false },
        httpBodies: [],
        urlQueryParams: false,
        databaseQueryData: false,
        stackFrameVariables: false,
        frameContextLines: 0,
        queues: false,
        graphQL: { document: false, variables: false },
        genAI: { inputs: false, outputs: false },
      });
      expect(sentryValues.tracePropagationTargets).toEqual([]);
    });

    it('hide in a replay what is drawn, what a screen reader reads and what calls carry', () => {
      expect(replayValues.block).toEqual(['canvas', 'svg', '[data-phi]', '[href*="?"]']);
      expect(replayValues.maskAttributes).toEqual(
        expect.arrayContaining(['title', 'aria-label', 'alt', 'placeholder', 'value']),
      );
      expect(replayValues).toMatchObject({ networkDetailAllowUrls: [], networkCaptureBodies: false });
    });

    it('name the release', () => {
      expect(sentryValues.release).toBe(release);
    });
  });
});
