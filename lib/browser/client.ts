import axios, { AxiosHeaders, type AxiosResponse } from 'axios';
import Cookies from 'js-cookie';
import type { z } from 'zod';
import { causeOf } from '../api/failureCause';
import { parseResponse } from '../api/parseResponse';
import type { CallName, CallTable } from '../api/calls';
import type { Declaration } from '../api/declaration';
import { alertPathHeader, notStoredHeader } from '../alerts/alertPath';
import type { AlertConflict } from '../alerts/schema';
import { noteAlertPathHeaders } from './alertPath';
import { noteCallEnd, noteRequest } from './connectionLog';
import { nextTask } from '../nextTask';
import { noteResponse, noteFailure, thisMoment, type Moment } from './serverClock';

/**
 * A call without a usable response. `code` is the server's, or one of `clientCodes`; `status` is null without a
 * response.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: string;
  readonly status: number | null;
  /** The fields of the request that are wrong, and why. */
  readonly fields: Readonly<Record<string, string>>;
  /** The row that causes a conflict. */
  readonly id: number | null;
  /** The rows that the same call has to name to succeed. */
  readonly confirm: readonly number[];
  /** The alert as it is now, if an action on it was refused because it has changed. */
  readonly conflict: AlertConflict | null;
  /** The entry of a chart as it is now, unparsed, if it has changed (lib/chart/changedEntryOf). */
  readonly entry: unknown;
  /** How long the server asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** How many more wrong years of birth a check-in link takes. */
  readonly triesLeft: number | null;

  constructor(
    code: string,
    message: string,
    more: {
      status?: number;
      fields?: Record<string, string>;
      id?: number;
      confirm?: readonly number[];
      conflict?: AlertConflict | null;
      entry?: unknown;
      retryAfterMs?: number | null;
      triesLeft?: number | null;
    } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? null;
    this.fields = more.fields ?? {};
    this.id = more.id ?? null;
    this.confirm = more.confirm ?? [];
    this.conflict = more.conflict ?? null;
    this.entry = more.entry;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.triesLeft = more.triesLeft ?? null;
  }

  /** Whether the server may have carried the call out: the request left, and no response could be read. */
  get isOutcomeUnknown(): boolean {
    return (
      this.code === 'no_response' ||
      this.code === 'aborted' ||
      (this.code === 'unreadable_response' && this.status !== null && (this.status < 400 || this.status >= 500))
    );
  }

  /** Returns what may be logged: never a message, which could name a patient. */
  forLog(): { code: string; status?: number } {
    return this.status === null ? { code: this.code } : { code: this.code, status: this.status };
  }
}

/** The failures that the page itself detects, with the text on the screen. */
export const clientCodes = {
  unreachable: 'The server cannot be reached.',
  no_response: 'The connection was lost before the server answered.',
  aborted: 'The server did not answer in time.',
  unreadable_response: 'The server’s response could not be read.',
} as const;

/** Returns one of the page's own failures. */
export function clientFailure(code: keyof typeof clientCodes, status?: number): ApiFailure {
  return new ApiFailure(code, clientCodes[code], { status });
}

/** Returns an error as the failure that forms and logs take. */
export function asFailure(problem: unknown): ApiFailure {
  return problem instanceof ApiFailure ? problem : clientFailure('unreadable_response');
}

type Part<Name extends CallName, Key extends string> =
  CallTable[Name] extends Readonly<Record<Key, infer Schema extends z.ZodType>> ? z.input<Schema> : never;
/** The parts of a request, each required if the route has it. */
type Given<Name extends CallName> = {
  [Key in 'params' | 'query' | 'body' as Key extends keyof CallTable[Name] ? Key : never]: Key extends 'params'
    ? { [Param in keyof Part<Name, Key>]: string | number }
    : Part<Name, Key>;
};
export type CallInput<Name extends CallName> = Given<Name> & { signal?: AbortSignal };
export type CallResponse<Name extends CallName> = z.output<CallTable[Name]['response']>;
/** A response with the server's time at which it was made (epoch milliseconds), or null if a proxy dropped it. */
export interface Reply<Name extends CallName> {
  data: CallResponse<Name>;
  serverTime: number | null;
}

