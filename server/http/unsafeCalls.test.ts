import { apiEngines } from '../../test/database';
import { everyCall, type Call } from '../../test/everyCall';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { policies } from './access';

const own = 'http://localhost:80';
const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];

describe.each(apiEngines)('an unsafe call on %s', (engine) => {
  let test: TestServer;
  let person: Caller;
  let another: Caller;
  let unsafe: Call[];
  /** The row that each call is about. */
  const rows = new Map<Call, number>();
  const ofPeople = (): Call[] => unsafe.filter(({ row }) => ['session', 'can'].includes(policies[row]?.who ?? ''));

  // A server of its own: it makes every call, and those of strangers use up what their address may ask for.
  beforeAll(async () => {
    test = await startTestServer(engine);
    const site = await test.addSite();
    person = await test.signIn(site, 'physician', true);
    another = await test.signIn(site, 'physician', true);
    unsafe = everyCall(test).filter(({ method }) => method !== 'GET');
    for (const call of unsafe.filter(({ hasId }) => hasId)) {
      rows.set(call, call.about === 'caller' ? person.userId : await call.about(site));
    }
  });
  afterAll(() => test.stop());

  /** Everything that these calls could change. */
  async function everything(): Promise<string> {
    const { db } = test.store;
    const tables = await Promise.all([
      db.selectFrom('patients').selectAll().orderBy('id').execute(),
      db.selectFrom('sessions').selectAll().orderBy('token').execute(),
      db.selectFrom('users').selectAll().orderBy('id').execute(),
      db.selectFrom('user_pictures').selectAll().orderBy('user_id').execute(),
      db.selectFrom('account_tokens').selectAll().orderBy('id').execute(),
      db.selectFrom('units').selectAll().orderBy('id').execute(),
      db.selectFrom('assignments').selectAll().orderBy('id').execute(),
      db.selectFrom('break_glass').selectAll().orderBy('id').execute(),
      // The audit records the refusal and nothing else.
      db.selectFrom('audit').selectAll().where('action', '!=', 'refused_call').orderBy('id').execute(),
      db.selectFrom('sites').selectAll().orderBy('id').execute(),
      db.selectFrom('devices').selectAll().orderBy('id').execute(),
      db.selectFrom('device_assignments').selectAll().orderBy('id').execute(),
    ]);
    return JSON.stringify([...tables, [...test.server.liveState.patients.values()]]);
  }

  const bodyOf = (call: Call): Promise<object | undefined> => call.body(rows.get(call) ?? 1);
  /** The calls of people with their bodies: making a body may add rows. */
  const withBodies = async (): Promise<[Call, object | undefined][]> => {
    const made: [Call, object | undefined][] = [];
    for (const call of ofPeople()) {
      made.push([call, await bodyOf(call)]);
    }
    return made;
  };

  async function send(
    call: Call,
    headers: Record<string, string>,
    cookies: Record<string, string>,
    body: Promise<object | undefined> = bodyOf(call),
  ): Promise<[number, string]> {
    const id = rows.get(call) ?? 1;
    const answer = await test.app.inject({
      method: call.method,
      url: call.url(id),
      headers: { ...call.headers, ...headers },
      cookies,
      payload: await body,
    });
    return [
      answer.statusCode,
      answer.statusCode < 400 ? 'done' : answer.json<{ error: { code: string } }>().error.code,
    ];
  }

  const right = (): string => person.cookies['XSRF-TOKEN'] ?? '';
  const attacks: [string, () => Record<string, string>][] = [
    ['without the token', () => ({})],
    ['with an empty token', () => ({ 'x-xsrf-token': '' })],
    ['with a wrong token', () => ({ 'x-xsrf-token': right().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) })],
    ['with the token of another session', () => ({ 'x-xsrf-token': another.cookies['XSRF-TOKEN'] ?? '' })],
    ['with the right token from another site', () => ({ 'x-xsrf-token': right(), 'sec-fetch-site': 'cross-site' })],
    [
      'with the right token from another host of the same site',
      () => ({ 'x-xsrf-token': right(), 'sec-fetch-site': 'same-site' }),
    ],
    ['with the right token from another origin', () => ({ 'x-xsrf-token': right(), origin: 'https://evil.example' })],
    ['with the right token from a sandboxed frame', () => ({ 'x-xsrf-token': right(), origin: 'null' })],
  ];

  it.each(attacks)('is refused %s, and nothing changes', async (_, headers) => {
    const made = await withBodies();
    const before = await everything();
    for (const [call, body] of made) {
      const answer = await send(call, headers(), person.cookies, Promise.resolve(body));
      expect([call.row, ...answer]).toEqual([call.row, 403, 'xsrf']);
    }
    await expect(everything()).resolves.toBe(before);
  });

  it.each([
    ['half the cookie, the token', () => ({ token: person.cookies.token ?? '' })],
    ['half the cookie, the secret', () => ({ 'token.sig': person.cookies['token.sig'] ?? '' })],
    [
      'the secret of another session',
      () => ({ token: person.cookies.token ?? '', 'token.sig': another.cookies['token.sig'] ?? '' }),
    ],
    ['no cookie but the token’s', () => ({ 'XSRF-TOKEN': right() })],
  ])('is refused with %s, and nothing changes', async (_, cookies) => {
    const made = await withBodies();
    const before = await everything();
    for (const [call, body] of made) {
      const answer = await send(call, { 'x-xsrf-token': right() }, cookies(), Promise.resolve(body));
      expect([call.row, ...answer]).toEqual([call.row, 401, 'signed_out']);
    }
    await expect(everything()).resolves.toBe(before);
  });

  it('without a session is refused from another site, and nothing changes', async () => {
    const before = await everything();
    for (const call of unsafe.filter(({ row }) => policies[row]?.who === 'anyone')) {
      for (const headers of foreign) {
        expect([call.row, ...(await send(call, headers, {}))]).toEqual([call.row, 403, 'xsrf']);
      }
    }
    await expect(everything()).resolves.toBe(before);
  });

  it('is not taken as a form, which a foreign page can send', async () => {
    // Reports are in formats of their own; they change nothing of anybody's, and a foreign page is refused by its
    // origin.
    const reports = ['POST /api/csp-report', 'POST /monitoring'];
    for (const { url, row } of unsafe.filter(({ row }) => policies[row]?.who === 'anyone' && !reports.includes(row))) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await test.app.inject({
          method: 'POST',
          url: url(1),
          headers: { 'content-type': type },
          payload: '{"email":"a"}',
        });
        expect([row, type, answer.statusCode]).toEqual([row, type, 415]);
      }
    }
  });

  it('of a device asks for no token of a page and looks at no cookie', async () => {
    const { token } = await test.addDevice(person.siteId);
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      headers: { authorization: `Bearer ${token}`, origin: 'https://gateway.example' },
      cookies: { token: 'x', 'token.sig': 'y' },
      payload: { samples: [] },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('is done with the right token from our own pages', async () => {
    const last = ({ spendsSession }: Call): number => (spendsSession === true ? 1 : 0);
    for (const call of ofPeople().toSorted((a, b) => last(a) - last(b))) {
      const headers = { 'x-xsrf-token': right(), 'sec-fetch-site': 'same-origin', origin: own };
      const end = call.status < 400 ? 'done' : (call.code ?? 'not_found');
      expect([call.row, ...(await send(call, headers, person.cookies))]).toEqual([call.row, call.status, end]);
      if (call.spendsSession === true) {
        person = await test.signIn(person.siteId, 'physician', true);
      }
    }
  });
});
