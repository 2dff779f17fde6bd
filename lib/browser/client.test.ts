import { waitFor } from '@testing-library/react';
import Cookies from 'js-cookie';
import { ApiFailure, ask, call, clientCodes, onUnauthorized } from './client';
import { alertsStopped } from './alertPath';
import { lastResponseAt } from './serverClock';
import { inventedUser } from '../../test/inventedWard';

/**
 * What a test's server responds; `silent` never does, `broken` is a connection that fails, `lost` one that fails once
 * the body has left.
 */
type Reply = { status: number; body: string; headers?: Record<string, string> } | 'silent' | 'broken' | 'lost';

/** A browser's request as axios uses it; the test responds instead of a network. */
class Request {
  static reply: Reply = 'broken';
  static sent: Request[] = [];

  method = '';
  url = '';
  body: unknown = undefined;
  readonly headers: Record<string, string> = {};
  timeout = 0;
  status = 0;
  statusText = '';
  responseText = '';
  aborted = false;
  readonly upload = new EventTarget();
  onloadend: (() => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  private answerHeaders: Record<string, string> = {};

  open(method: string, url: string): void {
    this.method = method;
    this.url = url;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name.toLowerCase()] = value;
  }

  getAllResponseHeaders(): string {
    return Object.entries(this.answerHeaders)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  abort(): void {
    this.aborted = true;
  }

  send(body: unknown): void {
    this.body = body;
    Request.sent.push(this);
    const { reply } = Request;
    queueMicrotask(() => this.respond(reply));
  }

  /** Sends the response; also later, to a request that got none yet. */
  respond(reply: Reply): void {
    if (reply === 'lost') {
      const all = { lengthComputable: true, loaded: 20, total: 20 };
      this.upload.dispatchEvent(new ProgressEvent('progress', all));
      this.upload.dispatchEvent(new ProgressEvent('loadend', all));
    }
    if (reply === 'broken' || reply === 'lost') {
      this.onerror?.(new ProgressEvent('error'));
    } else if (reply !== 'silent') {
      this.status = reply.status;
      this.responseText = reply.body;
      this.answerHeaders = reply.headers ?? {};
      this.onloadend?.();
    }
  }
}

const user = inventedUser({
  id: 7,
  fname: 'Ada',
  lname: 'Example',
  email: 'ada@example.org',
  username: 'ada',
  siteId: 1,
  userImage: null,
  type: 'nurse',
  isAdmin: false,
});
const signedIn: Reply = { status: 200, body: JSON.stringify(user), headers: { 'X-Server-Time': '1770000000000' } };
const refusal = (status: number, error: object, headers?: Record<string, string>): Reply => ({
  status,
  body: JSON.stringify({ error }),
  headers,
});

beforeEach(() => {
  jest.spyOn(window, 'XMLHttpRequest').mockImplementation(() => new Request() as unknown as XMLHttpRequest);
  Request.sent = [];
  Request.reply = signedIn;
  for (const name of Object.keys(Cookies.get())) {
    Cookies.remove(name);
  }
});

async function failureOf(pending: Promise<unknown>): Promise<ApiFailure> {
  const problem: unknown = await pending.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(problem instanceof ApiFailure)) {
    throw new Error('It did not fail with an ApiFailure');
  }
  return problem;
}

function lastSent(): Request {
  const request = Request.sent.at(-1);
  if (request === undefined) {
    throw new Error('Nothing was sent');
  }
  return request;
}

it.each([200, 201, 299])('treats a status from 200 to 299 as success: %i', async (status) => {
  Request.reply = { ...signedIn, status };
  await expect(call('getCurrentUser', {})).resolves.toMatchObject({ id: 7 });
});

