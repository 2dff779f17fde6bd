import type { LightMyRequestResponse } from 'fastify';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { lockIdleSessions } from './routes';

const hour = 3_600_000;
const day = 24 * hour;

describe.each(apiEngines)('the session of a display on %s', (engine) => {
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
