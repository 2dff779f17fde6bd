import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './httpError';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const refused = (): HttpError =>
  new HttpError(403, 'xsrf', 'This call did not come from a page of this server. Reload the page and try again.');

/**
 * Throws 403 if a browser sends an unsafe call from another origin. Browsers name the origin in `Sec-Fetch-Site` or
 * `Origin`. A client that sends neither is not a browser, so no foreign page can make it call.
 */
export function checkOrigin(request: FastifyRequest, publicUrl: string | null): void {
  if (safeMethods.has(request.method)) {
    return;
  }
  checkStreamOrigin(request);
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const own = publicUrl ?? `${request.protocol}://${request.host}`;
  if (fetchSite === undefined && origin !== undefined && origin !== own) {
    throw refused();
  }
}

/**
 * Throws 403 if a browser asks for a stream of events on behalf of another site's page, or of no page. The request
 * is safe, but it holds a connection.
 */
export function checkStreamOrigin(request: FastifyRequest): void {
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined && fetchSite !== 'same-origin') {
    throw refused();
  }
}

/** Returns the XSRF token of a session. It is derived from the session's secret, so it needs no storage. */
export function xsrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('xsrf').digest('base64url');
}

/**
 * Throws 403 if the `X-XSRF-TOKEN` of an unsafe call is not that of its session. The caller has already proved the
 * session's `secret`.
 */
export function checkXsrf(request: FastifyRequest, secret: string): void {
  if (safeMethods.has(request.method)) {
    return;
  }
  const sent = request.headers['x-xsrf-token'];
  if (typeof sent !== 'string' || !sameText(sent, xsrfTokenOf(secret))) {
    throw refused();
  }
}

/** Returns whether two secrets are equal, in a time that does not depend on where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
