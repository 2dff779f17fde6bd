import { connect } from 'node:net';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { z } from 'zod';
import { calls } from '../../lib/api/calls';
import { errorBody } from '../../lib/api/errorBody';
import { appAddress } from '../../test/appAddress';
import { type Call, everyCall } from '../../test/everyCall';
import { fuzzRuns, roundsOf } from '../../test/fuzzRuns';
import { sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { installErrors, toHttpError } from './errors';
import { fixedHeadersOf, newNonce, pagePolicy } from './headers';
import { HttpError } from './httpError';
import { rejectOddRequest } from './oddRequests';
import { parseJson } from './parseJson';
import { plainFault } from './plainFault';

describe('a body with an odd object in it', () => {
  /** Objects that answer the questions which a validator asks of a text, a list or a number with something else. */
  const oddValues: object[] = [
    { length: { toString: 1 } },
    { length: { valueOf: 1, toString: 1 } },
    { length: {} },
    { size: { toString: 1 } },
    { toString: 1, valueOf: 1 },
    { then: 1, toJSON: 1 },
    [{ length: { toString: 1 } }],
  ];

  let test: TestServer;
  let person: Caller;
  let token: string;
  let calls: Call[];

  // A server of its own: it makes every call, and those of strangers use up what their address may ask for.
  beforeAll(async () => {
    test = await startTestServer('sqlite');
    const site = await test.addSite();
    person = await test.signIn(site, 'physician', true);
    ({ token } = await test.addDevice(site));
    calls = everyCall(test).filter(({ method }) => method !== 'GET');
  });
  afterAll(() => test.stop());

  /** A valid body, once with each of its fields replaced, once with one field more, and the odd value by itself. */
  function spoiled(body: object, odd: object): object[] {
    return [odd, { ...body, odd }, ...Object.keys(body).map((field) => ({ ...body, [field]: odd }))];
  }

  it('is refused or taken by every call, and no call fails over it', async () => {
    const failed = new Set<string>();
    let sent = 0;
    // Each call two of the seven, the next one others, FUZZ_SEED=1 other ones; with FUZZ_ROUNDS all.
    const from = fuzzRuns.seed ?? 0;
    for (const [index, call] of calls.entries()) {
      const odd = Array.from(
        { length: roundsOf(oddValues.length, 0.25) },
        (_, step) => oddValues[(from + index + step * 2) % oddValues.length] ?? {},
      );
      const id = call.about === 'caller' ? person.userId : call.hasId ? await call.about(person.siteId) : 1;
      const body = await call.body(id);
      if (body === undefined || Buffer.isBuffer(body)) {
        continue;
      }
      for (const payload of odd.flatMap((value) => spoiled(body, value))) {
        const answer = await test.app.inject({
          method: call.method,
          url: call.url(id),
          cookies: person.cookies,
          headers: { 'x-xsrf-token': person.cookies['XSRF-TOKEN'] ?? '', authorization: `Bearer ${token}` },
          payload,
        });
        sent += 1;
        if (answer.statusCode >= 500) {
          failed.add(`${call.row} ${answer.statusCode} ${JSON.stringify(payload)}`);
        }
      }
    }
    expect([...failed]).toEqual([]);
    expect(sent).toBeGreaterThan(500);
  });

  it('is refused by a call that knows the field with 422', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      payload: { email: { length: { toString: 1 } }, password: 'x' },
    });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([422, 'invalid']);
    expect(test.logLines.filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });

  it('is refused where its bytes are not UTF-8, so that no name is stored other than it was written', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from('{"email":"j\u00fcrgen@example.org","password":"x"}', 'latin1'),
    });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, 'malformed_json']);
  });

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))(
    'is no sample, %s, and costs no other',
    async (_, odd) => {
      const patientId = await test.addPatient(person.siteId);
      const good = { patientId, kind: 'spo2', value: 96, takenAt: new Date(test.now()).toISOString() };
      const answer = await test.ingest(token, [odd, { ...good, mrn: odd }, good, { ...good, kind: odd }]);
      expect(answer.statusCode).toBe(200);
      const { accepted, rejected } = answer.json<{ accepted: number; rejected: { index: number; code: string }[] }>();
      expect(accepted).toBe(1);
      expect(rejected.map(({ index, code }) => [index, code])).toEqual([0, 1, 3].map((at) => [at, 'malformed_sample']));
    },
  );

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))(
    'is no battery, %s, and costs no sample',
    async (_, odd) => {
      const patientId = await test.addPatient(person.siteId);
      const good = { patientId, kind: 'spo2', value: 96, takenAt: new Date(test.now()).toISOString() };
      for (const battery of [odd, { percent: odd }, { percent: 50, minutesLeft: odd }]) {
        const answer = await test.ingest(token, [{ ...good, value: 95 }], { battery });
        expect(answer.statusCode).toBe(200);
      }
    },
  );

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))('is no error report, %s', async (_, odd) => {
    const id = 'a'.repeat(32);
    const frames = [{ filename: odd, function: odd, lineno: odd }];
    const reports: [header: object, item: object, event: object][] = [
      [odd, { type: 'event' }, {}],
      [{ dsn: odd, event_id: odd }, { type: 'event' }, {}],
      [{ event_id: id }, odd, {}],
      [{ event_id: id }, { type: 'event', length: odd }, {}],
      ...['event', 'transaction', 'client_report', 'replay_event'].flatMap((type): [object, object, object][] => [
        [{ event_id: id }, { type }, odd],
        [{ event_id: id }, { type }, { event_id: odd, message: odd, transaction: odd, breadcrumbs: odd, user: odd }],
        [{ event_id: id }, { type }, { exception: { values: [{ type: odd, value: odd, stacktrace: { frames } }] } }],
        [
          { event_id: id },
          { type },
          { exception: odd, spans: [odd], contexts: odd, discarded_events: [odd], urls: odd },
        ],
      ]),
    ];
    for (const report of reports) {
      const payload = report.map((part) => JSON.stringify(part)).join('\n');
      const answer = await test.app.inject({ method: 'POST', url: '/monitoring', payload });
      expect([payload, answer.statusCode < 500]).toEqual([payload, true]);
    }
  });
});

