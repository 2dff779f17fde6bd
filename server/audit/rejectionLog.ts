import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Store } from '../db/open';
import { createBudget } from '../http/budget';
import type { HttpError } from '../http/httpError';
import { actorOf } from './actor';
import { createOnce } from './once';
import { askedFor, subjectOf } from './subjectOf';

/** The statuses of calls for which the user has no permission. */
const recorded = new Set([403, 404, 423]);
const onceInMs = 60_000;

/** The most rows a minute that one session leaves at what it asks for. A caller who asks for more is guessing ids. */
const subjectsAMinute = 60;

/**
 * Returns a function that audits rejected calls of signed-in users, in two rows.
 *
 * The caller's site has the route pattern alone: at most one row a minute for each session and route, so that no one
 * can flood the audit. The site of what was asked for has a sealed row (`refused_subject`) with its subject: readers of
 * another site than the caller's learn no more of the caller, and the caller does not see it. If there is no such row
 * it is written without a site: a gap in the numbers of the caller's rows would say whether there is one.
 *
 * If a row cannot be written, that is logged and the call is still rejected.
 */
export function createRejectionLog(
  store: Store,
  log: Logger,
  { now, elapsed }: { now: () => EpochMs; elapsed: () => number },
): (request: FastifyRequest, error: HttpError) => Promise<void> {
  const once = createOnce(elapsed, onceInMs);
  const mayWrite = createBudget(subjectsAMinute, elapsed);
  return async (request, { status, code }) => {
    const { session, method } = request;
    const { url, config } = request.routeOptions;
    if (session === null || url === undefined || config.policy === undefined || !recorded.has(status)) {
      return;
    }
    const route = `${method} ${url}`;
    const actor = actorOf(request);
    try {
      await once(`${session.token} ${route}`, () =>
        audit(store.db, now(), actor, { action: 'refused_call', outcome: 'refused', details: { route, code } }),
      );
      // From a locked screen or a foreign page every call is refused, whatever it asks for.
      for (const asked of status === 423 || code === 'xsrf' ? [] : askedFor(url, request)) {
        await once(`${session.token} ${asked.of} ${asked.id}`, async () => {
          if (mayWrite(session.token)) {
            const { siteId, about } = await subjectOf(store.db, asked);
            const event = { action: 'refused_subject', outcome: 'refused', ...about, details: { route } } as const;
            await audit(store.db, now(), { ...actor, siteId }, event);
          }
        });
      }
    } catch (error) {
      log.error(
        { requestId: request.id, code: error instanceof Error ? error.name : 'unknown' },
        'a rejected call could not be recorded',
      );
    }
  };
}
