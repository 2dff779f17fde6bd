import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { secretOf } from '../session/cookies';
import { networkOf } from '../session/throttle';
import { envelopeUrl } from './dsn';
import { parseEnvelope } from './envelope';
import { errorEventOf, keepErrorEvent, listErrorReports } from './errorEvents';
import { createRelay } from './relay';

/** security.md 2.9 T1 and T5. A ward shares one address. */
const bodyLimit = 2_097_152;
const perSession = 120;
const perAddress = 600;

/**
 * `POST /monitoring`: error reports of pages, scrubbed once more and passed on to the operator's receiver, or stored
 * here if there is none; and the list of the stored ones. Budgets keep the reports from slowing down the ward.
 */
export async function monitoringRoutes(app: App, { env, store, sessions, now, elapsed, log }: Server): Promise<void> {
  const dsn = env.sentryDsn;
  const relay = dsn === null ? null : createRelay(envelopeUrl(dsn), elapsed);
  const ofSession = createBudget(perSession, now);
  const ofAddress = createBudget(perAddress, now);

  const checkBudget = (request: FastifyRequest): void => {
    const { token } = request.cookies;
    if (!ofAddress(networkOf(request.ip)) || (token !== undefined && !ofSession(token.slice(0, 100)))) {
      throw new HttpError(429, 'too_many_reports', 'Too many error reports within a minute.', { retryAfter: 60 });
    }
  };

  await app.register(async (scope) => {
    // An envelope has its own format; browsers send it with different content types.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => {
      done(null, body);
    });
    await Promise.resolve();
    scope.post(
      '/monitoring',
      {
        bodyLimit,
        schema: { hide: true },
        onRequest: (request, _reply, done) => {
          checkBudget(request);
          done();
        },
      },
      async (request: FastifyRequest, reply: FastifyReply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const envelope = parseEnvelope(body, dsn);
        if (relay !== null) {
          if (envelope.items.length === 0) {
            return await reply.code(200).send();
          }
          const { status, retryAfter, rateLimits } = await relay.send(envelope);
          if (retryAfter !== null) {
            void reply.header('Retry-After', retryAfter);
          }
          if (rateLimits !== null) {
            void reply.header('X-Sentry-Rate-Limits', rateLimits);
          }
          return await reply.code(status).send();
        }
        const siteId = sessions.find(request.cookies.token, secretOf(request, env))?.user.siteId ?? null;
        for (const { event } of envelope.items) {
          if (event !== null) {
            await keepErrorEvent(store.db, now(), errorEventOf(event), siteId);
          }
        }
        return await reply.code(200).send();
      },
    );
  });

  on(app, 'listErrors', async (request) => {
    const items = dsn === null ? await listErrorReports(store.db, sessionOf(request).user.siteId) : [];
    return { items, total: items.length, isPassedOn: dsn !== null };
  });
  log.info({ errorReports: dsn === null ? 'kept here' : 'passed on' }, 'error reports');
}