describe('oddRequests', () => {
  describe('what only a proxy or an attacker sends', () => {
    let test: TestServer;
    let port: number;

    beforeAll(async () => {
      test = await sharedTestServer('sqlite');
      port = Number(new URL(await appAddress(test)).port);
    });

    async function send(sent: string): Promise<{ head: string; body: string }> {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(sent);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return { head, body };
    }
    const close = 'Connection: close\r\n\r\n';

    it.each([
      ['TRACE', 405, 'method_not_allowed', `TRACE /healthz HTTP/1.1\r\nHost: a\r\nCookie: token=x\r\n${close}`],
      ['TRACE of a page', 405, 'method_not_allowed', `TRACE / HTTP/1.1\r\nHost: a\r\n${close}`],
      ['two hosts', 400, 'malformed_request', `GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n${close}`],
      ['the same host twice', 400, 'malformed_request', `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}`],
      [
        'an address on another host',
        400,
        'malformed_request',
        `GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\n${close}`,
      ],
      ['an address of another kind', 400, 'malformed_request', `GET ftp://a/healthz HTTP/1.1\r\nHost: a\r\n${close}`],
      ['no place', 404, 'not_found', `GET * HTTP/1.1\r\nHost: a\r\n${close}`],
      ['an address that cannot be decoded', 400, 'malformed_url', `GET /% HTTP/1.1\r\nHost: a\r\n${close}`],
    ])('%s: %i %s, with the policy of data', async (_, status, code, sent) => {
      const { head, body } = await send(sent);
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
      expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
      expect(errorBody.parse(JSON.parse(body)).error.code).toBe(code);
      expect(body).not.toContain('token=x');
    });

    it('is not an address that names this host, which every server takes', async () => {
      const { head } = await send(`GET http://A:80/healthz HTTP/1.1\r\nHost: a:80\r\n${close}`);
      expect(head).toMatch(/^HTTP\/1.1 200 /);
    });
  });

  it.each([
    ['http://a/alerts?x=1', '/alerts?x=1'],
    ['HTTP://A', '/'],
    ['http://a?x=http://b/', '/?x=http://b/'],
    ['/alerts?x=http://a/', '/alerts?x=http://a/'],
  ])('an address of this host is a path to all that comes after: %s', async (address, path) => {
    const app = Fastify();
    app.addHook('onRequest', rejectOddRequest);
    app.get('*', ({ url }) => url);
    const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [, body] = (await text(socket)).split('\r\n\r\n');
    expect(body).toBe(path);
    await app.close();
  });
});

