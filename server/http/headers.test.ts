import { fixedHeadersOf, newNonce, pagePolicy } from './headers';

describe('the fixed headers', () => {
  it('promise HTTPS for a year only where the answer came over it', () => {
    expect(fixedHeadersOf(false)).not.toHaveProperty('strict-transport-security');
    expect(fixedHeadersOf(true)).toHaveProperty('strict-transport-security', 'max-age=31536000; includeSubDomains');
  });

  it('let nothing be guessed, framed, leaked or kept', () => {
    expect(fixedHeadersOf(false)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });
});

describe('the policy of a page', () => {
  const policy = pagePolicy('bm9uY2U=', false, false);

  it.each(["'unsafe-eval'", 'http:', 'https:', 'ws:', '*'])('never holds %s outside development', (source) => {
    expect(policy.split(/[ ;]+/)).not.toContain(source);
  });

  it('opens inline style to attributes only', () => {
    expect(policy.split('; ').filter((line) => line.includes("'unsafe-inline'"))).toEqual([
      "style-src-attr 'unsafe-inline'",
    ]);
  });

  it('is spelled out to the letter', () => {
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic'",
      "style-src-elem 'self' 'nonce-bm9uY2U='",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      'report-uri /api/csp-report',
    ]);
  });

  it('opens calls, the socket and pictures to the chat service, and nothing else, where chat is set up', () => {
    const opened = pagePolicy('x', false, true)
      .split('; ')
      .filter((line) => !pagePolicy('x', false, false).split('; ').includes(line));
    expect(opened).toEqual([
      "img-src 'self' data: blob: https://*.stream-io-cdn.com",
      "connect-src 'self' https://chat.stream-io-api.com wss://chat.stream-io-api.com",
    ]);
  });

  it('gives development what reloading needs and nothing more', () => {
    const opened = pagePolicy('x', true, false)
      .split('; ')
      .filter((line) => !pagePolicy('x', false, false).split('; ').includes(line));
    expect(opened).toEqual([
      "script-src 'self' 'nonce-x' 'strict-dynamic' 'unsafe-eval'",
      "style-src-elem 'self' 'unsafe-inline'",
      "connect-src 'self' ws:",
    ]);
  });

  it('gets 16 fresh bytes of nonce each time', () => {
    const nonces = Array.from({ length: 1_000 }, newNonce);
    expect(new Set(nonces).size).toBe(1_000);
    expect(nonces.every((nonce) => Buffer.from(nonce, 'base64').length === 16)).toBe(true);
  });
});
