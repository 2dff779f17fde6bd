import { apiEngines } from '../../test/database';
import { startTestServer, testPassword, type Caller, type TestServer } from '../../test/testServer';
import { proofLastsMs, requireRecentProof } from './requireRecentProof';

describe.each(apiEngines)('the confirmation of a password on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let lead: Caller;

  // A server of its own: the clock is every site's.
  beforeAll(async () => {
    test = await startTestServer(engine);
    site = await test.addSite();
  });
  beforeEach(async () => {
    lead = await test.signIn(site, 'ward_lead');
  });
  afterAll(() => test.stop());

  const confirm = (password: string, who = lead) => who.call('POST', '/api/v2/auth/confirm-password', { password });
  const isProved = (who = lead): boolean => {
    const session = test.server.sessions.get(who.cookies.token ?? '');
    if (session === null) {
      throw new Error('no session');
    }
    try {
      requireRecentProof(session, test.server.elapsed());
      return true;
    } catch {
      return false;
    }
  };
  const audited = async () =>
    await test.store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

  it('is refused with a wrong password, which is put on record and counts for nothing', async () => {
    test.advance(proofLastsMs + 1);
    const response = await confirm('correct horse batterY');
    expect([response.statusCode, response.json<{ error: { code: string } }>().error.code]).toEqual([
      401,
      'wrong_password',
    ]);
    await expect(audited()).resolves.toMatchObject({ action: 'prove_password', outcome: 'refused' });
    expect(isProved()).toBe(false);
  });

  it('is refused after too many wrong ones, also with the right one', async () => {
    for (let tries = 0; tries < 6; tries += 1) {
      await confirm('correct horse batterY');
    }
    const response = await confirm(testPassword);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, expect.any(String)]);
    test.advance(15 * 60_000);
  });

  it('does not open a locked screen', async () => {
    await lead.call('POST', '/api/v2/auth/lock');
    expect((await confirm(testPassword)).statusCode).toBe(423);
  });

  it('counts for five minutes from now on, whatever the wall clock does', async () => {
    expect(isProved()).toBe(true);
    test.advance(proofLastsMs);
    expect(isProved()).toBe(true);
    test.advance(1);
    expect(isProved()).toBe(false);
    const response = await confirm(testPassword);
    expect(response.statusCode).toBe(200);
    await expect(audited()).resolves.toMatchObject({
      action: 'prove_password',
      outcome: 'done',
      actor_id: lead.userId,
    });
    const renewed = response.cookies.find(({ name }) => name === 'token')?.value ?? '';
    expect([test.server.sessions.get(lead.cookies.token ?? ''), renewed]).toEqual([null, expect.any(String)]);
    const session = test.server.sessions.get(renewed);
    expect(session?.provedAt).toBe(test.server.elapsed());
    test.setWallClock(-3_600_000);
    test.advance(proofLastsMs + 1);
    expect(() => {
      requireRecentProof(session ?? sessionOfNoOne(), test.server.elapsed());
    }).toThrow('Confirm your password first.');
    test.setWallClock(3_600_000);
  });

  it('is asked for again after a restart of the server', async () => {
    expect(isProved()).toBe(true);
    await test.restart();
    expect(isProved()).toBe(false);
  });
});

const sessionOfNoOne = (): never => {
  throw new Error('no session');
};