describe('a call that fails', () => {
  const nothing = { fields: {}, id: null, retryAfterMs: null };

  it.each<[string, Reply, Partial<ApiFailure>]>([
    [
      'a server that is starting, which is as good as away',
      refusal(503, { code: 'starting', message: 'Soon.' }, { 'Retry-After': '2' }),
      { code: 'unreachable', status: null, message: clientCodes.unreachable, ...nothing },
    ],
    ['no connection', 'broken', { code: 'unreachable', status: null, message: clientCodes.unreachable, ...nothing }],
    [
      'a proxy’s page',
      { status: 502, body: '<html>Bad gateway</html>' },
      { code: 'unreadable_response', status: 502, ...nothing },
    ],
    ['an empty refusal', { status: 500, body: '' }, { code: 'unreadable_response', status: 500, ...nothing }],
    [
      'a login page of the network',
      { status: 200, body: '<html>Welcome to the guest network</html>' },
      { code: 'unreadable_response', status: 200, ...nothing },
    ],
    [
      'a body cut short',
      { status: 200, body: JSON.stringify(user).slice(0, 40) },
      { code: 'unreadable_response', status: 200, ...nothing },
    ],
    [
      'a response that lacks a field',
      { status: 200, body: JSON.stringify({ ...user, type: undefined }) },
      { code: 'unreadable_response', status: 200, ...nothing },
    ],
    [
      'a value that the table does not know',
      { status: 200, body: JSON.stringify({ ...user, type: 'king' }) },
      { code: 'unreadable_response', status: 200, ...nothing },
    ],
    [
      'a proxy that limits requests',
      { status: 429, body: '<html>Slow down</html>', headers: { 'Retry-After': '30' } },
      { code: 'too_many_requests', message: 'Too many requests. Try again in 30 s.', ...nothing, retryAfterMs: 30_000 },
    ],
    [
      'a proxy that limits requests for an unknown time',
      { status: 429, body: '' },
      { code: 'too_many_requests', message: 'Too many requests. Try again later.', status: 429, ...nothing },
    ],
    ['a redirect', { status: 304, body: '' }, { code: 'unreadable_response', status: 304, ...nothing }],
    [
      'a status below 200',
      { status: 199, body: JSON.stringify(user) },
      { code: 'unreadable_response', status: 199, ...nothing },
    ],
    [
      'a status above 299',
      { status: 300, body: JSON.stringify(user) },
      { code: 'unreadable_response', status: 300, ...nothing },
    ],
    [
      'a refusal',
      refusal(403, { code: 'forbidden', message: 'No.' }),
      { code: 'forbidden', status: 403, message: 'No.', ...nothing },
    ],
    [
      'a refusal that names fields',
      refusal(422, { code: 'invalid', message: 'No.', fields: { mrn: 'is empty' } }),
      { code: 'invalid', status: 422, ...nothing, fields: { mrn: 'is empty' } },
    ],
    [
      'a refusal that names a row',
      refusal(409, { code: 'mrn_exists', message: 'No.', id: 0 }),
      { code: 'mrn_exists', status: 409, ...nothing, id: 0 },
    ],
    [
      'a server that asks to wait',
      refusal(503, { code: 'busy', message: 'No.' }, { 'Retry-After': '2' }),
      { code: 'busy', status: 503, ...nothing, retryAfterMs: 2_000 },
    ],
    [
      'a wait that is not in seconds',
      refusal(429, { code: 'busy', message: 'No.' }, { 'Retry-After': '-1' }),
      { code: 'busy', status: 429, ...nothing },
    ],
  ])('because of %s says so', async (_, reply, expected) => {
    Request.reply = reply;
    await expect(failureOf(call('getCurrentUser', {}))).resolves.toMatchObject({ ...expected, name: 'ApiFailure' });
  });

  it.each<[string, Reply, boolean, string]>([
    ['that never left', 'broken', false, 'unreachable'],
    ['that left before the connection was lost', 'lost', true, 'no_response'],
    ['whose success cannot be read', { status: 200, body: '{' }, true, 'unreadable_response'],
    ['that a proxy gave up waiting for', { status: 504, body: '<html>' }, true, 'unreadable_response'],
    ['that a proxy refused', { status: 403, body: '<html>' }, false, 'unreadable_response'],
    ['that the server refused', refusal(409, { code: 'changed', message: 'No.' }), false, 'changed'],
    ['in which the server failed', refusal(500, { code: 'internal_error', message: 'No.' }), false, 'internal_error'],
  ])('and %s says whether it may be done', async (_, reply, isOutcomeUnknown, code) => {
    Request.reply = reply;
    const failure = await failureOf(call('acknowledgeAlert', { params: { id: 1 }, body: { version: 1 } }));
    expect([failure.code, failure.isOutcomeUnknown]).toEqual([code, isOutcomeUnknown]);
  });

  it('because its caller stopped it says so and closes the connection', async () => {
    Request.reply = 'silent';
    const controller = new AbortController();
    const failure = failureOf(call('getCurrentUser', { signal: controller.signal }));
    while (Request.sent.length === 0) {
      await Promise.resolve();
    }
    controller.abort();
    await expect(failure).resolves.toMatchObject({ code: 'aborted', status: null });
    expect(lastSent().aborted).toBe(true);
  });

  it('shows a log its code and status and never its message', () => {
    expect(new ApiFailure('mrn_exists', 'Bea Example has it.', { status: 409 }).forLog()).toEqual({
      code: 'mrn_exists',
      status: 409,
    });
    expect(new ApiFailure('unreachable', 'Oh.').forLog()).toEqual({ code: 'unreachable' });
  });

  it('does not count as a response of the server', async () => {
    const before = lastResponseAt();
    Request.reply = refusal(500, { code: 'internal_error', message: 'Oh.' }, { 'X-Server-Time': '1780000000000' });
    await failureOf(call('getCurrentUser', {}));
    expect(lastResponseAt()).toBe(before);
  });
});