describe('parseJson', () => {
  /** The code with which a text is refused, or null when it is taken. */
  function refusalOf(text: string): string | null {
    try {
      parseJson(text);
      return null;
    } catch (error) {
      return error instanceof HttpError && error.status === 400 ? error.code : `not a refusal: ${String(error)}`;
    }
  }

  function isJson(text: string): boolean {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const numbers = (count: number): string => `[${Array.from({ length: count }, () => 1).join(',')}]`;
  const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

  describe('parseJson refuses', () => {
    it.each([
      ['an empty text', ''],
      ['blanks', ' \n'],
      ['half an object', '{"a":1'],
      ['two values', '1 2'],
      ['NaN', '{"value":NaN}'],
      ['Infinity', '{"value":Infinity}'],
      ['single quotes', "{'a':1}"],
      ['a comment', '{"a":1}//'],
      ['a trailing comma', '{"a":1,}'],
      ['an unclosed string', '{"a":"b}'],
      ['an unclosed string after an escaped quote', '{"a":"b\\"}'],
      ['an escape that does not exist', '{"\\x":1}'],
      ['brackets that do not match', '[}'],
      ['more closing than opening', '{}}}}'],
      ['a control character in a string', '"a\u0001"'],
      ['a byte order mark', '\uFEFF{}'],
    ])('%s as malformed', (_, text) => {
      expect(refusalOf(text)).toBe('malformed_json');
    });

    it.each([
      ['twice the same key', '{"a":1,"a":2}'],
      ['the same key, once written with an escape', '{"a":1,"\\u0061":2}'],
      ['the same key, both written with an escape', '{"\\u0061":1,"\\u0061":2}'],
      ['a repeated key that holds quotes and backslashes', '{"\\\\\\"":1,"\\\\\\"":2}'],
      ['a repeated key in an object within an array', '[{"x":[{"b":1,"c":2,"b":3}]}]'],
      ['a repeated key after an inner object with the same key', '{"a":{"a":1},"a":2}'],
      ['a repeated key with blanks before its colon', '{"a":1,"a" \n\t :2}'],
      ['a repeated empty key', '{"":1,"":2}'],
      ['a repeated key in the second object of a list', '[{"a":1,"b":2},{"a":1,"b":2,"b":3}]'],
      ['a repeated key where the object before had another', '[{"a":1,"b":2},{"b":1,"b":2}]'],
      ['a repeated key with an escape in the second object of a list', '[{"\\\\":1,"b":2},{"\\\\":1,"\\u005c":2}]'],
    ])('%s', (_, text) => {
      expect(refusalOf(text)).toBe('duplicate_key');
    });

    it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])('the key %s at any depth', (key) => {
      expect(refusalOf(`{"${key}":{"isAdmin":true}}`)).toBe('forbidden_key');
      expect(refusalOf(`[{"a":[{"${key}":1}]}]`)).toBe('forbidden_key');
    });

    it.each([
      ['33 arrays', nested(33)],
      ['33 objects', '{"a":'.repeat(33) + '1' + '}'.repeat(33)],
      ['100,000 arrays', nested(100_000)],
      ['100,000 arrays that never close', '['.repeat(100_000)],
    ])('%s within each other, without running out of stack', (_, text) => {
      expect(refusalOf(text)).toBe('json_too_deep');
    });

    it.each([
      ['100,000 numbers in an array', numbers(100_000)],
      ['100,001 empty objects', `[${Array.from({ length: 100_001 }, () => '{}').join(',')}]`],
      ['an object with 201 keys', keys(201)],
    ])('%s', (_, text) => {
      expect(refusalOf(text)).toBe('json_too_large');
    });

    it('no key without shortening it in its message', () => {
      const key = 'k'.repeat(500);
      expect(() => parseJson(`{"${key}":1,"${key}":2}`)).toThrow(`"${'k'.repeat(40)}"`);
    });
  });

  describe('parseJson takes', () => {
    it.each([
      ['32 arrays within each other', nested(32)],
      ['99,999 numbers in an array', numbers(99_999)],
      ['an object with 200 keys', keys(200)],
      ['a string full of brackets', JSON.stringify({ a: '[[[{{{'.repeat(1_000) })],
      ['a string full of backslashes and quotes', JSON.stringify({ a: '\\"\\\\"'.repeat(1_000) })],
      ['strings that look like keys', '{"a":"\\"a\\":1","b":["a","a"]}'],
      ['a value that repeats a key', '{"a":"a","b":"a"}'],
      ['the same key in sibling objects', '[{"a":1},{"a":2}]'],
      ['keys in another order than in the object before', '[{"a":1,"b":2},{"b":1,"a":2},{"c":1}]'],
      ['a key that begins like the one before it', String.raw`[{"a\\":1},{"a\\\":1,\"a":2},{"a\\":1}]`],
      ['a value that is like the key before it', '[{"a":1,"b":2},{"a":"b","b":"a"},["a"],{"a":"a"}]'],
      ['a forbidden word as a value', '{"a":"__proto__"}'],
      ['a number past what a double holds', '1e999'],
      ['minus zero', '-0'],
      ['lone surrogates', '"\\ud800"'],
    ])('%s', (_, text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    });

    it('every JSON value as JSON.parse does', () => {
      const key = fc
        .string({ unit: 'grapheme' })
        .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: 'medium', withCrossShrink: true },
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.boolean(),
            fc.constant(null),
          ),
          fc.array(tie('value'), { maxLength: 5 }),
          fc.dictionary(key, tie('value'), { maxKeys: 5 }),
        ),
      }));
      fc.assert(
        fc.property(value, fc.constantFrom(undefined, 1, '\t'), (given, indent) => {
          const text = JSON.stringify(given, null, indent);
          expect(parseJson(text)).toEqual(JSON.parse(text));
        }),
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 3) },
      );
    });

    it('nothing that JSON.parse refuses, and nothing else than a Refusal is thrown', () => {
      const junk = fc.array(
        fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', 'a', '1', '\\"', '"a":', 'null', '\u0000'),
        {
          maxLength: 30,
        },
      );
      fc.assert(
        fc.property(junk, (parts) => {
          const text = parts.join('');
          const refused = refusalOf(text);
          expect(refused ?? 'taken').not.toMatch('not a refusal');
          expect([refused === null, isJson(text)]).not.toEqual([true, false]);
        }),
        { ...fuzzRuns, numRuns: 2 * fuzzRuns.numRuns },
      );
    });
  });
});

