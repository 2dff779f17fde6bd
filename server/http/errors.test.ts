import { basename } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { errorBody } from '../../lib/api/errorBody';
import { appAddress } from '../../test/appAddress';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { installErrors, toHttpError } from './errors';
import { HttpError } from './httpError';

const fault = (code: string, more: object = {}): Error =>
  Object.assign(new Error('Sam Sample has 137.713'), { code, ...more });

describe('toHttpError', () => {
  it.each([
    ['SQLITE_FULL'],
    ['SQLITE_BUSY'],
    ['SQLITE_BUSY_SNAPSHOT'],
    ['SQLITE_IOERR_WRITE'],
    ['SQLITE_READONLY_DBMOVED'],
    ['SQLITE_CANTOPEN'],
    ['ECONNREFUSED'],
    ['57014'],
    ['57P01'],
    ['53300'],
    ['08006'],
    ['40P01'],
    ['55P03'],
    ['40001'],
    ['25006'],
  ])('makes the store’s %s a 503 that says when to come back', (code) => {
    expect(toHttpError(fault(code))).toMatchObject({ status: 503, code: 'storage_unavailable', retryAfter: 2 });
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client was closed and is not queryable',
  ])('knows "%s", which has no code', (message) => {
    expect(toHttpError(new Error(message))).toMatchObject({ status: 503, code: 'storage_unavailable' });
  });

  it('does not blame the store when the caller hangs up half-way', () => {
    expect(toHttpError(fault('ECONNRESET', { statusCode: 400 }))).toMatchObject({
      status: 400,
      code: 'malformed_request',
    });
  });

  it.each([
    ['an error', new Error('Sam Sample has 137.713')],
    ['a broken constraint', fault('SQLITE_CONSTRAINT_UNIQUE')],
    ['a broken query', fault('42601')],
    ['an error that claims to be a success', fault('', { statusCode: 200 })],
    ['a text', 'Sam Sample has 137.713'],
    ['nothing', undefined],
  ])('tells the caller nothing of %s', (_, error) => {
    expect(toHttpError(error)).toMatchObject({
      status: 500,
      code: 'internal_error',
      message: 'Something went wrong on the server. Nothing was changed.',
      fields: undefined,
      id: undefined,
    });
  });

  it('leaves a refusal as it is', () => {
    const refusal = new HttpError(409, 'mrn_exists', 'taken', { id: 7 });
    expect(toHttpError(refusal)).toBe(refusal);
  });
});

describe('an error of ours', () => {
  it('is logged by its kind and place but not its text, and answered with the id that the log has', async () => {
    const lines: string[] = [];
    const faults: [unknown, string][] = [];
    const loggerInstance: FastifyBaseLogger = pino({ base: null }, { write: (line: string) => lines.push(line) });
    const app = Fastify({ loggerInstance });
    installErrors(app, { onFault: (...fault) => faults.push(fault), onRejection: () => Promise.resolve() });
    app.get('/fault', () => {
      throw new TypeError('Sam Sample\n    has 137.713571\n  at home');
    });
    app.get('/store', () => {
      throw fault('SQLITE_FULL');
    });

    const answer = await app.inject('/fault');
    expect(answer.statusCode).toBe(500);
    const { error } = errorBody.parse(answer.json());
    const store = await app.inject('/store');
    expect([store.statusCode, store.headers['retry-after']]).toEqual([503, '2']);
    // A store that is unavailable for a moment is no fault in the code.
    expect(faults).toEqual([[expect.any(TypeError), '/fault']]);

    expect(`${answer.body}${store.body}${lines.join('')}`).not.toMatch(/Sample|137\.71|713571|at home/);
    const failures = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request failed');
    expect(failures).toEqual([
      expect.objectContaining({ level: 50, requestId: error.requestId, code: 'internal_error', fault: 'TypeError' }),
      expect.objectContaining({ level: 50, code: 'SQLITE_FULL', fault: 'Error' }),
    ]);
    expect(failures[0]?.stack).toEqual(expect.arrayContaining([expect.stringContaining(basename(__filename))]));
    await app.close();
  });
});

describe('every refusal of the server has the one shape', () => {
  let test: TestServer;
  let port: string;

  beforeAll(async () => {
    test = await sharedTestServer('sqlite');
    ({ port } = new URL(await appAddress(test)));
  });

  const json = { 'content-type': 'application/json' };
  it.each([
    ['an unknown address', 404, 'not_found', { url: '/api/v2/nothing' }],
    ['an address that cannot be decoded', 400, 'malformed_url', { url: '/api/v2/patients/%zz' }],
    ['an address with a part of 101 characters', 414, 'malformed_url', { url: `/api/v2/patients/${'1'.repeat(101)}` }],
    ['a call without a session', 401, 'signed_out', { url: '/api/v2/patients' }],
    [
      'a method that the address does not have',
      404,
      'not_found',
      { method: 'DELETE' as const, url: '/api/v2/patients' },
    ],
    ['half a body', 400, 'malformed_json', { headers: json, payload: '{"email":' }],
    ['an empty body that claims to be JSON', 400, 'malformed_json', { headers: json, payload: '' }],
    ['no body', 422, 'invalid', {}],
    [
      'a body of another type',
      415,
      'unsupported_media_type',
      { headers: { 'content-type': 'text/plain' }, payload: '{}' },
    ],
    ['XML', 415, 'unsupported_media_type', { headers: { 'content-type': 'application/xml' }, payload: '<a/>' }],
    [
      'a compressed body',
      415,
      'unsupported_encoding',
      { headers: { ...json, 'content-encoding': 'br' }, payload: '{}' },
    ],
    ['a body of 10 MB', 413, 'body_too_large', { headers: json, payload: `"${'x'.repeat(10_000_000)}"` }],
    ['a field that is missing', 422, 'invalid', { headers: json, payload: '{"email":"robin@example.org"}' }],
  ])('%s: %i %s', async (_, status, code, call) => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      ...('url' in call ? { method: 'GET' } : {}),
      ...call,
    });
    expect([answer.statusCode, errorBody.strict().parse(answer.json()).error.code]).toEqual([status, code]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(answer.body).not.toContain('%zz');
  });

  it.each(['/api/v2/patients', '/%61pi/v2/patients', '/api/v2/nothing'])(
    '%s has the policy of data, however it is written',
    async (url) => {
      const { headers } = await test.app.inject(url);
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    },
  );

  it.each([
    ['what is not HTTP', 400, 'malformed_http', 'good morning\r\n\r\n'],
    [
      'two lengths for one body',
      400,
      'malformed_http',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      400,
      'malformed_http',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      '20 kB of headers',
      431,
      'headers_too_large',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('%s: %i %s, and the connection is closed', async (_, status, code, sent) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(errorBody.parse(JSON.parse(body)).error.code).toBe(code);
  });

  it('names the keys that a call does not know, also those that every object inherits', async () => {
    const nurse = await test.signIn(await test.addSite(), 'nurse');
    const answer = await nurse.call('GET', '/api/v2/patients?colour=red&constructor=x&__proto__=y');
    expect(answer.statusCode).toBe(400);
    const { fields } = errorBody.parse(answer.json()).error;
    expect(Object.keys(fields ?? {})).toEqual(expect.arrayContaining(['colour', 'constructor']));
    expect(answer.body).not.toContain('red');
  });
});
