import fc from 'fast-check';
import { scrubBreadcrumb, scrubEvent, scrubReplayEvent } from './scrubEvent';

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
      scrubEvent({ exception: { values: [{ type, stacktrace: { frames: [{ function: name }] } }] } }).exception?.values;
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
