import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe('where PUBLIC_URL is an https address', () => {
  let test: TestServer;
  let nurse: Caller;
  beforeAll(async () => {
    test = await sharedTestServer('sqlite', { PUBLIC_URL: 'https://ward.example', TRUSTED_PROXIES: '10.0.0.7' });
    nurse = await test.signIn(await test.addSite(), 'nurse');
  });

  const here = '127.0.0.1';
  const proxy = '10.0.0.7';
  const elsewhere = '10.0.0.9';
  const get = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
    test.app.inject({ method: 'GET', url, remoteAddress, headers, cookies: nurse.cookies });
  const own = '/api/user/getCurrentUser';
  const yearOfHttps = { 'strict-transport-security': expect.stringContaining('max-age=31536000') as unknown };

  it.each([
    ['from another machine', elsewhere, {}, /X-Forwarded-Proto is missing/],
    ['of a proxy that sends the address but not the scheme', proxy, { 'x-forwarded-for': '1.2.3.4' }, /is missing/],
    ['of a proxy on this machine that is not named', here, { 'x-forwarded-proto': 'https' }, /TRUSTED_PROXIES/],
    ['of a stranger who says https', elsewhere, { 'x-forwarded-proto': 'https' }, /TRUSTED_PROXIES/],
    ['that came to the proxy over HTTP', proxy, { 'x-forwarded-proto': 'http' }, /Use https:\/\/ward\.example/],
    ['whose sender says https and its proxy http', proxy, { 'x-forwarded-proto': 'https, http' }, /Use https/],
  ])('refuses a call %s and says what is missing', async (_, remoteAddress, headers, words) => {
    const answer = await get(own, remoteAddress, headers);
    expect(answer.statusCode).toBe(403);
    const { code, message } = answer.json<{ error: { code: string; message: string } }>().error;
    expect([code, message]).toEqual(['https_needed', expect.stringMatching(words)]);
  });

  it('refuses devices, metrics and unknown addresses like everything else', async () => {
    const { token } = await test.addDevice(nurse.siteId);
    const sent = await test.app.inject({
      method: 'POST',
      url: '/api/v2/vitals',
      remoteAddress: elsewhere,
      headers: { authorization: `Bearer ${token}` },
      payload: { samples: [] },
    });
    const others = await Promise.all(['/metrics', '/nothing/here'].map((url) => get(url, elsewhere)));
    expect([sent, ...others].map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });

  it('refuses a password that a silent proxy on this machine passed on', async () => {
    const { email, password } = await test.addUser(nurse.siteId, 'nurse');
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { host: 'ward.example' },
      payload: { email, password },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('X-Forwarded-Proto');
  });

  it.each([
    ['a probe of life from anywhere', '/healthz', elsewhere, {}],
    ['a probe of readiness from anywhere', '/readyz', elsewhere, {}],
    ['a direct call of this machine', own, here, {}],
    ['a direct call of this machine over IPv6', own, '::1', {}],
    ['what the trusted proxy took over HTTPS', own, proxy, { 'x-forwarded-proto': 'https' }],
  ])('answers %s', async (_, url, remoteAddress, headers) => {
    expect((await get(url, remoteAddress, headers)).statusCode).toBe(200);
  });

  it.each(['/healthz', '/readyz', own, '/nothing/here'])('promises HTTPS for a year with %s', async (url) => {
    for (const remoteAddress of [here, elsewhere]) {
      expect((await get(url, remoteAddress)).headers).toHaveProperty('strict-transport-security');
    }
  });

  it('promises it also to what is refused before its address is looked at', async () => {
    const answer = await test.app.inject({
      method: 'GET',
      url: own,
      remoteAddress: elsewhere,
      headers: { upgrade: 'websocket', connection: 'upgrade' },
    });
    expect([answer.statusCode, answer.headers]).toEqual([400, expect.objectContaining(yearOfHttps)]);
  });

  it('takes the secret of a session only from the cookie that no other host can plant', async () => {
    const { token = '', '__Host-token.sig': secret = '' } = nurse.cookies;
    const status = async (cookies: Record<string, string>) =>
      (await test.app.inject({ method: 'GET', url: own, cookies })).statusCode;
    await expect(status({ token, 'token.sig': secret })).resolves.toBe(401);
    await expect(status({ token, '__Host-token.sig': secret })).resolves.toBe(200);
  });

  it('deletes at sign-out the cookies that it had set, which takes Secure', async () => {
    const another = await test.signIn(nurse.siteId, 'nurse');
    const { cookies } = await another.call('POST', '/api/v2/auth/sign-out');
    expect(cookies.map(({ name, secure, maxAge }) => [name, secure, maxAge])).toEqual(
      ['token', '__Host-token.sig', 'XSRF-TOKEN'].map((name) => [name, true, 0]),
    );
  });
});
