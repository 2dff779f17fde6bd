import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { audit } from '../audit';
import type { Store } from '../db/open';
import type { HttpError } from '../http/httpError';
import { actorOf } from './actor';
import { createOnce } from './once';

/** What tells of somebody who reaches for what is not theirs. */
const noted = new Set([403, 404, 423]);
const onceInMs = 60_000;

/**
 * Returns what puts refusals of signed-in users on record, by the route's pattern: one a session, route and minute, so
 * that nobody floods the audit. One that cannot be written is logged: nothing was done that would have to be undone.
 */
export function createRefusalLog(
  store: Store,
  log: Logger,
  now: () => number,
): (request: FastifyRequest, refusal: HttpError) => Promise<void> {
  const once = createOnce(now, onceInMs);
  return async (request, { status, code }) => {
    const { session, method } = request;
    const { url, config } = request.routeOptions;
    if (session === null || url === undefined || config.policy === undefined || !noted.has(status)) {
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
        'a refusal could not be recorded',
      );
    }
  };
}