/** The product spec, section 7. `withXSRFToken` stays unset, so that the token goes to our own origin only. */
const http = axios.create({
  baseURL: '/',
  allowAbsoluteUrls: false,
  headers: { 'Content-Type': 'application/json' },
  xsrfCookieName: 'XSRF-TOKEN',
  xsrfHeaderName: 'X-XSRF-TOKEN',
  timeout: 0,
  validateStatus: (status) => status >= 200 && status <= 299,
});

/** Calls that start or end a session: their callers know what a 401 means (a wrong password, no session to end). */
const sessionCalls: ReadonlySet<CallName> = new Set<CallName>(['signIn', 'signUp', 'setup', 'signOut']);

/** Calls that replace the session of this browser by another one. */
const replacingCalls: ReadonlySet<CallName> = new Set<CallName>([
  'signIn',
  'signUp',
  'setup',
  'unlock',
  'confirmPassword',
  'changePassword',
]);
/** Those that wait for their response. */
const replacing = new Set<Promise<unknown>>();

let unauthorized: (() => void) | null = null;

/** Sets what happens when the server no longer knows this browser's session; returns the function that removes it. */
export function onUnauthorized(handle: () => void): () => void {
  unauthorized = handle;
  return () => {
    if (unauthorized === handle) {
      unauthorized = null;
    }
  };
}

let locked: (() => void) | null = null;

/**
 * Sets what happens when the server says that this browser's session is locked; returns the function that removes it.
 */
export function onLocked(handle: () => void): () => void {
  locked = handle;
  return () => {
    if (locked === handle) {
      locked = null;
    }
  };
}

/** Makes the call of this name in the endpoint table and returns its parsed response; throws only `ApiFailure`. */
export async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResponse<Name>> {
  return (await ask(name, input)).data;
}

/** Does the same and adds the server's time of the response. */
export async function ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Reply<Name>> {
  const sent = thisMoment();
  const token = Cookies.get('token');
  const exchanging = exchange(name, input, sent);
  if (replacingCalls.has(name)) {
    replacing.add(exchanging);
  }
  try {
    const reply = await exchanging;
    noteCallEnd(null);
    return reply;
  } catch (problem) {
    const failure = await toFailure(problem);
    const cause = causeOf(failure);
    noteFailure(cause);
    noteCallEnd(cause);
    const isLocked = failure.code === 'session_locked';
    if (isLocked || (saysSignedOut(failure) && !sessionCalls.has(name))) {
      // A 401 or 423 of a session that has been replaced meanwhile, or is just being replaced, must not end or lock the
      // new one.
      await Promise.allSettled(replacing);
      if (token === Cookies.get('token')) {
        (isLocked ? locked : unauthorized)?.();
      }
    }
    throw failure;
  } finally {
    replacing.delete(exchanging);
  }
}

/**
 * Returns whether the server itself says that it knows no session of this browser. A 401 without our error body comes
 * from a proxy, and a wrong password ends no session. A call without a token counts too: the cookie may have expired on
 * an open page.
 */
function saysSignedOut({ status, code }: ApiFailure): boolean {
  return status === 401 && code !== 'wrong_password' && code !== 'unreadable_response';
}

async function exchange<Name extends CallName>(name: Name, input: CallInput<Name>, sent: Moment): Promise<Reply<Name>> {
  const { route, response: schema } = await routeOf(name);
  const given: { params?: Record<string, string | number>; query?: unknown; body?: unknown; signal?: AbortSignal } =
    input;
  let hasLeft = false;
  const response: AxiosResponse<unknown> = await http
    .request({
      method: route.method,
      url: fill(route.path, given.params ?? {}),
      params: given.query,
      data: given.body,
      signal: given.signal,
      // The browser says nothing of a body that it could not send.
      onUploadProgress: ({ loaded, total }) => {
        hasLeft = loaded === total;
      },
      ...(given.body instanceof Blob ? { headers: { 'Content-Type': given.body.type } } : {}),
    })
    .catch((problem: unknown) => {
      const isLost = axios.isAxiosError(problem) && !axios.isCancel(problem) && problem.response === undefined;
      throw hasLeft && isLost ? clientFailure('no_response') : problem;
    });
  noteHeaders(response);
  // A response without a body reaches us as an empty text.
  const { data } = await parseResponse(schema, response.data === '' ? null : response.data);
  if (data === undefined) {
    throw clientFailure('unreadable_response', response.status);
  }
  const serverTime = serverTimeOf(response);
  if (serverTime !== null) {
    noteResponse(serverTime, sent);
  }
  return { data, serverTime };
}

