import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type TestServer } from '../../test/testServer';
import { createPasswords } from './passwords';
import { findByPassword } from './users';

const url = '/api/v2/auth/sign-in';

describe.each(apiEngines)('sign-in on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let known: { id: number; email: string; password: string };

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    known = await test.addUser(site, 'nurse');
  });

  /** Its own: failures of an address count. */
  const remoteAddress = '10.5.0.1';
  const signIn = (payload: object) => test.app.inject({ method: 'POST', url, payload, remoteAddress });
  const audited = () => test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

  it('refuses a wrong password, an unknown e-mail and a disabled user alike, and sets no cookie', async () => {
    const [tried, disabled] = [await test.addUser(site, 'nurse'), await test.addUser(site, 'nurse')];
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', disabled.id).execute();
    const answers = [
      await signIn({ email: tried.email, password: 'correct horse batterY' }),
      await signIn({ email: 'stranger@example.org', password: known.password }),
      await signIn({ email: disabled.email, password: disabled.password }),
    ];
    const shown = answers.map(({ statusCode, body, headers, cookies }) => {
      const { 'x-request-id': _id, date: _date, ...rest } = headers;
      return { statusCode, body, rest, cookies };
    });
    expect(new Set(shown.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(shown[0]).toMatchObject({
      statusCode: 401,
      body: '{"error":{"code":"sign_in_failed","message":"E-mail or password is wrong."}}',
      cookies: [],
    });
    const ids = [tried.id, disabled.id];
    await expect(
      test.store.db.selectFrom('sessions').selectAll().where('user_id', 'in', ids).execute(),
    ).resolves.toEqual([]);
  });

  it('renews a hash that cost less than hashes do today, once, and only with the right password', async () => {
    const { id, email, password } = await test.addUser(site, 'nurse');
    const stored = async (): Promise<string> =>
      (await test.store.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
        .password_hash;
    const [cheap, today] = [await stored(), { store: test.store, passwords: createPasswords() }];
    await expect(findByPassword(today, email, 'a wrong password')).resolves.toBeNull();
    await expect(stored()).resolves.toBe(cheap);
    const proof = await findByPassword(today, email, password);
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(proof).toEqual({ userId: id, passwordHash: renewed });
    // Nor is it made weaker by a server at which a hash costs less.
    expect([await findByPassword(today, email, password), (await signIn({ email, password })).statusCode]).toEqual([
      proof,
      200,
    ]);
    await expect(stored()).resolves.toBe(renewed);
  });

  it('puts a refusal on record without what was typed', async () => {
    await signIn({ email: 'typed-by-mistake@example.org', password: 'my real password' });
    const row = await audited();
    expect(row).toMatchObject({
      action: 'sign_in',
      outcome: 'refused',
      actor: 'anonymous',
      actor_id: null,
      details: null,
      ip: remoteAddress,
    });
    expect(JSON.stringify(row)).not.toMatch(/mistake|real/);
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: 'not an address', password: 'x' }, ['email']],
    [{ email: 'robin@example.org\u0000', password: 'x' }, ['email']],
    [{ email: ['robin@example.org'], password: 'x' }, ['email']],
    [{ email: 'robin@example.org', password: '' }, ['password']],
    [{ email: 'robin@example.org', password: 'x'.repeat(257) }, ['password']],
    [{ email: 'robin@example.org', password: { $gt: '' } }, ['password']],
    [{ email: 'robin@example.org', password: 'x', isAdmin: true }, ['isAdmin']],
  ])('refuses %j and names the fields %j', async (payload, fields) => {
    const answer = await signIn(payload);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)).toEqual(fields);
  });

  it('returns the user and records it', async () => {
    const answer = await signIn({ email: ` ${known.email.toUpperCase()} `, password: known.password });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: known.id, email: known.email, siteId: site, type: 'nurse' });
    const token = answer.cookies.find(({ name }) => name === 'token')?.value ?? '';
    await expect(audited()).resolves.toMatchObject({
      action: 'sign_in',
      outcome: 'done',
      actor: 'user',
      actor_id: known.id,
      site_id: site,
      session: token.slice(0, 8),
      object_id: known.id,
    });
  });

  it('sets a readable token, a secret that scripts cannot read, and a strict XSRF token, for 12 hours', async () => {
    const answer = await signIn({ email: known.email, password: known.password });
    const shared = { path: '/', maxAge: 43_200 };
    expect(answer.cookies.filter(({ name }) => name !== 'known')).toEqual([
      { name: 'token', value: expect.stringMatching(/^[\w-]{22}$/) as unknown, sameSite: 'Lax', ...shared },
      {
        name: 'token.sig',
        value: expect.stringMatching(/^[\w-]{43}$/) as unknown,
        sameSite: 'Lax',
        httpOnly: true,
        ...shared,
      },
      { name: 'XSRF-TOKEN', value: expect.stringMatching(/^[\w-]{43}$/) as unknown, sameSite: 'Strict', ...shared },
    ]);
  });

  it('keeps the secret as a hash only', async () => {
    const answer = await signIn({ email: known.email, password: known.password });
    const secret = answer.cookies.find(({ name }) => name === 'token.sig')?.value ?? '?';
    const stored = JSON.stringify([
      await test.store.db.selectFrom('sessions').selectAll().execute(),
      await test.store.db.selectFrom('audit').selectAll().execute(),
    ]);
    expect(stored).not.toContain(secret);
    expect(answer.body).not.toContain(secret);
  });

  it('makes a new session each time', async () => {
    const credentials = { email: known.email, password: known.password };
    const [first, second] = [await signIn(credentials), await signIn(credentials)];
    const values = [...first.cookies, ...second.cookies].map(({ value }) => value);
    expect(new Set(values).size).toBe(8);
  });

  it('ends the session that the same browser had until then, and no other', async () => {
    const [mine, another] = [await test.signIn(site, 'nurse'), await test.signIn(site, 'physician')];
    const payload = { email: known.email, password: known.password };
    const { token = '' } = another.cookies;
    await test.app.inject({ method: 'POST', url, payload, cookies: { ...mine.cookies, token } });
    expect((await mine.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(200);
    expect((await another.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(200);
    await test.app.inject({ method: 'POST', url, payload, cookies: mine.cookies });
    expect((await mine.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(401);
    expect((await another.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(200);
  });
});

describe('sign-in over the network', () => {
  async function attempt(variables: Record<string, string>, headers: Record<string, string>) {
    const test = await sharedTestServer('sqlite', variables);
    const { email, password } = await test.addUser(await test.addSite(), 'nurse');
    const answer = await test.app.inject({ method: 'POST', url, headers, payload: { email, password } });
    const code = answer.statusCode === 200 ? null : answer.json<{ error: { code: string } }>().error.code;
    const names = answer.cookies.filter((cookie) => cookie.secure === true).map(({ name }) => name);
    return {
      status: answer.statusCode,
      code,
      secure: names,
      hsts: answer.headers['strict-transport-security'] !== undefined,
    };
  }

  const refused = { status: 403, code: 'https_needed', secure: [], hsts: false };
  const plain = { status: 200, code: null, secure: [], hsts: false };
  const secure = ['token', '__Host-token.sig', 'XSRF-TOKEN', 'known'];
  const overHttps = { status: 200, code: null, secure, hsts: true };
  const viaProxy = { host: 'ward.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'ward.example' };

  it.each([
    ['over HTTP from another machine', {}, { host: 'ward.example' }, refused],
    ['over HTTP from a host that begins like this machine', {}, { host: 'localhost.evil.example' }, refused],
    ['over HTTP from 127.evil.example', {}, { host: '127.evil.example' }, refused],
    ['by a proxy that is not trusted', {}, viaProxy, refused],
    ['over HTTP on this machine', {}, { host: 'localhost:3000' }, plain],
    ['over HTTP on 127.0.0.1', {}, { host: '127.0.0.1:3000' }, plain],
    ['over HTTP on [::1]', {}, { host: '[::1]:3000' }, plain],
    ['over HTTP where the operator allows it', { ALLOW_HTTP: 'true' }, { host: 'ward.example' }, plain],
    ['over HTTPS by a trusted proxy', { TRUSTED_PROXIES: '127.0.0.1' }, viaProxy, overHttps],
    [
      'by a proxy on this machine that adds no header, where PUBLIC_URL is an https address',
      { PUBLIC_URL: 'https://ward.example' },
      { host: '127.0.0.1:3000' },
      overHttps,
    ],
  ])('%s', async (_, variables, headers, expected) => {
    await expect(attempt(variables, headers)).resolves.toEqual(expected);
  });
});

describe.each(apiEngines)('a sign-in that failed on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let known: { id: number; email: string };
  // A server of its own, which has one site at first.
  beforeAll(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
    known = await test.addUser(site, 'nurse');
  });
  afterAll(() => test.stop());

  const audited = () => test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  const failToSignIn = (email: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      payload: { email, password: 'not the password at all' },
    });

  it('is shown to the account’s administrator, and for an unknown address if there is only one site', async () => {
    await failToSignIn(known.email);
    await expect(audited()).resolves.toMatchObject({
      action: 'sign_in',
      outcome: 'refused',
      site_id: site,
      object_id: known.id,
    });
    await failToSignIn('stranger@example.org');
    await expect(audited()).resolves.toMatchObject({
      action: 'sign_in',
      outcome: 'refused',
      site_id: site,
      object_id: null,
    });
    await test.addSite('Second ward');
    await failToSignIn('stranger@example.org');
    await expect(audited()).resolves.toMatchObject({
      action: 'sign_in',
      outcome: 'refused',
      site_id: null,
      object_id: null,
    });
    await failToSignIn(known.email);
    await expect(audited()).resolves.toMatchObject({ site_id: site, object_id: known.id });
  });

  it('is on record when tries at an account begin to be slowed, once in fifteen minutes', async () => {
    const tried = await test.addUser(site, 'nurse');
    for (let time = 0; time < 10; time += 1) {
      await failToSignIn(tried.email);
    }
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['site_id', 'details'])
      .where('object_id', '=', tried.id)
      .execute();
    expect(rows.filter(({ details }) => details !== null)).toEqual([{ site_id: site, details: '{"slowed":true}' }]);
  });
});