describe('where PUBLIC_URL is an https address', () => {
  let test: TestServer;
  let nurse: Caller;
  beforeAll(async () => {
    test = await sharedTestServer('sqlite', { PUBLIC_URL: 'https://ward.example', TRUSTED_PROXIES: '10.0.0.7' });
    nurse = await test.signIn(await test.addSite(), 'nurse');
  });

  const here = '127.0.0.1';
  const proxy = '10.0.0.7';
  const elsewhere = '10.0.0.9';
  const get = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
    test.app.inject({ method: 'GET', url, remoteAddress, headers, cookies: nurse.cookies });
  const own = '/api/user/getCurrentUser';
  const yearOfHttps = { 'strict-transport-security': expect.stringContaining('max-age=31536000') as unknown };

  it.each([
    ['from another machine', elsewhere, {}, /X-Forwarded-Proto is missing/],
    ['of a proxy that sends the address but not the scheme', proxy, { 'x-forwarded-for': '1.2.3.4' }, /is missing/],
    ['of a proxy on this machine that is not named', here, { 'x-forwarded-proto': 'https' }, /TRUSTED_PROXIES/],
    ['of a stranger who says https', elsewhere, { 'x-forwarded-proto': 'https' }, /TRUSTED_PROXIES/],
    ['that came to the proxy over HTTP', proxy, { 'x-forwarded-proto': 'http' }, /Use https:\/\/ward\.example/],
    ['whose sender says https and its proxy http', proxy, { 'x-forwarded-proto': 'https, http' }, /Use https/],
  ])('refuses a call %s and says what is missing', async (_, remoteAddress, headers, words) => {
    const answer = await get(own, remoteAddress, headers);
    expect(answer.statusCode).toBe(403);
    const { code, message } = answer.json<{ error: { code: string; message: string } }>().error;
    expect([code, message]).toEqual(['https_needed', expect.stringMatching(words)]);
  });

  it('refuses devices, metrics and unknown addresses like everything else', async () => {
    const { token } = await test.addDevice(nurse.siteId);
    const sent = await test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      remoteAddress: elsewhere,
      headers: { authorization: `Bearer ${token}` },
      payload: { samples: [] },
    });
    const others = await Promise.all(['/metrics', '/nothing/here'].map((url) => get(url, elsewhere)));
    expect([sent, ...others].map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });

  it('refuses a password that a silent proxy on this machine passed on', async () => {
    const { email, password } = await test.addUser(nurse.siteId, 'nurse');
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { host: 'ward.example' },
      payload: { email, password },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('X-Forwarded-Proto');
  });

  it.each([
    ['a probe of life from anywhere', '/healthz', elsewhere, {}],
    ['a probe of readiness from anywhere', '/readyz', elsewhere, {}],
    ['a direct call of this machine', own, here, {}],
    ['a direct call of this machine over IPv6', own, '::1', {}],
    ['what the trusted proxy took over HTTPS', own, proxy, { 'x-forwarded-proto': 'https' }],
  ])('answers %s', async (_, url, remoteAddress, headers) => {
    expect((await get(url, remoteAddress, headers)).statusCode).toBe(200);
  });

  it.each(['/healthz', '/readyz', own, '/nothing/here'])('promises HTTPS for a year with %s', async (url) => {
    for (const remoteAddress of [here, elsewhere]) {
      expect((await get(url, remoteAddress)).headers).toHaveProperty('strict-transport-security');
    }
  });

  it('promises it also to what is refused before its address is looked at', async () => {
    const answer = await test.app.inject({
      method: 'GET',
      url: own,
      remoteAddress: elsewhere,
      headers: { upgrade: 'websocket', connection: 'upgrade' },
    });
    expect([answer.statusCode, answer.headers]).toEqual([400, expect.objectContaining(yearOfHttps)]);
  });

  it('takes the secret of a session only from the cookie that no other host can plant', async () => {
    const { token = '', '__Host-token.sig': secret = '' } = nurse.cookies;
    const status = async (cookies: Record<string, string>) =>
      (await test.app.inject({ method: 'GET', url: own, cookies })).statusCode;
    await expect(status({ token, 'token.sig': secret })).resolves.toBe(401);
    await expect(status({ token, '__Host-token.sig': secret })).resolves.toBe(200);
  });

  it('deletes at sign-out the cookies that it had set, which takes Secure', async () => {
    const another = await test.signIn(nurse.siteId, 'nurse');
    const { cookies } = await another.call('POST', '/api/v2/auth/sign-out');
    expect(cookies.map(({ name, secure, maxAge }) => [name, secure, maxAge])).toEqual(
      ['token', '__Host-token.sig', 'XSRF-TOKEN'].map((name) => [name, true, 0]),
    );
  });
});

