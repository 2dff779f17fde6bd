import fc from 'fast-check';
import { toInstant } from '../lib/time/schema';
import { qualities } from '../lib/vitals/schema';
import { vitalKinds } from '../lib/vitals/kinds';

/** Texts that have broken servers before, among any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    'null',
    '\u0000',
    '\ud800',
    '%00',
    "'",
    '"',
    '2026-02-30',
    '__proto__',
    '9'.repeat(400),
  ),
);
/** Objects with keys that JavaScript itself asks for: unparsed, they pass for a list, a text or a promise. */
const posing = fc.dictionary(
  fc.constantFrom('length', 'toString', 'valueOf', 'then', 'toJSON'),
  fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(-1, 0, 1e9, 2 ** 32)),
  { minKeys: 1 },
);

/** What is sent to a server on purpose or by mistake, mostly near to what it expects. */
export interface MalformedInputs {
  /** Texts in place of the JSON of a device's call. */
  bodies: fc.Arbitrary<string>;
  /** Calls of a device about the patient with this MRN. */
  calls: fc.Arbitrary<{ sentAt: unknown; samples: unknown[] }>;
  /** Queries of the list of patients. */
  listQueries: fc.Arbitrary<string>;
  /** Addresses of the vitals of this patient: what takes the place of the id, and the query. */
  vitals: fc.Arbitrary<readonly [id: string, query: string]>;
  /** The bytes of requests, whole or not, as latin1. */
  requests: fc.Arbitrary<string>;
}

/**
 * Returns malformed inputs about a patient. `now`: times are near to it. `secrets`: values of headers with which the
 * server lets the sender in.
 */
export function malformedInputs(
  now: number,
  { id, mrn }: { id: number; mrn: string },
  secrets: { authorization: string; cookie: string },
): MalformedInputs {
  const recent = fc.integer({ min: now - 86_400_000, max: now + 600_000 }).map(toInstant);
  const extremes = [
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999-14:00',
    '9999-12-31T23:59:59Z',
    '1970-01-01T00:00:00+14:00',
  ];
  const instant = fc.oneof(
    { weight: 6, arbitrary: recent },
    { weight: 2, arbitrary: fc.constantFrom(...extremes) },
    { weight: 1, arbitrary: text },
  );
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    text,
    instant,
    fc.double(),
    fc.bigInt().map(Number),
    posing,
    fc.array(posing, { maxLength: 3 }),
  );
  const mostly = <T>(likely: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 12, arbitrary: likely }, { weight: 1, arbitrary: anything });
  const valid = fc.record(
    {
      mrn: mostly(fc.constant(mrn)),
      kind: mostly(fc.constantFrom(...vitalKinds)),
      value: mostly(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom('A', 'U'))),
      takenAt: mostly(instant),
      quality: mostly(fc.constantFrom(...qualities)),
    },
    { requiredKeys: ['mrn', 'kind', 'value', 'takenAt'] },
  );
  const sample = mostly(
    fc.oneof(
      { weight: 6, arbitrary: valid },
      { weight: 1, arbitrary: valid.map((one) => ({ ...one, patientId: id })) },
    ),
  );
  const sentAt = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(undefined, toInstant(now)) },
    { weight: 1, arbitrary: instant },
  );
  const calls = fc.record({ sentAt, samples: fc.array(sample, { maxLength: 8 }) });
  const listed = ['active', 'discharged', '1', '2', '500', 'familyName', '-spo2', 'heartRate', 'Ward 1'];
  const charted = fc.oneof(
    instant,
    fc.constantFrom('spo2', 'spo2,heartRate', vitalKinds.join(','), '2', '1000', '2000'),
  );
  return {
    bodies: fc.oneof(
      text,
      fc.json({ maxDepth: 4 }),
      anything.map((value) => JSON.stringify(value) ?? ''),
    ),
    calls,
    listQueries: queryOf(['state', 'unit', 'page', 'pageSize', 'sort', 'after'], fc.constantFrom(...listed)),
    vitals: fc.tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constant(String(id)) }, { weight: 1, arbitrary: text.map(encode) }),
      queryOf(['kind', 'from', 'to', 'points'], charted),
    ),
    requests: requestsOf(
      secrets,
      calls.map((call) => JSON.stringify(call)),
    ),
  };
}

/** As part of an address; half a surrogate pair, which no address can hold, becomes the replacement character. */
function encode(part: string): string {
  return encodeURIComponent(Buffer.from(part).toString());
}

function queryOf(names: readonly string[], likely: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text });
  const value = fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: text });
  const pair = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(name, value).map(([left, right]) => `${encode(left)}=${encode(right)}`) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz=%', '&&', '=', 'page[]=1', 'page[a]=1', 'points', '%00=%00') },
  );
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));
}

const headerNames = [
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'connection',
  'upgrade',
  'expect',
  'origin',
  'referer',
  'range',
  'if-none-match',
  'if-modified-since',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-xsrf-token',
  'x-request-id',
];
const headerValues = [
  'a',
  '*/*',
  '0',
  '5',
  '99999999999999999999',
  'chunked',
  'gzip',
  'close',
  'keep-alive, upgrade',
  'websocket',
  '100-continue',
  'application/json',
  'application/json; charset=utf-16',
  'bytes=0-0,-1',
  'https',
  '127.0.0.1, ::1',
  'cross-site',
  'x'.repeat(9_000),
];

/** What a client of HTTP sends if it is broken, or means harm. */
function requestsOf(
  secrets: { authorization: string; cookie: string },
  bodies: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const line = fc.oneof(
    {
      weight: 10,
      arbitrary: fc
        .tuple(
          fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...headerNames) }, { weight: 1, arbitrary: text }),
          fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...headerValues) }, { weight: 1, arbitrary: text }),
        )
        .map(([name, value]) => `${name}: ${value}`),
    },
    { weight: 1, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('authorization', 'cookie'), text).map(([name, value]) => `${name}: ${value}`),
    },
  );
  const known = fc.constantFrom(
    'GET /healthz',
    'GET /api/v2/patients',
    'GET /api/v2/alerts?state=active',
    'GET /api/user/getCurrentUser',
    'HEAD /api/v2/patients',
    'POST /api/v2/vitals',
    'POST /api/v2/patients/search',
    'POST /api/user/login',
    'OPTIONS *',
    'CONNECT a:1',
  );
  const start = fc.oneof(
    { weight: 8, arbitrary: known.map((asked) => `${asked} HTTP/1.1`) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, text).map(([method, address]) => `${method} ${address} HTTP/1.1`) },
  );
  const secret = fc.constantFrom('', `authorization: ${secrets.authorization}\r\n`, `cookie: ${secrets.cookie}\r\n`);
  return fc
    .tuple(start, secret, fc.array(line, { maxLength: 5 }), fc.oneof(fc.constant(''), bodies))
    .map(
      ([first, trusted, lines, body]) =>
        `${first}\r\nhost: a\r\n${trusted}${lines.map((one) => `${one}\r\n`).join('')}\r\n${body}`,
    );
}
