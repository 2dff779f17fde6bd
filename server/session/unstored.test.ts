import { appendLateRows } from '../../test/appendLateRows';
import { apiEngines } from '../../test/database';
import { refuseWrites } from '../../test/refuseWrites';
import { startTestServer, testPassword, type Caller, type TestServer } from '../../test/testServer';
import { untilWritable } from '../../test/untilWritable';

const patients = '/api/v2/patients';

describe.each(apiEngines)('a session while nothing can be stored on %s', (engine) => {
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
