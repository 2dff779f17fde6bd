import { alertsStoppedSince } from '../alerts/alertPath';
import type { AlertPathNews } from '../alerts/alertPathSchema';
import type { EpochMs } from '../time/epochMs';
import { elapsedSince, thisMoment, type Moment } from './serverClock';

/**
 * What the server said of the alarm path is continued for this long, in milliseconds. Polls and events bring news every
 * 5 s. Older news say nothing about now: the page is not live then, or this machine slept.
 */
const continuedForMs = 6_000;

let newest: (AlertPathNews & { received: Moment }) | null = null;

/**
 * Takes the headers `X-Alert-Path` and `X-Not-Stored-Since` of a response of any status, and the server's time of it
 * (epoch milliseconds). Without the first or the time, or if something else wrote them, it changes nothing.
 */
export async function noteAlertPathHeaders(
  { path: text, notStored }: { path: string | null; notStored: string | null },
  serverTime: EpochMs | null,
): Promise<void> {
  if (text !== null && serverTime !== null) {
    const received = thisMoment();
    const { firstSchemas } = await import('../api/firstSchemas');
    const { data: path } = firstSchemas.alertPathHeaderValue.safeParse(text);
    const { data: notStoredSince = null } = firstSchemas.notStoredHeaderValue.safeParse(notStored);
    if (path !== undefined) {
      note({ path, notStoredSince, serverTime }, received);
    }
  }
}

/** Takes the data of an event `alertPath`. */
export async function noteAlertPathEvent(data: unknown): Promise<void> {
  const received = thisMoment();
  // Loaded with the first news, so that zod is not part of what a page needs to paint.
  const { firstSchemas } = await import('../api/firstSchemas');
  const news = typeof data === 'string' ? firstSchemas.parseAlertPathEvent(data) : null;
  if (news !== null) {
    note(news, received);
  }
}

/**
 * Returns since when no alerts can be raised, by the newest that the server said (epoch milliseconds); null while they
 * can, or if it has said nothing yet.
 */
export function alertsStopped(): EpochMs | null {
  if (newest === null) {
    return null;
  }
  const { path, serverTime, received } = newest;
  return alertsStoppedSince(path, serverTime + Math.min(elapsedSince(received), continuedForMs));
}

/**
 * Returns since when the server can store nothing, by the newest that it said (epoch milliseconds); null while it can,
 * or if it has said nothing yet.
 */
export function notStoredSince(): EpochMs | null {
  return newest?.notStoredSince ?? null;
}

/**
 * Keeps the news of the latest server time: what a proxy held back is no news. Once nothing newer came for a while, any
 * counts, because the server's clock may have been set back.
 */
function note(news: AlertPathNews, received: Moment): void {
  if (newest === null || news.serverTime >= newest.serverTime || elapsedSince(newest.received) > continuedForMs) {
    newest = { ...news, received };
  }
}