describe('headers', () => {
  describe('the fixed headers', () => {
    it('promise HTTPS for a year only where the answer came over it', () => {
      expect(fixedHeadersOf(false)).not.toHaveProperty('strict-transport-security');
      expect(fixedHeadersOf(true)).toHaveProperty('strict-transport-security', 'max-age=31536000; includeSubDomains');
    });

    it('let nothing be guessed, framed, leaked or kept', () => {
      expect(fixedHeadersOf(false)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    });
  });

  describe('the policy of a page', () => {
    const policy = pagePolicy('bm9uY2U=', false, false);

    it.each(["'unsafe-eval'", 'http:', 'https:', 'ws:', '*'])('never holds %s outside development', (source) => {
      expect(policy.split(/[ ;]+/)).not.toContain(source);
    });

    it('opens inline style to attributes only', () => {
      expect(policy.split('; ').filter((line) => line.includes("'unsafe-inline'"))).toEqual([
        "style-src-attr 'unsafe-inline'",
      ]);
    });

    it('is spelled out to the letter', () => {
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic'",
        "style-src-elem 'self' 'nonce-bm9uY2U='",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        'report-uri /api/csp-report',
      ]);
    });

    it('opens calls, the socket and pictures to the chat service, and nothing else, where chat is set up', () => {
      const opened = pagePolicy('x', false, true)
        .split('; ')
        .filter((line) => !pagePolicy('x', false, false).split('; ').includes(line));
      expect(opened).toEqual([
        "img-src 'self' data: blob: https://*.stream-io-cdn.com",
        "connect-src 'self' https://chat.stream-io-api.com wss://chat.stream-io-api.com",
      ]);
    });

    it('gives development what reloading needs and nothing more', () => {
      const opened = pagePolicy('x', true, false)
        .split('; ')
        .filter((line) => !pagePolicy('x', false, false).split('; ').includes(line));
      expect(opened).toEqual([
        "script-src 'self' 'nonce-x' 'strict-dynamic' 'unsafe-eval'",
        "style-src-elem 'self' 'unsafe-inline'",
        "connect-src 'self' ws:",
      ]);
    });

    it('gets 16 fresh bytes of nonce each time', () => {
      const nonces = Array.from({ length: 1_000 }, newNonce);
      expect(new Set(nonces).size).toBe(1_000);
      expect(nonces.every((nonce) => Buffer.from(nonce, 'base64').length === 16)).toBe(true);
    });
  });
});

