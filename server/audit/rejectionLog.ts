import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Store } from '../db/open';
import type { HttpError } from '../http/httpError';
import { actorOf } from './actor';
import { createOnce } from './once';

/** The statuses of calls for which the user has no permission. */
const recorded = new Set([403, 404, 423]);
const onceInMs = 60_000;

/**
 * Returns a function that audits rejected calls of signed-in users by route pattern: at most one row a minute for each
 * session and route, so that no one can flood the audit. If the row cannot be written, that is logged and the call is
 * still rejected.
 */
export function createRejectionLog(
  store: Store,
  log: Logger,
  { now, elapsed }: { now: () => EpochMs; elapsed: () => number },
): (request: FastifyRequest, error: HttpError) => Promise<void> {
  const once = createOnce(elapsed, onceInMs);
  return async (request, { status, code }) => {
    const { session, method } = request;
    const { url, config } = request.routeOptions;
    if (session === null || url === undefined || config.policy === undefined || !recorded.has(status)) {
      return;
    }
    const route = `${method} ${url}`;
    const id = /^\/api\/v2\/patients\/([1-9]\d{0,14})(\/|\?|$)/.exec(request.url)?.[1];
    const about = id === undefined ? {} : { objectType: 'patient' as const, objectId: Number(id) };
    try {
      await once(`${session.token} ${route}`, () =>
        audit(store.db, now(), actorOf(request), {
          action: 'refused_call',
          outcome: 'refused',
          ...about,
          details: { route, code },
        }),
      );
    } catch (error) {
      log.error(
        { requestId: request.id, code: error instanceof Error ? error.name : 'unknown' },
        'a rejected call could not be recorded',
      );
    }
  };
}
