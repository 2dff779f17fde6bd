import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import { testPassword, type Caller, type TestServer } from '../../test/testServer';
import { lockIdleSessions } from './routes';
import { sessionLastsMs } from './sessionTimes';

const minute = 60_000;

describe.each(apiEngines)('the lock of a session on %s', (engine) => {
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
