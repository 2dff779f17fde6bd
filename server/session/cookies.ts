import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { xsrfTokenOf } from '../http/csrf';
import { isOverHttps } from '../http/requireHttps';
import type { Session } from './session';
import { lifetimeOf } from './sessionTimes';
import { browserKnownMs } from './throttle';

type Transport = Pick<Env, 'publicUrl'>;

/**
 * Returns the name of the cookie with a session's secret. Over HTTPS it has the prefix with which a browser takes it
 * from this host alone: no other host of the domain, and no one on the way of a plain request, can plant a session. The
 * product specification fixes the names of the other two.
 */
export const secretCookie = (isHttps: boolean): string => (isHttps ? '__Host-token.sig' : 'token.sig');

/** Returns the secret of a session that a request carries. */
export function secretOf(request: FastifyRequest, env: Transport): string | undefined {
  return request.cookies[secretCookie(isOverHttps(request, env))];
}

/** Sets the cookies of a session: both halves of its token and the XSRF token. */
export function setSessionCookies(
  reply: FastifyReply,
  request: FastifyRequest,
  env: Transport,
  { session, secret }: { session: Session; secret: string },
): void {
  const secure = isOverHttps(request, env);
  const shared = { path: '/', secure, maxAge: lifetimeOf(session.user) / 1000 };
  void reply
    .setCookie('token', session.token, { ...shared, sameSite: 'lax' })
    .setCookie(secretCookie(secure), secret, { ...shared, sameSite: 'lax', httpOnly: true })
    .setCookie('XSRF-TOKEN', xsrfTokenOf(secret), { ...shared, sameSite: 'strict' });
}

/**
 * Sets the cookie which says that this user has signed in with this browser. It outlives the session and proves nothing
 * by itself.
 */
export function setKnownCookie(reply: FastifyReply, request: FastifyRequest, env: Transport, secret: string): void {
  const maxAge = browserKnownMs / 1000;
  void reply.setCookie('known', secret, {
    path: '/',
    secure: isOverHttps(request, env),
    maxAge,
    sameSite: 'lax',
    httpOnly: true,
  });
}

/** Deletes the cookies of a session. */
export function clearSessionCookies(reply: FastifyReply, request: FastifyRequest, env: Transport): void {
  const secure = isOverHttps(request, env);
  for (const name of ['token', secretCookie(secure), 'XSRF-TOKEN']) {
    void reply.clearCookie(name, { path: '/', secure });
  }
}
