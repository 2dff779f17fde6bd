/** A refusal as a value: thrown by routes and commands, turned into JSON in `errors.ts` alone. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field, by its path. */
  readonly fields: Record<string, string> | undefined;
  /** The row that is in the way, where the caller may know it. */
  readonly id: number | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { fields?: Record<string, string>; id?: number; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = more.fields;
    this.id = more.id;
    this.retryAfter = more.retryAfter;
  }
}

/** One answer for a row that does not exist and for a row of another site: nobody can tell them apart. */
export const notFound = (): HttpError => new HttpError(404, 'not_found', 'There is nothing at this address.');
export const forbidden = (): HttpError => new HttpError(403, 'forbidden', 'Your account may not do this.');
export const locked = (): HttpError =>
  new HttpError(423, 'session_locked', 'The screen is locked. Unlock it with your password.');
export const signedOut = (): HttpError => new HttpError(401, 'signed_out', 'Sign in first.');
