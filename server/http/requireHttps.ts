import type { FastifyRequest } from 'fastify';
import type { Env } from '../env';
import { HttpError } from './httpError';
import { isDirect, loopbackHost } from './isDirect';

/** Probes of this machine's own supervisor or of a load balancer, which speak plain HTTP and carry nothing. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/** Returns whether the operator says that browsers reach this server over HTTPS. */
export function isHttpsOnly({ publicUrl }: Pick<Env, 'publicUrl'>): boolean {
  return publicUrl?.startsWith('https:') === true;
}

/**
 * Returns whether a response has the cookies and headers of HTTPS: always if `PUBLIC_URL` is an https address, because
 * the commonest proxies do not say how the browser came.
 */
export function isOverHttps(request: Pick<FastifyRequest, 'protocol'>, env: Pick<Env, 'publicUrl'>): boolean {
  return isHttpsOnly(env) || request.protocol === 'https';
}

/**
 * Throws 403 `https_needed` if `PUBLIC_URL` is an https address and a request is not known to have come over HTTPS. Let
 * through are probes and direct calls from this machine, whose bytes no network sees.
 */
export function requireHttps(request: FastifyRequest, env: Pick<Env, 'publicUrl'>): void {
  if (isHttpsOnly(env) && request.protocol !== 'https' && !probes.has(request.routeOptions.url) && !isDirect(request)) {
    throw notHttps(request, env.publicUrl);
  }
}

/**
 * Throws 403 `https_needed` if a request from another machine comes over plain HTTP. The browser would drop the
 * cookies, and without Secure anyone on the network could read them.
 */
export function requireSafeTransport(request: FastifyRequest, env: Pick<Env, 'publicUrl' | 'allowHttp'>): void {
  if (request.protocol === 'https' || env.allowHttp || loopbackHost.test(request.host)) {
    return;
  }
  throw isHttpsOnly(env)
    ? notHttps(request, env.publicUrl)
    : new HttpError(
        403,
        'https_needed',
        'Sign in over HTTPS. For a trial on a closed network the operator can set ALLOW_HTTP=true.',
      );
}

/** Says what the operator has to change, because only the proxy knows how the browser came. */
function notHttps({ headers }: FastifyRequest, publicUrl: string | null): HttpError {
  const forwarded = headers['x-forwarded-proto'];
  const text = typeof forwarded === 'string' ? forwarded : '';
  return new HttpError(
    403,
    'https_needed',
    text === ''
      ? `Use ${publicUrl}. If you did: the header X-Forwarded-Proto is missing, which the proxy has to send.`
      : /(^|,)\s*https\s*$/.test(text)
        ? 'The header X-Forwarded-Proto is not believed, because TRUSTED_PROXIES does not name the proxy that sent it.'
        : `Use ${publicUrl}. If you did: the header X-Forwarded-Proto has to say "https".`,
  );
}
