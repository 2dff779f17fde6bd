import { apiEngines } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';
import { parseEnv } from '../env';
import { readableSecret } from './readableSecret';
import { createConfiguredAdmin } from './users';

const url = '/api/v2/setup';

describe.each(apiEngines)('setup on %s', (engine) => {
  // Servers of their own: it is done once. What it refuses leaves one as it was.
  let test: TestServer;
  const startForEach = (): void => {
    beforeEach(async () => {
      test = await startTestServer(engine);
    });
    afterEach(() => test.stop());
  };

  const person = (more: object = {}) => ({
    code: test.server.setup.code ?? 'none',
    siteName: 'Maple ward',
    timeZone: 'Europe/Berlin',
    fname: 'Kim',
    lname: 'Example',
    email: 'kim@example.org',
    password: 'correct horse battery',
    type: 'ward_lead',
    ...more,
  });
  const setUp = (more: object = {}, headers: Record<string, string> = {}) =>
    test.app.inject({ method: 'POST', url, headers, payload: person(more) });
  const users = () => test.store.db.selectFrom('users').select(['email', 'is_admin', 'type']).execute();
  const sites = () => test.store.db.selectFrom('sites').select(['name', 'time_zone']).execute();

  describe('that is not done', () => {
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    afterAll(() => test.stop());

    it.each([
      ['a wrong code', { code: 'AAAAA-AAAAA-AAAAA-AAAAA' }, 403, 'wrong_code', ['code']],
      ['no code', { code: ' ' }, 422, 'invalid', ['code']],
      ['a name with a control character', { fname: 'Kim\u0000' }, 422, 'invalid', ['fname']],
      ['half a character', { siteName: 'Ward \ud800' }, 422, 'invalid', ['siteName']],
      ['an unknown time zone', { timeZone: 'Europe/Nowhere' }, 422, 'invalid', ['timeZone']],
      ['a short password', { password: '14 characters!' }, 422, 'invalid', ['password']],
      ['the name of the site for a password', { password: 'Maple-Ward-2026!' }, 422, 'invalid', ['password']],
      ['blanks for a password', { password: ' '.repeat(20) }, 422, 'invalid', ['password']],
      ['an unknown type', { type: 'root' }, 422, 'invalid', ['type']],
      ['what is not asked', { isAdmin: true }, 422, 'invalid', ['isAdmin']],
    ])('refuses %s and creates no user', async (_, more, status, code, fields) => {
      const answer = await setUp(more);
      const { error } = answer.json<{ error: { code: string; fields: object } }>();
      expect([answer.statusCode, error.code, Object.keys(error.fields), answer.cookies]).toEqual([
        status,
        code,
        fields,
        [],
      ]);
      await expect(users()).resolves.toEqual([]);
      await expect(sites()).resolves.toEqual([]);
    });

    it('refuses plain HTTP from another machine', async () => {
      const answer = await setUp({}, { host: 'ward.example' });
      expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([403, 'https_needed']);
    });
  });

  describe('that is done', () => {
    startForEach();

    it('makes the first user on a site of their own and signs them in', async () => {
      const answer = await setUp({ code: test.server.setup.code?.toLowerCase(), email: 'Kim@Example.org' });
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({
        id: 1,
        fname: 'Kim',
        lname: 'Example',
        email: 'kim@example.org',
        username: 'kim@example.org',
        siteId: 1,
        userImage: null,
        type: 'ward_lead',
        isAdmin: true,
        site: { name: 'Maple ward', timeZone: 'Europe/Berlin', isDemo: false, rulesAreOn: false },
      });
      const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
      expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(200);
      expect(cookies).toHaveProperty('known');
      const actions = await test.store.db
        .selectFrom('audit')
        .select(['action', 'outcome', 'site_id', 'object_id'])
        .orderBy('id')
        .limit(2)
        .execute();
      expect(actions).toEqual([
        { action: 'set_up', outcome: 'done', site_id: 1, object_id: 1 },
        { action: 'sign_in', outcome: 'done', site_id: 1, object_id: 1 },
      ]);
    });

    it('accepts its code once, and has none after a restart', async () => {
      const { code } = test.server.setup;
      await setUp();
      for (const more of [{ code, email: 'second@example.org' }, { code: 'X' }]) {
        const answer = await setUp(more);
        expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
          409,
          'already_set_up',
        ]);
      }
      await test.restart();
      expect(test.server.setup.code).toBeNull();
      expect((await setUp({ code })).statusCode).toBe(409);
      await expect(users()).resolves.toHaveLength(1);
    });

    it('makes exactly one user when several come at once', async () => {
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => setUp({ email: `${name}@example.org` })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
      await expect(users()).resolves.toHaveLength(1);
      await expect(sites()).resolves.toHaveLength(1);
    });
  });

  describe('by the environment', () => {
    startForEach();

    const configured = (password: string) => {
      const parsed = parseEnv({
        ADMIN_EMAIL: 'Boss@Example.org',
        ADMIN_PASSWORD: password,
        SITE_NAME: 'Oak ward',
        SITE_TIME_ZONE: 'Asia/Tokyo',
      });
      return 'env' in parsed
        ? createConfiguredAdmin(test.store, test.now(), parsed.env)
        : Promise.reject(new Error(parsed.faults.join()));
    };
    const signIn = (password: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: { email: 'boss@example.org', password },
      });

    it('creates an administrator, who can sign in and reads no patients', async () => {
      await configured('a long enough password');
      await expect(users()).resolves.toEqual([{ email: 'boss@example.org', is_admin: 1, type: 'administrator' }]);
      await expect(sites()).resolves.toEqual([{ name: 'Oak ward', time_zone: 'Asia/Tokyo' }]);
      // At the product's cost, also where the app's hashes cost less.
      const { password_hash } = await test.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
      const answer = await signIn('a long enough password');
      const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
      expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(403);
    });

    it('changes nothing once there is a user', async () => {
      await configured('a long enough password');
      await configured('another long password');
      await expect(users()).resolves.toHaveLength(1);
      expect((await signIn('another long password')).statusCode).toBe(401);
    });

    it('leaves nothing to set up', async () => {
      await configured('a long enough password');
      await test.restart();
      expect((await setUp()).statusCode).toBe(409);
    });
  });
});

describe('readableSecret', () => {
  it('has 20 letters that are not easily confused, different ones each time', () => {
    const codes = Array.from({ length: 1_000 }, readableSecret);
    expect(codes.filter((code) => !/^([A-HJKMNP-Z2-9]{5}-){3}[A-HJKMNP-Z2-9]{5}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(1_000);
  });
});