/** Loaded with the first call, so that the schemas and zod are not part of what a page needs to paint. */
async function routeOf<Name extends CallName>(
  name: Name,
): Promise<{ route: Pick<CallTable[CallName], 'method' | 'path'>; response: z.ZodType<CallResponse<Name>> }> {
  const table = await partOf(name);
  const schemas: { [Each in CallName]?: { response: z.ZodType<CallResponse<Each>> } } = table;
  const route = table[name];
  const response = schemas[name]?.response;
  if (route === undefined || response === undefined) {
    throw new Error(`No call is named ${name}`);
  }
  return { route, response };
}

/** Returns which read a call changes, as its declaration says; undefined if none. */
export async function changesOf(name: CallName): Promise<Declaration['changes']> {
  const declared: Declaration | undefined = (await partOf(name))[name];
  return declared?.changes;
}

/** The groups of calls that have been read. */
const groups = new Set<Partial<CallTable>>();

async function partOf(name: CallName): Promise<Partial<CallTable>> {
  for (const group of groups) {
    if (name in group) {
      return group;
    }
  }
  const { firstSchemas } = await import('../api/firstSchemas');
  const group = await firstSchemas.callGroup(name);
  groups.add(group);
  // All first calls of a page wait for this. Made in the task that has read the schemas, they would be one long task.
  await nextTask();
  return group;
}

function fill(path: string, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])));
}

function header(response: AxiosResponse, name: string): string | null {
  const value = AxiosHeaders.from(response.headers as AxiosHeaders).get(name);
  return typeof value === 'string' ? value : null;
}

function serverTimeOf(response: AxiosResponse): number | null {
  return readNumber(header(response, 'X-Server-Time'));
}

/** Notes what any response says of itself, of the alarm path and of the store, also that of a refused call. */
function noteHeaders(response: AxiosResponse): void {
  noteRequest(header(response, 'X-Request-Id'), response.status);
  const news = { path: header(response, alertPathHeader), notStored: header(response, notStoredHeader) };
  noteAlertPathHeaders(news, serverTimeOf(response)).catch(() => {
    // A part of the page did not load. The next response tries again.
  });
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function toFailure(problem: unknown): Promise<ApiFailure> {
  if (problem instanceof ApiFailure) {
    return problem;
  }
  if (axios.isCancel(problem)) {
    return clientFailure('aborted');
  }
  if (!axios.isAxiosError<unknown>(problem) || problem.response === undefined) {
    return clientFailure('unreachable');
  }
  const { response } = problem;
  noteHeaders(response);
  const { firstSchemas } = await import('../api/firstSchemas');
  const parsed = firstSchemas.errorBody.safeParse(response.data);
  const seconds = readNumber(header(response, 'Retry-After'));
  const retryAfterMs = seconds === null ? null : seconds * 1000;
  if (!parsed.success) {
    // A proxy that limits requests responds with a page of its own.
    return response.status === 429
      ? new ApiFailure('too_many_requests', tooManyRequests(seconds), { status: 429, retryAfterMs })
      : clientFailure('unreadable_response', response.status);
  }
  const { code, message, fields, id, confirm, alert, lastAct, entry, triesLeft } = parsed.data.error;
  if (code === 'starting') {
    // It has read nothing of the call: to the page it is away until it is ready.
    return clientFailure('unreachable');
  }
  // Without its schema the refusal still says why.
  const conflict = alert === undefined ? null : await firstSchemas.readRefusal(alert, lastAct).catch(() => null);
  const { status } = response;
  return new ApiFailure(code, message, { status, fields, id, confirm, conflict, entry, retryAfterMs, triesLeft });
}

function tooManyRequests(seconds: number | null): string {
  return `Too many requests. Try again ${seconds === null ? 'later' : `in ${seconds} s`}.`;
}
