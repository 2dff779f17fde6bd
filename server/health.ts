import { sql } from 'kysely';
import type { FastifyRequest } from 'fastify';
import type { App, Server } from './server';
import { untilHung } from './db/untilHung';
import { createBudget } from './http/budget';
import { alive } from './http/headers';
import { sameText } from './http/csrf';
import { HttpError } from './http/httpError';
import { isDirect } from './http/isDirect';
import { networkOf } from './session/throttle';

/** The most reports of one address that are logged in a minute. Further ones are accepted but not logged. */
const loggedAMinute = 60;
/** A store that does not respond within this many milliseconds is not ready. */
const readyWithinMs = 1_000;
const reportTypes = ['application/csp-report', 'application/reports+json'];

/**
 * Throws 403 `metrics_closed` unless a call comes from this machine or carries the operator's token: the
 * numbers of patients and alerts are for operators alone.
 */
function requireMetricsReader(request: FastifyRequest, token: string | null): void {
  const sent = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!isDirect(request) && (token === null || !sameText(sent, token))) {
    throw new HttpError(
      403,
      'metrics_closed',
      'Ask from the server’s own machine and past the proxy, or send METRICS_TOKEN as a bearer token.',
    );
  }
}

/** Adds the health check. It uses no session, store or log, so that it reports on the process only. */
export function aliveRoute(app: App): void {
  app.get('/healthz', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(alive),
  );
}

/** Adds the routes for operators (readiness, metrics) and for the browsers' reports of blocked content. */
export function healthRoutes(app: App, { env, store, storage, metrics, alertPath, now }: Server): void {
  const isLogged = createBudget(loggedAMinute, now);

  app.get('/readyz', { schema: { hide: true } }, async () => {
    try {
      await untilHung(readyWithinMs, () => sql`SELECT 1`.execute(store.db));
    } catch {
      throw new HttpError(503, 'storage_unavailable', 'The store does not answer.', { retryAfter: 2 });
    }
    if (storage.notStoredSince() !== null) {
      throw new HttpError(503, 'storage_unavailable', 'The store answers, but takes no writes.', { retryAfter: 2 });
    }
    if (alertPath.stoppedSince() !== null) {
      throw new HttpError(503, 'alerts_not_running', 'The store answers, but no alert can be raised now.', {
        retryAfter: 2,
      });
    }
    return { status: 'ready' };
  });

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsReader(request, env.metricsToken);
    return await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser(reportTypes, { parseAs: 'string', bodyLimit: 16_384 }, (_request, body, parsed) => {
      parsed(null, body);
    });
    // The report itself may contain an address, so only the fact is logged.
    scope.post('/api/csp-report', { schema: { hide: true } }, async (request, reply) => {
      if (isLogged(networkOf(request.ip))) {
        request.log.warn('a browser reported blocked content');
      }
      return await reply.code(204).send(null);
    });
    done();
  });
}
