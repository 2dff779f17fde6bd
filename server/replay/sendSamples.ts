import { z } from 'zod';
import { errorBody } from '../../lib/api/errorBody';
import { vitalsCalls } from '../../lib/vitals/calls';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { ingestResponse, type IngestResponse } from '../../lib/vitals/schema';
import type { DueSample } from './feed';

/** The clock of the replay; tests have their own. */
export interface Clock {
  now: () => EpochMs;
  /** Waits for the milliseconds or until the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The server and the device as which the replay sends. */
export interface Target {
  /** Such as http://127.0.0.1:3000. */
  url: URL;
  /** The device's bearer token. */
  token: string;
}

export type Sent =
  | { outcome: 'answered'; response: IngestResponse }
  /** The server rejects this call, also when it is repeated. */
  | { outcome: 'refused'; status: number; code: string; message: string }
  | { outcome: 'stopped' };

/** A server that hangs counts as down. This is well above the time of the largest batch. */
const timeoutMs = 30_000;
const firstWaitMs = 1_000;
const longestWaitMs = 10_000;

/** The reason of a failed connection is in the error's cause; a timeout has a name instead. */
const networkFailure = z.union([
  z.object({ cause: z.object({ code: z.string() }) }).transform(({ cause }) => cause.code),
  z.object({ cause: z.object({ message: z.string() }) }).transform(({ cause }) => cause.message),
  z.object({ name: z.string() }).transform(({ name }) => name),
]);

/**
 * Sends one batch through the ingest call and repeats it until the server has responded, as a device has to that must
 * not lose anything: after a network error, a timeout, 408, 429 or any 5xx. It waits as long as `Retry-After` says,
 * else 1 s doubling to 10 s, and reports why through `onWait`. The call is idempotent, so the samples are the same each
 * time. `sentAt` is the device's clock at that attempt, from which the server learns how wrong the clock is.
 */
export async function sendSamples(
  { url, token }: Target,
  samples: readonly DueSample[],
  clock: Clock,
  signal: AbortSignal,
  onWait: (reason: string, waitMs: number) => void,
): Promise<Sent> {
  const wire = samples.map(({ mrn, kind, value, quality, takenAt }) => ({
    mrn,
    kind,
    value,
    takenAt: toInstant(takenAt),
    quality,
  }));
  for (let attempt = 0; ; attempt += 1) {
    const tried = await attemptOnce(
      url,
      token,
      JSON.stringify({ sentAt: toInstant(clock.now()), isRecording: true, samples: wire }),
      signal,
    );
    if (signal.aborted) {
      return { outcome: 'stopped' };
    }
    if (tried.outcome !== 'again') {
      return tried;
    }
    const waitMs = readRetryAfter(tried.retryAfter, clock.now()) ?? Math.min(firstWaitMs * 2 ** attempt, longestWaitMs);
    onWait(tried.reason, waitMs);
    await clock.sleep(waitMs, signal);
    if (signal.aborted) {
      return { outcome: 'stopped' };
    }
  }
}

type Tried = Exclude<Sent, { outcome: 'stopped' }> | { outcome: 'again'; reason: string; retryAfter: string | null };

async function attemptOnce(url: URL, token: string, body: string, signal: AbortSignal): Promise<Tried> {
  const { method, path } = vitalsCalls.ingestVitals;
  let response: Response;
  let text: string;
  try {
    response = await fetch(new URL(path, url), {
      method,
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      // The token is for the named server, not for the target of a redirect.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await response.text();
  } catch (failure) {
    return { outcome: 'again', reason: networkReason(failure), retryAfter: null };
  }
  const { status } = response;
  if (status === 408 || status === 429 || status >= 500) {
    return {
      outcome: 'again',
      reason: `the server answers ${status}`,
      retryAfter: response.headers.get('retry-after'),
    };
  }
  const json = readJson(text);
  const expected = ingestResponse.safeParse(json);
  if (status === vitalsCalls.ingestVitals.status && expected.success) {
    return { outcome: 'answered', response: expected.data };
  }
  const error = errorBody.safeParse(json);
  return error.success
    ? { outcome: 'refused', status, code: error.data.error.code, message: error.data.error.message }
    : { outcome: 'refused', status, code: 'unknown_response', message: 'this is not how a Wardlight server answers' };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function networkReason(failure: unknown): string {
  const reason = networkFailure.safeParse(failure);
  return reason.success ? `no answer (${reason.data})` : 'no answer';
}

/**
 * Returns the milliseconds to wait after a `Retry-After` header (seconds or an HTTP date), or null if there is none.
 */
export function readRetryAfter(header: string | null, now: EpochMs): number | null {
  if (header === null) {
    return null;
  }
  if (/^\d{1,9}$/.test(header)) {
    return Number(header) * 1_000;
  }
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
