import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { sessionLastsMs } from './sessionTimes';

const currentUser = '/api/user/getCurrentUser';

describe.each(apiEngines)('a session on %s', (engine) => {
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
