import type { z } from 'zod';
import type { Policy } from '../session/policy';

/**
 * One call of the API, declared once in `lib/<word>/calls.ts`. The server makes its route from it (`on`), the page its
 * request (`call`), and both parse with its schemas.
 */
export interface Declaration {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:id` and the like are filled from `params`. */
  path: `/api/${string}`;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  who: Policy;
  /** For the documentation of the API. */
  description?: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Media types of a body that is sent as bytes rather than as JSON; the server then gets a Buffer. */
  bytes?: readonly string[];
  /** Sets no limit on the length of its lists, because the browser parses long ones in parts (`parseResponse`). */
  response: z.ZodType;
  /**
   * The read that this call changes: a page that shows it polls it after the call (`useCall`). With `by` the response
   * says what changed, one row of the list or all of it, and is shown at once instead.
   */
  changes?: { read: string; by?: 'row' | 'whole' };
}

export type Calls = Readonly<Record<string, Declaration>>;
