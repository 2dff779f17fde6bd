import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** security.md 2.5 H1. `no-store` because nearly everything here is somebody's data; static files set their own. */
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

/** Sets the headers that every answer carries. `https` adds the promise that this host is never asked without it. */
export function setFixedHeaders(reply: FastifyReply, https: boolean): void {
  void reply.headers(https ? fixedHeadersOfHttps : fixedHeaders);
}

/** Gives a reply that is taken out of Fastify's hands the headers that were set so far. */
export function handOverHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) {
      reply.raw.setHeader(name, value);
    }
  }
}

/** Answers that hold data and no page need no rights at all. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The page that shows the API's description sets styles of its own; it holds nobody's data. */
export const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Stream's own hosts: calls, the socket, and the pictures that people sent. */
const chatHosts = 'https://chat.stream-io-api.com wss://chat.stream-io-api.com';
const chatPictures = 'https://*.stream-io-cdn.com';

/**
 * The Content-Security-Policy of a page (security.md 2.4). Style attributes stay open because antd's server HTML has
 * them. In development Next's reload needs eval, a socket and style elements of its own. With chat the page also speaks
 * to the hosts of the chat service, but not to the one that gathers how it is used.
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
