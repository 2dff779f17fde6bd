import { itemTypes, writeEnvelope, type Envelope } from './envelope';

const atOnce = 4;
const mostWaiting = 50;
const timeoutMs = 5_000;
/** After so many failures in a row the receiver is left alone for a while. */
const failuresUntilRest = 5;
const restMs = 30_000;

/** What a page is told: a status and, where there is one, how long to wait. Nothing of the receiver's body. */
export interface RelayAnswer {
  status: 200 | 413 | 429 | 503;
  retryAfter: string | null;
  rateLimits: string | null;
}

export interface Relay {
  /** Passes an envelope on as soon as one of its few lines is free; never rejects. */
  send(envelope: Envelope): Promise<RelayAnswer>;
}

interface Waiting {
  envelope: Envelope;
  /** The place of its most important item in `itemTypes`. */
  rank: number;
  answer: (answer: RelayAnswer) => void;
}

const busy = (seconds: number): RelayAnswer => ({ status: 503, retryAfter: String(seconds), rateLimits: null });

/**
 * Takes envelopes to the one receiver whose address was made at start. Four at once, fifty wait, the least important
 * and oldest goes first when there are more; a receiver that is down or hangs is felt by nobody. `now` gives epoch
 * milliseconds.
 */
export function createRelay(url: string, now: () => number): Relay {
  const waiting: Waiting[] = [];
  let running = 0;
  let failures = 0;
  let restsUntil = 0;

  const run = async ({ envelope, answer }: Waiting): Promise<void> => {
    running += 1;
    const got = await post(url, writeEnvelope(envelope));
    running -= 1;
    failures = got === null ? failures + 1 : 0;
    if (failures >= failuresUntilRest) {
      restsUntil = now() + restMs;
      failures = 0;
      for (const left of waiting.splice(0)) {
        left.answer(busy(restMs / 1_000));
      }
    }
    answer(got ?? busy(5));
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
      new Promise((answer) => {
        if (now() < restsUntil) {
          answer(busy(Math.ceil((restsUntil - now()) / 1_000)));
          return;
        }
        const rank = Math.min(...envelope.items.map(({ type }) => itemTypes.indexOf(type)));
        const place = waiting.findIndex((other) => other.rank > rank);
        waiting.splice(place === -1 ? waiting.length : place, 0, { envelope, rank, answer });
        if (waiting.length > mostWaiting) {
          leastImportant(waiting)?.answer(busy(5));
        }
        next();
      }),
  };
}

/** Takes the oldest of the least important out of the line. */
function leastImportant(waiting: Waiting[]): Waiting | undefined {
  const rank = waiting.at(-1)?.rank;
  const place = waiting.findIndex((one) => one.rank === rank);
  return waiting.splice(place, 1)[0];
}

/**
 * Sends the bytes and nothing else of the request; null when the receiver is away, hangs, or answers with what is no
 * answer.
 */
async function post(url: string, body: Buffer): Promise<RelayAnswer | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      // Nothing compressed is asked for, and the body is not read.
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
