/** A refusal as a value: thrown by routes and commands, turned into JSON in `errors.ts` alone. */
export class Refusal extends Error {
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
export const notFound = (): Refusal => new Refusal(404, 'not_found', 'There is nothing at this address.');
export const forbidden = (): Refusal => new Refusal(403, 'forbidden', 'Your account may not do this.');
export const locked = (): Refusal =>
  new Refusal(423, 'session_locked', 'The screen is locked. Unlock it with your password.');
export const signedOut = (): Refusal => new Refusal(401, 'signed_out', 'Sign in first.');
