import { itemTypes, writeEnvelope, type Envelope } from './envelope';

const atOnce = 4;
const mostWaiting = 50;
const timeoutMs = 5_000;
/** The failures in a row after which no call is made to the receiver for `restMs`. */
const failuresUntilRest = 5;
const restMs = 30_000;

/** What a page gets back: a status and possibly how long to wait, but nothing of the receiver's body. */
export interface RelayResponse {
  status: 200 | 413 | 429 | 503;
  retryAfter: string | null;
  rateLimits: string | null;
}

export interface Relay {
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
export function createRelay(url: string, elapsed: () => number): Relay {
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
