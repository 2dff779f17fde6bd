import type { FastifyRequest } from 'fastify';
import fc from 'fast-check';
import { checkOrigin, checkXsrf, sameText, xsrfTokenOf } from './csrf';

/** As much of a request as these checks look at. */
function requestWith(headers: Record<string, string>, method = 'POST'): FastifyRequest {
  return { method, headers, protocol: 'http', host: 'ward.example:3000' } as unknown as FastifyRequest;
}

const refusal = expect.objectContaining({ status: 403, code: 'xsrf' }) as unknown;

function passes(headers: Record<string, string>, publicUrl: string | null = null, method = 'POST'): unknown {
  try {
    checkOrigin(requestWith(headers, method), publicUrl);
    return true;
  } catch (error) {
    // oxlint-disable-next-line jest/no-conditional-expect -- each test expects what is returned
    expect(error).toEqual(refusal);
    return false;
  }
}

describe('checkOrigin', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a browser that says two things', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'http://ward.example:3000' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['our host on another port', { origin: 'http://ward.example:3001' }],
    ['our host over another scheme', { origin: 'https://ward.example:3000' }],
    ['a host that begins like ours', { origin: 'http://ward.example:3000.evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
  ])('refuses an unsafe call from %s', (_, headers) => {
    expect(passes(headers)).toBe(false);
  });

  it('holds an origin against the public address where there is one, not against the Host header', () => {
    expect(passes({ origin: 'http://ward.example:3000' }, 'https://ward.example')).toBe(false);
    expect(passes({ origin: 'https://ward.example' }, 'https://ward.example')).toBe(true);
  });

  it.each([
    ['our own pages', { 'sec-fetch-site': 'same-origin' }],
    ['our own pages in a browser without Sec-Fetch-Site', { origin: 'http://ward.example:3000' }],
    ['what is not a browser', {}],
  ])('takes an unsafe call from %s', (_, headers) => {
    expect(passes(headers)).toBe(true);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('asks nothing of %s, which changes nothing', (method) => {
    expect(passes({ 'sec-fetch-site': 'cross-site' }, null, method)).toBe(true);
  });
});

describe('checkXsrf', () => {
  const secret = 'one-secret';

  it.each([
    ['no token', {}],
    ['an empty token', { 'x-xsrf-token': '' }],
    ['the token of another session', { 'x-xsrf-token': xsrfTokenOf('another-secret') }],
    ['the secret itself', { 'x-xsrf-token': secret }],
    ['half a token', { 'x-xsrf-token': xsrfTokenOf(secret).slice(0, 20) }],
    ['the token twice', { 'x-xsrf-token': `${xsrfTokenOf(secret)}, ${xsrfTokenOf(secret)}` }],
  ])('refuses %s', (_, headers: Record<string, string>) => {
    expect(() => checkXsrf(requestWith(headers), secret)).toThrow(
      expect.objectContaining({ status: 403, code: 'xsrf' }) as Error,
    );
  });

  it('takes the token of the session', () => {
    expect(() => checkXsrf(requestWith({ 'x-xsrf-token': xsrfTokenOf(secret) }), secret)).not.toThrow();
  });

  it('asks nothing of a safe method', () => {
    expect(() => checkXsrf(requestWith({}, 'GET'), secret)).not.toThrow();
  });
});

describe('sameText', () => {
  it('says what === says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(sameText(a, b)).toBe(a === b);
        expect(sameText(a, a)).toBe(true);
      }),
    );
  });
});