describe('errors', () => {
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
      expect(toHttpError(fault(code))).toMatchObject({
        status: 503,
        code: 'storage_unavailable',
        details: { retryAfter: 2 },
      });
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
      });
      expect(toHttpError(error).details).toEqual({});
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
      [
        'an address with a part of 101 characters',
        414,
        'malformed_url',
        { url: `/api/v2/patients/${'1'.repeat(101)}` },
      ],
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
});

describe('what is wrong with a field', () => {
  const secret = 'Ines Moreau';

  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is missing'],
    [z.string(), null, 'is not a text'],
    [z.number(), secret, 'is not a number'],
    [z.int(), 1.5, 'is not a whole number'],
    [z.boolean(), secret, 'is not true or false'],
    [z.array(z.string()), secret, 'is not a list'],
    [z.object({}), secret, 'is not an object'],
    [z.bigint(), secret, 'is not of the right kind'],
    [z.string().max(3), secret, 'is longer than 3 characters'],
    [z.string().min(1), '', 'is empty'],
    [z.string().min(20), secret, 'is shorter than 20 characters'],
    [z.array(z.string()).max(1), [secret, secret], 'holds more than 1'],
    [z.array(z.string()).min(1), [], 'is empty'],
    [z.array(z.string()).min(2), [secret], 'holds less than 2'],
    [z.number().max(0), 1, 'is more than 0'],
    [z.number().min(0), -1, 'is less than 0'],
    [z.number().lt(0), 0, 'is not less than 0'],
    [z.number().gt(0), 0, 'is not more than 0'],
    [z.enum(['day', 'night']), secret, 'is not one of day, night'],
    [z.email(), secret, 'is not an e-mail address'],
    [z.iso.datetime(), secret, 'is not an instant such as 2026-05-01T10:00:00Z'],
    [z.string().regex(/^\d+$/), secret, 'is not of the right form'],
    [z.union([z.number(), z.boolean()]), secret, 'is not valid'],
    [z.string().regex(/^\d+$/, 'is not a number of a bed'), secret, 'is not a number of a bed'],
  ])('of %# is said in plain words and never quoted', (schema, value, says) => {
    const { error } = schema.safeParse(value, { error: plainFault });
    // What the schema says itself wins in a request, where these words are only the language.
    const own = schema.safeParse(value).error?.issues[0]?.message ?? '';
    expect([error?.issues[0]?.message, own]).toContain(says);
    expect(error?.issues[0]?.message).not.toContain(secret);
  });
});

