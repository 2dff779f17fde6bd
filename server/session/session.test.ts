import type { LightMyRequestResponse } from 'fastify';
import { appendLateRows } from '../../test/appendLateRows';
import { apiEngines } from '../../test/database';
import { refuseWrites } from '../../test/refuseWrites';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, testPassword, type TestServer } from '../../test/testServer';
import { untilWritable } from '../../test/untilWritable';
import { createPasswords } from './passwords';
import { lockIdleSessions } from './routes';
import { sessionLastsMs } from './sessionTimes';
import { findByPassword } from './users';

describe.each(apiEngines)('the session of a display on %s', (engine) => {
  const hour = 3_600_000;
  const day = 24 * hour;

  let test: TestServer;
  let site: number;
  let display: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    display = await test.signIn(site, 'display');
  });

  const look = (cookies = display.cookies) => test.app.inject({ url: '/api/v2/wall', cookies });
  const cookiesOf = ({ cookies }: LightMyRequestResponse): Record<string, string> =>
    Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  /** The cookies that a poll brings after a day. */
  const renewed = async (): Promise<Record<string, string>> => {
    test.advance(day);
    return cookiesOf(await look());
  };

  it('neither locks nor ends in 13 hours without a touch, across a restart too', async () => {
    test.advance(13 * hour);
    await lockIdleSessions(test.server);
    expect((await look()).statusCode).toBe(200);
    await test.restart();
    expect((await look()).statusCode).toBe(200);
  });

  it('has no end in a month of polls, and other cookies each day that the browser keeps long', async () => {
    let { cookies } = display;
    for (let passed = 0; passed < 30; passed += 1) {
      test.advance(day);
      const response = await look(cookies);
      expect(response.statusCode).toBe(200);
      expect(response.cookies.map(({ name, maxAge }) => [name, maxAge])).toEqual(
        ['token', 'token.sig', 'XSRF-TOKEN'].map((name) => [name, (400 * day) / 1_000]),
      );
      expect(cookiesOf(response).token).not.toBe(cookies.token);
      cookies = cookiesOf(response);
    }
    expect((await look(cookies)).cookies).toEqual([]);
  });

  it('ends with the old cookies a minute after the new ones were used, so that no stolen one lasts', async () => {
    const cookies = await renewed();
    // Calls that were on their way.
    expect((await look()).statusCode).toBe(200);
    expect((await look(cookies)).statusCode).toBe(200);
    expect((await look()).statusCode).toBe(200);
    test.advance(60_000);
    expect((await look()).statusCode).toBe(401);
    expect((await look(cookies)).statusCode).toBe(200);
  });

  it('is renewed once by calls at the same time', async () => {
    test.advance(day);
    const responses = await Promise.all([look(), look(), look()]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(responses.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1);
  });

  it('goes on when the response with the new cookies was lost, which then open nothing', async () => {
    const lost = await renewed();
    test.advance(60_000);
    const cookies = cookiesOf(await look());
    expect(cookies.token).toBeDefined();
    expect((await look(lost)).statusCode).toBe(401);
    expect((await look(cookies)).statusCode).toBe(200);
    await test.restart();
    expect((await look(cookies)).statusCode).toBe(200);
    test.advance(day);
    expect((await look()).statusCode).toBe(401);
  });

  it('shows the wall while the store cannot be written', async () => {
    test.advance(day);
    const renew = jest.spyOn(test.server.sessions, 'renew').mockRejectedValueOnce(new Error('disk full'));
    const { statusCode, cookies } = await look();
    expect([statusCode, cookies]).toEqual([200, []]);
    renew.mockRestore();
  });

  it('is ended at once by an administrator, with the one that took its place', async () => {
    const cookies = await renewed();
    const admin = await test.signIn(site, 'administrator', true);
    const ended = await admin.call('POST', `/api/v2/admin/users/${display.userId}/end-sessions`);
    expect(ended.statusCode).toBe(204);
    expect((await look()).statusCode).toBe(401);
    expect((await look(cookies)).statusCode).toBe(401);
  });

  it('is an ordinary one if the display also administrates', async () => {
    const { cookies } = await test.signIn(site, 'display', true);
    test.advance(hour);
    expect((await look(cookies)).statusCode).toBe(423);
    test.advance(11 * hour);
    expect((await look(cookies)).statusCode).toBe(401);
  });

  it('is audited with each renewal', async () => {
    await renewed();
    const rows = await test.store.db
      .selectFrom('audit')
      .select('object_id')
      .where('action', '=', 'renew_session')
      .where('actor_id', '=', display.userId)
      .execute();
    expect(rows).toEqual([{ object_id: display.userId }]);
  });
});

