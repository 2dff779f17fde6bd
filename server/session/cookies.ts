import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../http/httpError';
import { xsrfTokenOf } from '../http/csrf';
import type { Session } from './session';
import { lifetimeOf } from './sessionTimes';
import { browserKnownMs } from './throttle';

/** Matches a `Host` that is the machine itself. */
export const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/**
 * Returns whether this request's browser may hold cookies without Secure: it runs on the same machine, or the operator
 * allows plain HTTP.
 */
function mayUseHttp(request: FastifyRequest, allowHttp: boolean): boolean {
  return allowHttp || loopbackHost.test(request.host);
}

/**
 * Throws if a request from another machine comes over plain HTTP. The browser would drop the cookies, and without
 * Secure anyone on the network could read them.
 */
export function requireSafeTransport(request: FastifyRequest, allowHttp: boolean): void {
  if (request.protocol !== 'https' && !mayUseHttp(request, allowHttp)) {
    throw new HttpError(
      403,
      'https_needed',
      'Sign in over HTTPS. For a trial on a closed network the operator can set ALLOW_HTTP=true.',
    );
  }
}

/** Sets the cookies of a session: both halves of its token and the XSRF token. */
export function setSessionCookies(
  reply: FastifyReply,
  request: FastifyRequest,
  session: Session,
  secret: string,
): void {
  const shared = { path: '/', secure: request.protocol === 'https', maxAge: lifetimeOf(session.user) / 1000 };
  void reply
    .setCookie('token', session.token, { ...shared, sameSite: 'lax' })
    .setCookie('token.sig', secret, { ...shared, sameSite: 'lax', httpOnly: true })
    .setCookie('XSRF-TOKEN', xsrfTokenOf(secret), { ...shared, sameSite: 'strict' });
}

/**
 * Sets the cookie which says that this user has signed in with this browser. It outlives the session and proves nothing
 * by itself.
 */
export function setKnownCookie(reply: FastifyReply, request: FastifyRequest, secret: string): void {
  const maxAge = browserKnownMs / 1000;
  void reply.setCookie('known', secret, {
    path: '/',
    secure: request.protocol === 'https',
    maxAge,
    sameSite: 'lax',
    httpOnly: true,
  });
}

/** Deletes the cookies of a session. */
export function clearSessionCookies(reply: FastifyReply): void {
  for (const name of ['token', 'token.sig', 'XSRF-TOKEN']) {
    void reply.clearCookie(name, { path: '/' });
  }
}
