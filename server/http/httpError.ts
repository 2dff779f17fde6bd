import type { AlertConflict } from '../../lib/alerts/schema';
import type { WrittenEntry } from '../../lib/chart/schema';

/** What an error says besides its code and its message. */
interface ErrorDetails {
  /** What is wrong, by the path of the field. */
  fields?: Record<string, string>;
  /** The id of the conflicting row, if the caller may know it. */
  id?: number;
  /** The rows that the same call has to name to succeed. */
  confirm?: number[];
  /** The alert on which an action was refused because it has changed. */
  conflict?: AlertConflict;
  /** The entry of a chart that another user has changed, as it is now. */
  entry?: WrittenEntry;
  /** How many more wrong years of birth a check-in link takes. */
  triesLeft?: number;
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
}

/** An error that becomes an HTTP response. Routes and commands throw it; only `errors.ts` turns it into JSON. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** The same error for a missing row and for a row of another site, so that a caller cannot distinguish them. */
export const notFound = (): HttpError => new HttpError(404, 'not_found', 'There is nothing at this address.');
export const forbidden = (): HttpError => new HttpError(403, 'forbidden', 'Your account may not do this.');
/** What a call says that cannot be: `fields`, what is wrong, by the path of the field. Without a message the first. */
export const invalid = (
  fields: Record<string, string>,
  message = Object.entries(fields)[0]?.join(': ') ?? '',
): HttpError => new HttpError(422, 'invalid', message, { fields });
/** More of one kind than any person makes in a minute. */
export const tooManyRequests = (message: string): HttpError =>
  new HttpError(429, 'too_many_requests', message, { retryAfter: 60 });
export const locked = (): HttpError =>
  new HttpError(423, 'session_locked', 'The screen is locked. Unlock it with your password.');
export const signedOut = (): HttpError => new HttpError(401, 'signed_out', 'Sign in first.');
