import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** security.md 2.5 H1. `no-store`, because nearly every response holds personal data; static files set their own. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
const fixedHeadersOfHttps = { ...fixedHeaders, 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Returns the headers of every response. `https` adds Strict-Transport-Security. */
export function fixedHeadersOf(https: boolean): Readonly<Record<string, string>> {
  return https ? fixedHeadersOfHttps : fixedHeaders;
}

/** The body of `/healthz`. */
export const alive = '{"status":"ok"}';

/** Copies the headers set so far to the raw response, for a handler that writes to it without Fastify. */
export function handOverHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) {
      reply.raw.setHeader(name, value);
    }
  }
}

/** The Content-Security-Policy of responses that are data and no page: they need no sources at all. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The policy of the API documentation. It needs inline styles, which are acceptable there: it holds no user data. */
export const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns 128 random bits for the nonce of a page, in base64. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Stream's own hosts for calls, the socket and the pictures that users sent. */
const chatHosts = 'https://chat.stream-io-api.com wss://chat.stream-io-api.com';
const chatPictures = 'https://*.stream-io-cdn.com';

/**
 * Returns the Content-Security-Policy of a page (security.md 2.4). Style attributes are allowed because antd's server
 * HTML has them. In development Next's reload needs eval, a socket and style elements. With chat the page may call the
 * hosts of the chat service, but not its analytics host.
 */
export function pagePolicy(nonce: string, dev: boolean, chat: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    `style-src-elem 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${chat ? ` ${chatPictures}` : ''}`,
    "font-src 'self'",
    `connect-src 'self'${chat ? ` ${chatHosts}` : ''}${dev ? ' ws:' : ''}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'report-uri /api/csp-report',
  ].join('; ');
}
