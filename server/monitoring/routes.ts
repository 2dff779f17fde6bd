import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import type { App, Server } from '../server';
import { secretOf } from '../session/cookies';
import { networkOf } from '../session/throttle';
import { envelopeUrl } from './dsn';
import { parseEnvelope, itemTypes, writeEnvelope, type Envelope } from './envelope';
import { errorEventOf, keepErrorEvent, listErrorReports } from './errorEvents';

const atOnce = 4;
const mostWaiting = 50;
const timeoutMs = 5_000;
/** The failures in a row after which no call is made to the receiver for `restMs`. */
const failuresUntilRest = 5;
const restMs = 30_000;

/** What a page gets back: a status and possibly how long to wait, but nothing of the receiver's body. */
interface RelayResponse {
  status: 200 | 413 | 429 | 503;
  retryAfter: string | null;
  rateLimits: string | null;
}

interface Relay {
  /** Passes an envelope on as soon as a connection is free. Never rejects. */
  send(envelope: Envelope): Promise<RelayResponse>;
}

interface Waiting {
  envelope: Envelope;
  /** The index of its most important item in `itemTypes`. */
  rank: number;
  respond: (response: RelayResponse) => void;
}

const busy = (seconds: number): RelayResponse => ({ status: 503, retryAfter: String(seconds), rateLimits: null });

/**
 * Creates a relay to the receiver at `url`. It sends four envelopes at once and lets fifty wait; if there are more, it
 * drops the oldest of the least important. A receiver that is down or hangs holds up no page.
 */
function createRelay(url: string, elapsed: () => number): Relay {
  const waiting: Waiting[] = [];
  let running = 0;
  let failures = 0;
  let restsUntil = -Infinity;

  const run = async ({ envelope, respond }: Waiting): Promise<void> => {
    running += 1;
    const got = await post(url, writeEnvelope(envelope));
    running -= 1;
    failures = got === null ? failures + 1 : 0;
    if (failures >= failuresUntilRest) {
      restsUntil = elapsed() + restMs;
      failures = 0;
      for (const left of waiting.splice(0)) {
        left.respond(busy(restMs / 1_000));
      }
    }
    respond(got ?? busy(5));
    next();
  };

  const next = (): void => {
    while (running < atOnce) {
      const first = waiting.shift();
      if (first === undefined) {
        return;
      }
      void run(first);
    }
  };

  return {
    send: (envelope) =>
      new Promise((respond) => {
        if (elapsed() < restsUntil) {
          respond(busy(Math.ceil((restsUntil - elapsed()) / 1_000)));
          return;
        }
        const rank = Math.min(...envelope.items.map(({ type }) => itemTypes.indexOf(type)));
        const place = waiting.findIndex((other) => other.rank > rank);
        waiting.splice(place === -1 ? waiting.length : place, 0, { envelope, rank, respond });
        if (waiting.length > mostWaiting) {
          leastImportant(waiting)?.respond(busy(5));
        }
        next();
      }),
  };
}

/** Removes the oldest of the least important envelopes from the queue and returns it. */
function leastImportant(waiting: Waiting[]): Waiting | undefined {
  const rank = waiting.at(-1)?.rank;
  const place = waiting.findIndex((one) => one.rank === rank);
  return waiting.splice(place, 1)[0];
}

/**
 * Sends the bytes and nothing else of the request. Returns null if the receiver cannot be reached, hangs, or sends an
 * invalid response.
 */
async function post(url: string, body: Buffer): Promise<RelayResponse | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      // Asks for no compression, because the body is not read.
      headers: { 'Content-Type': 'application/x-sentry-envelope', 'Accept-Encoding': 'identity' },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 500 || (status >= 300 && status < 400)) {
      return null;
    }
    return {
      status: status === 413 || status === 429 ? status : 200,
      retryAfter: headerOf(response, 'retry-after', /^\d{1,6}$/),
      rateLimits: headerOf(response, 'x-sentry-rate-limits', /^[\w:;, -]{1,500}$/),
    };
  } catch {
    return null;
  }
}

function headerOf(response: Response, name: string, form: RegExp): string | null {
  const value = response.headers.get(name);
  return value !== null && form.test(value) ? value : null;
}

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