describe('apiDocument', () => {
  const documentSchema = z.object({
    paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
    components: z.object({ schemas: z.record(z.string(), z.object({ properties: z.unknown() })) }),
  });

  let test: TestServer;
  let text: string;
  let document: z.output<typeof documentSchema>;

  beforeAll(async () => {
    test = await sharedTestServer('sqlite');
    text = (await test.app.inject({ method: 'GET', url: '/api/openapi.json' })).body;
    document = documentSchema.parse(JSON.parse(text));
  });

  const responsesOf = (method: string, path: string) => document.paths[path]?.[method]?.responses ?? {};
  const statusesOf = (method: string, path: string) => Object.keys(responsesOf(method, path)).map(Number);

  describe('the API document', () => {
    it.each([
      ['post', '/api/v2/vitals', [200, 400, 401, 413, 415, 422, 429, 503]],
      ['patch', '/api/v2/devices/{id}', [200, 400, 401, 403, 404, 409, 413, 415, 422, 423, 429, 503]],
      ['get', '/api/v2/devices', [200, 401, 403, 423, 429, 503]],
      // It answers while the screen is locked.
      ['get', '/api/v2/alerts/strip', [200, 401, 403, 429, 503]],
      ['post', '/api/v2/auth/sign-up', [201, 400, 403, 409, 413, 415, 422, 429, 503]],
    ])('lists the errors of %s %s', (method, path, statuses) => {
      expect(statusesOf(method, path)).toEqual(statuses);
    });

    it('describes every call with its success and the errors that any call can get', () => {
      const lacking = Object.values(calls).filter(({ method, path, status }) => {
        const listed = statusesOf(method.toLowerCase(), path.replaceAll(/:(\w+)/g, '{$1}'));
        return ![status, 429, 503].every((one) => listed.includes(one));
      });
      expect(lacking).toEqual([]);
    });

    it('says what each error means, and refers to the one schema of errors', () => {
      expect(responsesOf('get', '/api/v2/devices')[401]).toEqual({
        description: expect.stringContaining('signed in') as unknown,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      });
      expect(document.components.schemas.Error?.properties).toHaveProperty('error');
      // Beside it the library lists the form of a schema in requests, which no call takes.
      expect(text.match(/"triesLeft"/g)).toHaveLength(2);
    });
  });
});
