import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './httpError';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const refused = (): HttpError =>
  new HttpError(403, 'xsrf', 'This call did not come from a page of this server. Reload the page and try again.');

/**
 * Refuses an unsafe call that a browser sends from another origin. Browsers say where a call comes from
 * (`Sec-Fetch-Site`, else `Origin`); what says neither is not a browser and cannot be led by a foreign page.
 */
export function checkOrigin(request: FastifyRequest, publicUrl: string | null): void {
  if (safeMethods.has(request.method)) {
    return;
  }
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined) {
    if (fetchSite !== 'same-origin') {
      throw refused();
    }
    return;
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin !== (publicUrl ?? `${request.protocol}://${request.host}`)) {
    throw refused();
  }
}

/** The XSRF token of a session: derived from its secret, so it is bound to the session and needs no storage. */
export function xsrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('xsrf').digest('base64url');
}

/**
 * Refuses an unsafe call whose `X-XSRF-TOKEN` is not that of its session, whose secret the caller has already proved.
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

/** Compares two secrets in a time that does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
