import { call } from '../lib/browser/client';
import type { KeptCheckIn } from '../lib/checkIn/keptSchema';
import type { CallRequested, OpenedCheckIn, SentCheckIn } from '../lib/checkIn/schema';

/** What opens a link: its secret, which is kept in memory alone, and the patient's year of birth. */
export interface LinkKey {
  secret: string;
  yearOfBirth: number;
}

/** A phone may believe for minutes that it has a network. After so many milliseconds the page says otherwise. */
const mostWaitMs = 10_000;

async function withinWait<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), mostWaitMs);
  try {
    return await ask(waiting.signal);
  } finally {
    clearTimeout(timer);
  }
}

const instantOf = (epochMs: number): string => new Date(epochMs).toISOString();

/** Opens a link. Throws `ApiFailure`, as do the others. */
export async function openCheckIn(key: LinkKey): Promise<OpenedCheckIn> {
  return await withinWait((signal) => call('openCheckIn', { body: { ...key }, signal }));
}

/**
 * Sends a check-in that was made so many milliseconds ago. The phone's clock at this moment goes with it, so that the
 * server knows how wrong it is.
 */
export async function sendCheckIn(
  key: LinkKey,
  { clientId, answers }: KeptCheckIn,
  ageMs: number,
): Promise<SentCheckIn> {
  const sentAt = Date.now();
  const body = { ...key, clientId, reportedAt: instantOf(sentAt - ageMs), sentAt: instantOf(sentAt), ...answers };
  return await withinWait((signal) => call('sendCheckIn', { body, signal }));
}

/** Asks the ward to call. The same `clientId` again, after a lost response, asks nothing twice. */
export async function requestCall(key: LinkKey, clientId: string): Promise<CallRequested> {
  const body = { ...key, clientId, sentAt: instantOf(Date.now()) };
  return await withinWait((signal) => call('requestCall', { body, signal }));
}
