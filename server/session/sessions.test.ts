import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { testPassword, type TestServer } from '../../test/testServer';

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