describe.each(apiEngines)('the lock of a session on %s', (engine) => {
  const minute = 60_000;

  let test: TestServer;
  let site: number;
  let nurse: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
  });

  const post = async (what: string, body?: object) => await nurse.call('POST', `/api/v2/auth/${what}`, body);
  const read = async (who = nurse): Promise<number> => (await who.call('GET', '/api/v2/patients')).statusCode;
  const stored = async () =>
    await test.store.db
      .selectFrom('sessions')
      .select(['last_input_at', 'locked_at', 'ended_at', 'expires_at'])
      .where('token', '=', nurse.cookies.token ?? '')
      .executeTakeFirstOrThrow();
  const audited = async () =>
    await test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

  it('rejects every other call with 423 and the reason', async () => {
    expect((await post('lock')).statusCode).toBe(204);
    await expect(audited()).resolves.toMatchObject({ action: 'lock_session', outcome: 'done', actor_id: nurse.userId });
    const answer = await nurse.call('GET', '/api/v2/patients');
    expect([answer.statusCode, answer.json()]).toEqual([
      423,
      { error: { code: 'session_locked', message: 'The screen is locked. Unlock it with your password.' } },
    ]);
  });

  it('is opened by no wrong password, which is put on record', async () => {
    await post('lock');
    const answer = await post('unlock', { password: 'correct horse batterY' });
    expect([answer.statusCode, answer.json(), answer.cookies]).toEqual([
      401,
      { error: { code: 'wrong_password', message: 'The password is wrong.' } },
      [],
    ]);
    await expect(audited()).resolves.toMatchObject({
      action: 'prove_password',
      outcome: 'refused',
      actor_id: nurse.userId,
    });
    await expect(read()).resolves.toBe(423);
  });

  it.each([{}, { password: '' }, { password: 'x'.repeat(257) }, { password: testPassword, email: 'a@example.org' }])(
    'is not opened by %j',
    async (body) => {
      await post('lock');
      expect((await post('unlock', body)).statusCode).toBe(422);
      await expect(read()).resolves.toBe(423);
    },
  );

  it('is opened by the password with a new session, and the old one is dead at once', async () => {
    await post('lock');
    const { expires_at } = await stored();
    test.advance(minute);
    const answer = await post('unlock', { password: testPassword });
    expect([answer.statusCode, answer.json<{ id: number }>().id]).toEqual([200, nurse.userId]);
    const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
    for (const name of ['token', 'token.sig', 'XSRF-TOKEN']) {
      expect(cookies[name]).not.toBe(nurse.cookies[name]);
    }
    await expect(read()).resolves.toBe(401);
    expect((await test.app.inject({ url: '/api/v2/patients', cookies })).statusCode).toBe(200);
    await expect(
      test.store.db
        .selectFrom('sessions')
        .select(['expires_at', 'locked_at'])
        .where('token', '=', cookies.token ?? '')
        .executeTakeFirstOrThrow(),
    ).resolves.toEqual({ expires_at, locked_at: null });
  });

  it('is opened once by two that unlock at the same moment', async () => {
    await post('lock');
    const answers = await Promise.all([
      post('unlock', { password: testPassword }),
      post('unlock', { password: testPassword }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });

  it('falls after no input for as long as the site allows, even if the page polls and pings', async () => {
    for (let minutes = 0; minutes < 15; minutes += 1) {
      await expect(read()).resolves.toBe(200);
      await nurse.call('PUT', `/api/v2/users/updateLastActive/${nurse.userId}`);
      test.advance(minute);
    }
    await expect(read()).resolves.toBe(423);
    expect((await nurse.call('PUT', `/api/v2/users/updateLastActive/${nurse.userId}`)).statusCode).toBe(204);
  });

  it('does not fall while the user touches the page, which is stored once a minute at most', async () => {
    const started = test.now();
    for (let minutes = 0; minutes < 20; minutes += 1) {
      expect((await post('activity')).statusCode).toBe(204);
      test.advance(minute / 2);
      expect((await post('activity')).statusCode).toBe(204);
      expect((await stored()).last_input_at).toBe(started + minutes * minute);
      test.advance(minute / 2);
    }
    await expect(read()).resolves.toBe(200);
  });

  it('cannot be lifted by touching the page, by more time being allowed, or by a restart', async () => {
    test.advance(15 * minute);
    expect((await post('activity')).statusCode).toBe(423);
    await lockIdleSessions(test.server);
    expect((await stored()).locked_at).toBe(test.now());
    await expect(audited()).resolves.toMatchObject({
      action: 'lock_session',
      actor: 'system',
      object_id: nurse.userId,
    });
    await test.store.db.updateTable('sites').set({ idle_minutes: 30 }).where('id', '=', site).execute();
    await test.server.sessions.reload([nurse.userId]);
    await expect(read()).resolves.toBe(423);
    await test.restart();
    await expect(read()).resolves.toBe(423);
    await test.store.db.updateTable('sites').set({ idle_minutes: 15 }).where('id', '=', site).execute();
  });

  it('falls after the time that the site has set', async () => {
    await test.store.db.updateTable('sites').set({ idle_minutes: 2 }).where('id', '=', site).execute();
    await test.server.sessions.reload([nurse.userId]);
    test.advance(2 * minute - 1);
    await expect(read()).resolves.toBe(200);
    test.advance(1);
    await expect(read()).resolves.toBe(423);
    await test.store.db.updateTable('sites').set({ idle_minutes: 15 }).where('id', '=', site).execute();
  });

  it('never falls on a wall display by itself', async () => {
    const display = await test.signIn(site, 'display');
    test.advance(13 * 60 * minute);
    await lockIdleSessions(test.server);
    expect((await display.call('GET', '/api/user/getCurrentUser')).statusCode).toBe(200);
  });

  it('does not keep a session alive beyond its 12 hours', async () => {
    await post('lock');
    test.advance(sessionLastsMs);
    expect((await post('unlock', { password: testPassword })).statusCode).toBe(401);
  });

  it('lets its user sign out', async () => {
    await post('lock');
    expect((await post('sign-out')).statusCode).toBe(204);
    expect((await stored()).ended_at).toBe(test.now());
  });
});

describe.each(apiEngines)('a session on %s', (engine) => {
  const currentUser = '/api/user/getCurrentUser';

  let test: TestServer;
  let site: number;
  let nurse: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite('Maple ward', 'Europe/Berlin');
  });
  beforeEach(async () => {
    nurse = await test.signIn(site, 'nurse');
  });

  const status = async (cookies: Record<string, string>): Promise<number> =>
    (await test.app.inject({ url: currentUser, cookies })).statusCode;

  it('is refused without both of its halves', async () => {
    const other = await test.signIn(site, 'nurse');
    const { token = '', 'token.sig': secret = '' } = nurse.cookies;
    const halves: Record<string, string>[] = [
      {},
      { token },
      { 'token.sig': secret },
      { token, 'token.sig': '' },
      { token, 'token.sig': other.cookies['token.sig'] ?? '' },
      { token: other.cookies.token ?? '', 'token.sig': secret },
      { token: secret, 'token.sig': token },
      { token, 'token.sig': `${secret}x` },
      { token: '__proto__', 'token.sig': secret },
    ];
    for (const cookies of halves) {
      expect([cookies, await status(cookies)]).toEqual([cookies, 401]);
    }
    await expect(status({ token, 'token.sig': secret })).resolves.toBe(200);
  });

  it('shows the whole user and nothing that is secret', async () => {
    const { fname, lname, email } = await test.store.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', nurse.userId)
      .executeTakeFirstOrThrow();
    const answer = await nurse.call('GET', currentUser);
    expect(answer.json()).toEqual({
      id: nurse.userId,
      fname,
      lname,
      email,
      username: email,
      siteId: site,
      userImage: null,
      type: 'nurse',
      isAdmin: false,
      site: {
        name: 'Maple ward',
        timeZone: 'Europe/Berlin',
        isDemo: false,
        rulesAreOn: false,
        intendedUseChanged: false,
        // A server that tests restart may have been off for days.
        isClockDoubted: expect.any(Boolean) as unknown,
        isDiskLow: false,
        emergencyNumber: null,
        rapidResponseNumber: null,
        idleMinutes: 15,
        shiftStarts: '07:30,19:30',
        dateOrder: 'day_first',
      },
      units: [],
      permissions: [
        'readPatients',
        'writePatients',
        'recordObservations',
        'sendCheckInLinks',
        'readNotes',
        'writeNotes',
        'readChart',
        'writeChart',
        'fileReports',
        'readReports',
        'readAlerts',
        'readWall',
        'acknowledgeAlerts',
        'handleAlerts',
        'changeLimits',
        'setStandby',
        'exemptFromNews2',
        'readUnits',
        'readAssignments',
        'writeAssignments',
        'readDevices',
        'assignDevices',
        'chat',
        'readAudit',
      ],
      administersInstallation: false,
      awaitsConfirmation: false,
      passwordLinkBy: null,
      breakGlassUntil: null,
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-server-time': String(test.now()) });
  });

  it('ends with sign-out at once, for good, and deletes its cookies', async () => {
    const other = await test.signIn(site, 'nurse');
    const answer = await nurse.call('POST', '/api/v2/auth/sign-out');
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.cookies.map(({ name, value, path, expires }) => [name, value, path, expires?.getTime()])).toEqual(
      ['token', 'token.sig', 'XSRF-TOKEN'].map((name) => [name, '', '/', 0]),
    );
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    await expect(status(nurse.cookies)).resolves.toBe(401);
    await test.restart();
    await expect(status(nurse.cookies)).resolves.toBe(401);
    await expect(status(other.cookies)).resolves.toBe(200);
  });

  it('survives a restart, with its XSRF token', async () => {
    await test.restart();
    expect((await nurse.call('PUT', `/api/v2/users/updateLastActive/${nurse.userId}`)).statusCode).toBe(204);
  });

  it('ends after 12 hours, used or not, also across a restart', async () => {
    const { cookies } = await test.signIn(site, 'nurse');
    test.advance(sessionLastsMs - 1);
    // Locked, and still there.
    await expect(status(cookies)).resolves.toBe(423);
    test.advance(1);
    await expect(status(cookies)).resolves.toBe(401);
    await test.restart();
    await expect(status(cookies)).resolves.toBe(401);
  });

  it('of a disabled user does not exist after a restart', async () => {
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', nurse.userId).execute();
    await test.restart();
    await expect(status(nurse.cookies)).resolves.toBe(401);
  });

  it('marks its own user as active, and no other', async () => {
    const other = await test.addUser(site, 'nurse');
    const lastActive = async (id: number): Promise<number | null> =>
      (await test.store.db.selectFrom('users').select('last_active_at').where('id', '=', id).executeTakeFirstOrThrow())
        .last_active_at;

    // Administrators read "Never" of a user who had just signed in.
    await expect(lastActive(nurse.userId)).resolves.toBe(test.now());
    test.advance(60_000);
    const refused = await nurse.call('PUT', `/api/v2/users/updateLastActive/${other.id}`);
    expect(refused.statusCode).toBe(403);
    await expect(lastActive(other.id)).resolves.toBeNull();

    const answer = await nurse.call('PUT', `/api/v2/users/updateLastActive/${nurse.userId}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    await expect(lastActive(nurse.userId)).resolves.toBe(test.now());
  });
});

describe.each(apiEngines)('the sessions of one user on %s', (engine) => {
  let test: TestServer;
  let site: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
  });
  afterEach(() => jest.restoreAllMocks());

  const signInOnPage = async (email: string): Promise<number> =>
    (await test.app.inject({ method: 'POST', url: '/api/v2/auth/sign-in', payload: { email, password: testPassword } }))
      .statusCode;

  it('do not start by a password that was changed between its proof and the session', async () => {
    const { id, email } = await test.addUser(site, 'nurse');
    const { throttle, sessions } = test.server;
    const attempt = throttle.attempt.bind(throttle);
    jest.spyOn(throttle, 'attempt').mockImplementationOnce(async (trier, prove) => {
      const proof = await attempt(trier, prove);
      await sessions.endAll(id, null, (transaction) =>
        transaction.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute(),
      );
      return proof;
    });
    await expect(signInOnPage(email)).resolves.toBe(401);
    expect(sessions.ofUser(id)).toEqual([]);
  });

  it('do not start for a user who was disabled between the proof and the session', async () => {
    const { id, email } = await test.addUser(site, 'nurse');
    const { throttle, sessions } = test.server;
    const attempt = throttle.attempt.bind(throttle);
    jest.spyOn(throttle, 'attempt').mockImplementationOnce(async (trier, prove) => {
      const proof = await attempt(trier, prove);
      await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', id).execute();
      return proof;
    });
    await expect(signInOnPage(email)).resolves.toBe(401);
    expect(sessions.ofUser(id)).toEqual([]);
  });

  it('that one call has ended are not brought back by another call that fails', async () => {
    const { userId } = await test.signIn(site, 'nurse');
    const { sessions } = test.server;
    const failing = sessions.endAll(userId, null, () => Promise.reject(new Error('the store is full')));
    const ending = sessions.endAll(userId, null, () => Promise.resolve('ended'));
    await expect(failing).rejects.toThrow('the store is full');
    await expect(ending).resolves.toBe('ended');
    expect(sessions.ofUser(userId)).toEqual([]);
  });

  it('go on when nothing could be stored, and can be ended then', async () => {
    const { userId } = await test.signIn(site, 'nurse');
    const { sessions } = test.server;
    await expect(sessions.endAll(userId, null, () => Promise.reject(new Error('the store is full')))).rejects.toThrow(
      'the store is full',
    );
    expect(sessions.ofUser(userId)).toHaveLength(1);
    await sessions.endAll(userId, null, () => Promise.resolve());
    expect(sessions.ofUser(userId)).toEqual([]);
  });
});

describe('signIn', () => {
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
});

describe.each(apiEngines)('a session while nothing can be stored on %s', (engine) => {
  const patients = '/api/v2/patients';

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let email: string;
  /** Of those who sign in: each test has an address of its own, whose failures count. */
  let remoteAddress: string;
  let addresses = 0;
  let heal: () => Promise<void>;

  // A server of its own: no one can store anything meanwhile.
  beforeAll(async () => {
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    remoteAddress = `10.3.0.${(addresses += 1)}`;
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    ({ email } = await test.addUser(site, 'nurse'));
    heal = () => Promise.resolve();
  });
  afterEach(async () => {
    await recover();
    await untilWritable(test.store);
  });
  afterAll(() => test.stop());

  const fail = async (): Promise<void> => {
    heal = await refuseWrites(test);
  };
  /** Lets the store take writes again, and waits until all rows are written. */
  const recover = async (): Promise<void> => {
    await heal();
    heal = () => Promise.resolve();
    await appendLateRows(test.server.lateRows);
  };
  const signIn = (password = testPassword, address = email) =>
    test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      payload: { email: address, password },
      remoteAddress,
    });
  const unlock = (password = testPassword) => nurse.call('POST', '/api/v2/auth/unlock', { password });
  type Answer = Awaited<ReturnType<typeof signIn>>;
  const cookiesOf = ({ cookies }: Answer): Record<string, string> =>
    Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  const read = async (cookies: Record<string, string>): Promise<number> =>
    (await test.app.inject({ method: 'GET', url: patients, cookies })).statusCode;
  const actions = async (): Promise<string[]> =>
    (
      await test.store.db
        .selectFrom('audit')
        .where('site_id', '=', site)
        .select(['action', 'outcome'])
        .orderBy('id')
        .execute()
    )
      .filter(({ action }) => ['sign_in', 'unlock_session', 'prove_password'].includes(action))
      .map(({ action, outcome }) => `${action} ${outcome}`);

  it('is not started by a wrong password, which is counted, and put on record later', async () => {
    await fail();
    const tries = [];
    for (let time = 1; time <= 7; time += 1) {
      tries.push((await signIn('correct horse batterY')).statusCode);
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 401, 429]);
    expect((await signIn()).statusCode).toBe(429);
    await recover();
    await expect(actions()).resolves.toEqual(['sign_in done', ...Array.from({ length: 7 }, () => 'sign_in refused')]);
  });

  it('is unlocked by no wrong password, which is counted as well', async () => {
    await nurse.call('POST', '/api/v2/auth/lock');
    await fail();
    const tries = [];
    for (let time = 1; time <= 7; time += 1) {
      tries.push((await unlock('correct horse batterY')).statusCode);
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 401, 429]);
    expect((await unlock()).statusCode).toBe(429);
    await expect(read(nurse.cookies)).resolves.toBe(423);
  });

  it('starts, shows patients, and is stored later with its sign-in', async () => {
    await fail();
    const answer = await signIn();
    expect(answer.statusCode).toBe(200);
    const cookies = cookiesOf(answer);
    await expect(read(cookies)).resolves.toBe(200);
    await recover();
    await expect(actions()).resolves.toEqual(['sign_in done', 'sign_in done']);
    await test.restart();
    await expect(read(cookies)).resolves.toBe(200);
  });

  it('is unlocked under a new secret, also after a restart, and the old one opens nothing', async () => {
    await nurse.call('POST', '/api/v2/auth/lock');
    await fail();
    const answer = await unlock();
    expect(answer.statusCode).toBe(200);
    const cookies = cookiesOf(answer);
    await expect(Promise.all([read(cookies), read(nurse.cookies)])).resolves.toEqual([200, 401]);
    await recover();
    await test.restart();
    await expect(Promise.all([read(cookies), read(nurse.cookies)])).resolves.toEqual([200, 401]);
    await expect(actions()).resolves.toEqual(['sign_in done', 'unlock_session done']);
  });

  it('that was left again before it was stored is not there after a restart', async () => {
    await fail();
    const cookies = cookiesOf(await signIn());
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-out',
      cookies,
      headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '' },
    });
    expect(answer.statusCode).toBe(204);
    await recover();
    await test.restart();
    await expect(read(cookies)).resolves.toBe(401);
  });
});