describe('what the server says of the alarm path', () => {
  const path = (at: number) => ({ 'X-Server-Time': String(at), 'X-Alert-Path': `${at - 11_000},${at}` });
  it.each<[string, number, (at: number) => Reply]>([
    ['a success', 1_790_000_000_000, (at) => ({ ...signedIn, headers: path(at) })],
    ['a locked session', 1_790_000_100_000, (at) => refusal(423, { code: 'session_locked', message: '' }, path(at))],
    ['a refusal', 1_790_000_200_000, (at) => refusal(403, { code: 'forbidden', message: '' }, path(at))],
    ['a fault', 1_790_000_300_000, (at) => refusal(500, { code: 'internal_error', message: '' }, path(at))],
    ['a body that cannot be read', 1_790_000_400_000, (at) => ({ status: 200, body: '{', headers: path(at) })],
  ])('is noted with %s', async (_, at, reply) => {
    Request.reply = reply(at);
    await call('getCurrentUser', {}).catch(() => undefined);
    // The header is read beside the call, which does not wait for that.
    await waitFor(() => {
      expect(alertsStopped()).toBe(at - 11_000);
    });
  });
});

describe('a 401', () => {
  const who = refusal(401, { code: 'unauthorized', message: 'Who?' });

  it.each<['signIn' | 'signOut' | 'setup', () => Promise<unknown>]>([
    ['signIn', () => call('signIn', { body: { email: 'ada@example.org', password: 'wrong' } })],
    ['signOut', () => call('signOut', {})],
  ])('of %s is left to its caller', async (_, make) => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Cookies.set('token', 'one');
    Request.reply = who;
    await failureOf(make());
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  it('of a session that has been replaced meanwhile, or of a call made before one, ends no session', async () => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Request.reply = who;
    const early = failureOf(call('getPatient', { params: { id: 1 } }));
    Cookies.set('token', 'one');
    await early;
    const late = failureOf(call('getPatient', { params: { id: 1 } }));
    Cookies.set('token', 'two');
    await late;
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  it('of a proxy, without our error code, ends no session', async () => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Cookies.set('token', 'one');
    Request.reply = { status: 401, body: '<h1>Proxy authorisation required</h1>' };
    await failureOf(call('getPatient', { params: { id: 1 } }));
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  it('on a page whose cookie is gone ends the session', async () => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Request.reply = who;
    await failureOf(call('getPatient', { params: { id: 1 } }));
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
  });

  it.each<[string, string, Reply, number]>([
    ['ends nothing where it was changed', 'two', { status: 204, body: '' }, 0],
    ['ends the session where it was not', 'one', refusal(422, { code: 'invalid', message: 'No.' }), 1],
  ])(
    'while the password is being changed, which ends the old session before its response is here, %s',
    async (_, token, response, times) => {
      const ended = jest.fn();
      const stop = onUnauthorized(ended);
      Cookies.set('token', 'one');
      Request.reply = 'silent';
      const change = call('changePassword', { body: { current: 'what it was', password: 'what it is to be' } }).catch(
        () => null,
      );
      await waitFor(() => expect(Request.sent).toHaveLength(1));
      const changing = lastSent();
      Request.reply = who;
      const poll = failureOf(call('getPatient', { params: { id: 1 } }));
      // The 401 has arrived, and waits.
      await waitFor(() => expect(Request.sent).toHaveLength(2));
      await new Promise((settle) => setTimeout(settle));
      expect(ended).not.toHaveBeenCalled();
      Cookies.set('token', token);
      changing.respond(response);
      await change;
      await expect(poll).resolves.toMatchObject({ status: 401 });
      expect(ended).toHaveBeenCalledTimes(times);
      stop();
    },
  );

  it('waits for a change of the password, and no other error does', async () => {
    Cookies.set('token', 'one');
    Request.reply = 'silent';
    const change = call('changePassword', { body: { current: 'what it was', password: 'what it is to be' } }).catch(
      () => null,
    );
    await waitFor(() => expect(Request.sent).toHaveLength(1));
    const changing = lastSent();
    Request.reply = refusal(409, { code: 'mrn_exists', message: 'Somebody has it.' });
    const refused = jest.fn();
    call('getPatient', { params: { id: 1 } }).catch(refused);
    await waitFor(() => expect(refused).toHaveBeenCalledTimes(1));
    changing.respond({ status: 204, body: '' });
    await change;
  });

  it.each([400, 403, 404, 500])('ends the session, and a %i does not', async (status) => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Cookies.set('token', 'one');
    Request.reply = refusal(status, { code: 'no', message: 'No.' });
    await failureOf(call('getPatient', { params: { id: 1 } }));
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  it('of any other call ends the session, until the listener is removed', async () => {
    const ended = jest.fn();
    const stop = onUnauthorized(ended);
    Cookies.set('token', 'one');
    Request.reply = who;
    await expect(failureOf(call('getPatient', { params: { id: 1 } }))).resolves.toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
    await failureOf(call('getPatient', { params: { id: 1 } }));
    expect(ended).toHaveBeenCalledTimes(1);
  });
});

describe('a call', () => {
  it('returns the parsed response, without what the table does not name, and the server’s time', async () => {
    Request.reply = { ...signedIn, body: JSON.stringify({ ...user, secret: 'x' }) };
    await expect(ask('getCurrentUser', {})).resolves.toEqual({ data: user, serverTime: 1_770_000_000_000 });
    expect(lastResponseAt()).toBe(1_770_000_000_000);
  });

  it.each([undefined, '', '1770000000000.5', '-1', '2026-05-01T10:00:00Z', 'Infinity'])(
    'knows no time from the header %j',
    async (time) => {
      Request.reply = { ...signedIn, headers: time === undefined ? {} : { 'X-Server-Time': time } };
      await expect(ask('getCurrentUser', {})).resolves.toMatchObject({ serverTime: null });
    },
  );

  it('reads an empty body as no data', async () => {
    Request.reply = { status: 204, body: '' };
    await expect(call('updateLastActive', { params: { id: 7 } })).resolves.toBeNull();
    expect(lastSent()).toMatchObject({ method: 'PUT', url: '/api/v2/users/updateLastActive/7' });
    expect(lastSent().body).toBeNull();
    expect(lastSent().headers).not.toHaveProperty('content-type');
  });

  it('sends JSON to our own origin, without a time limit', async () => {
    await call('signIn', { body: { email: 'ada@example.org', password: 'p&=' } });
    expect(lastSent()).toMatchObject({ method: 'POST', url: '/api/v2/auth/sign-in', timeout: 0 });
    expect(lastSent().headers['content-type']).toBe('application/json');
    expect(lastSent().body).toBe('{"email":"ada@example.org","password":"p&="}');
  });

  it('leaves undefined parts out of the address and escapes the rest', async () => {
    Request.reply = { status: 200, body: JSON.stringify({ items: [], total: 0, version: '1', units: [], beds: [] }) };
    await call('listPatients', { query: { state: 'active', unit: 'A&E 1', after: undefined, page: 2 } });
    expect(lastSent().body).toBeNull();
    const url = new URL(lastSent().url, 'http://own.invalid');
    expect(url.pathname).toBe('/api/v2/patients');
    expect(Object.fromEntries(url.searchParams)).toEqual({ state: 'active', unit: 'A&E 1', page: '2' });
  });

  it('lets no parameter change another part of the path', async () => {
    await failureOf(call('getPatient', { params: { id: '../../user/getCurrentUser?x=' } }));
    expect(lastSent().url).toBe('/api/v2/patients/..%2F..%2Fuser%2FgetCurrentUser%3Fx%3D');
  });

  it('carries the current XSRF cookie in its header', async () => {
    await call('getCurrentUser', {});
    expect(lastSent().headers).not.toHaveProperty('x-xsrf-token');
    Cookies.set('XSRF-TOKEN', 'first');
    await call('getCurrentUser', {});
    expect(lastSent().headers['x-xsrf-token']).toBe('first');
    Cookies.set('XSRF-TOKEN', 'second');
    await call('getCurrentUser', {});
    expect(lastSent().headers['x-xsrf-token']).toBe('second');
  });
});
