import { ApiFailure } from '../lib/browser/client';
import type { CallName } from '../lib/api/calls';
import type { CallInput, CallResponse } from '../lib/browser/client';
import type { Outside } from './browserEnvironment';
import { wardNow } from './inventedWard';
import type { Caller } from './testServer';

/**
 * The network between a page and the server, in tests of screens and hooks: requests go to the real server of this
 * process (`connect`), or to what a test says instead (`answer`), and the faults of a network can be put between. So
 * hooks, store, calls and their schemas run as in the product; no test replaces a module of ours for that. Everything
 * ends with its test.
 */

declare global {
  var outside: Outside;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A request that has left the page. */
export interface SentCall<Name extends CallName = CallName> {
  name: Name;
  input: CallInput<Name>;
}

/** What a test answers to a call; it may throw `ApiFailure`, which the page then gets. */
type Answering<Name extends CallName> = (input: CallInput<Name>) => CallResponse<Name> | Promise<CallResponse<Name>>;
export type Answers = { [Name in CallName]?: Answering<Name> };

interface Fault {
  name: CallName | null;
  isOnce: boolean;
  put: (carryOut: () => Promise<Answer>) => Promise<Answer>;
}

const none = { caller: null, isLost: false, moving: 0, held: 0 };
let state: { caller: Caller | null; isLost: boolean; moving: number; held: number } = { ...none };
let answers = new Map<CallName, (input: never) => unknown>();
let faults: Fault[] = [];
let sent: SentCall[] = [];

/** There is no answer at all: the request has not left the page, or it has and the answer was lost. */
class NoAnswer extends Error {
  constructor(readonly hasLeft: boolean) {
    super();
  }
}

/** Lets this page be that of a user of the real server, with the cookies of the user's session. */
export function connect(caller: Caller): void {
  state.caller = caller;
  const hidden = (name: string): string => (name.endsWith('token.sig') ? '; HttpOnly' : '');
  outside.takeCookies(Object.entries(caller.cookies).map(([name, value]) => `${name}=${value}; Path=/${hidden(name)}`));
}

/** Says what the server answers to some calls, in place of a real one. Each answer must be one that it can give. */
export function answer(more: Answers): void {
  for (const [name, answering] of Object.entries(more)) {
    answers.set(name as CallName, answering);
  }
}

/** The same for a page without a real server, unless the test has said something else. */
export function answerIfAlone(more: Answers): void {
  if (state.caller === null) {
    answer(Object.fromEntries(Object.entries(more).filter(([name]) => !answers.has(name as CallName))));
  }
}

/** What the page has asked of the server, in its order: all calls, or those of a name. */
export function sentCalls(): readonly SentCall[];
export function sentCalls<Name extends CallName>(name: Name): readonly CallInput<Name>[];
export function sentCalls(name?: CallName): readonly unknown[] {
  return name === undefined ? sent : sent.filter((each) => each.name === name).map(({ input }) => input);
}

/** Cuts the connection until the returned function is called: every call fails. */
export function lose(): () => void {
  state.isLost = true;
  return () => {
    state.isLost = false;
  };
}

/** Calls of a name (or all) get no answer until the returned function is called. */
export function hang(name: CallName | null = null): () => void {
  const waiting: (() => void)[] = [];
  const end = put(name, false, async (carryOut) => {
    await held(new Promise<void>((resolve) => waiting.push(resolve)));
    return carryOut();
  });
  return () => {
    end();
    for (const go of waiting.splice(0)) {
      go();
    }
  };
}

/** The server carries the next call of a name out, and its answer is lost on the way. */
export function loseAnswer(name: CallName): void {
  put(name, true, async (carryOut) => {
    await carryOut();
    throw new NoAnswer(true);
  });
}

/** Calls of a name (or all) are answered with this status, as by a proxy, until the returned function is called. */
export function answerStatus(name: CallName | null, status: number, text = ''): () => void {
  return put(name, false, () => Promise.resolve({ status, headers: {}, text }));
}

/** Resolves once no request is on its way, except those that a test holds. */
export async function quiet(): Promise<void> {
  do {
    await outside.turn();
  } while (state.moving > state.held);
}

/** Lets time pass on a page with fake timers, in milliseconds; what it asks for on the way is answered at once. */
export async function pass(ms: number): Promise<void> {
  const stepMs = 500;
  for (let left = ms; left >= 0; left -= stepMs) {
    await jest.advanceTimersByTimeAsync(Math.min(left, stepMs));
    while (!isQuiet()) {
      await outside.turn();
      await jest.advanceTimersByTimeAsync(0);
    }
  }
}

/** How many reads a test holds back: a screen that waits for those alone waits for nothing else. */
export const heldCalls = (): number => state.held;
export const isQuiet = (): boolean => state.moving <= state.held;

async function held<Value>(waiting: Promise<Value>): Promise<Value> {
  const begun = state;
  begun.held += 1;
  try {
    return await waiting;
  } finally {
    begun.held -= 1;
  }
}

function put(name: CallName | null, isOnce: boolean, how: Fault['put']): () => void {
  const fault: Fault = { name, isOnce, put: how };
  faults.push(fault);
  return () => {
    faults = faults.filter((each) => each !== fault);
  };
}

/** Takes a request from the page to what answers it. */
async function exchange(method: string, address: string, headers: Record<string, string>, body: Body): Promise<Answer> {
  const { receive } = outside.calls();
  const call = receive(method, address, typeof body === 'string' && body !== '' ? JSON.parse(body) : body);
  if (call !== null) {
    sent.push({ name: call.name, input: call.input });
  }
  const carryOut = async (): Promise<Answer> => {
    const answering = call === null ? undefined : answers.get(call.name);
    if (call !== null && answering !== undefined) {
      if (call.fault !== null) {
        throw new Error(`The server would refuse this call of the page: ${call.fault}`);
      }
      return invent(call.name, answering, call.input);
    }
    if (state.caller === null) {
      refused(method, address);
      throw new NoAnswer(false);
    }
    return inject(method, address, headers, body);
  };
  if (state.isLost) {
    throw new NoAnswer(false);
  }
  const fault = faults.find(({ name }) => name === null || name === call?.name);
  if (fault?.isOnce === true) {
    faults = faults.filter((each) => each !== fault);
  }
  return fault === undefined ? carryOut() : fault.put(carryOut);
}

async function invent(name: CallName, answering: (input: never) => unknown, input: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-server-time': String(wardNow) };
  try {
    // A test may answer later: the page waits for that alone then.
    const body = await held(Promise.resolve(answering(input as never)));
    const { faultOf, statusOf } = outside.calls();
    const text = body === null || body === undefined ? '' : JSON.stringify(body);
    const fault = faultOf(name, text === '' ? null : JSON.parse(text));
    if (fault !== null) {
      invented.push(fault);
    }
    return { status: statusOf(name), headers, text };
  } catch (problem) {
    if (!(problem instanceof ApiFailure)) {
      throw problem;
    }
    const { code, message, status, fields, id, entry, conflict, triesLeft, retryAfterMs } = problem;
    if (status === null) {
      throw new NoAnswer(code !== 'unreachable');
    }
    const more = {
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
      ...(id === null ? {} : { id }),
      ...(triesLeft === null ? {} : { triesLeft }),
      ...(entry === undefined ? {} : { entry }),
      ...(conflict === null ? {} : conflict),
    };
    const wait: Record<string, string> = retryAfterMs === null ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
    return { status, headers: { ...headers, ...wait }, text: JSON.stringify({ error: { code, message, ...more } }) };
  }
}

async function inject(method: string, url: string, headers: Record<string, string>, body: Body): Promise<Answer> {
  const { app } = await outside.server();
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...headers, ...pageHeaders() },
    ...(body === null ? {} : { payload: body }),
  });
  const { 'set-cookie': cookies, ...rest } = response.headers;
  outside.takeCookies(cookies === undefined ? [] : [cookies].flat());
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    text: response.body,
  };
}

const pageHeaders = (): Record<string, string> => ({
  host: window.location.host,
  origin: window.location.origin,
  'sec-fetch-site': 'same-origin',
  cookie: outside.sentCookies(),
});

type Body = string | Uint8Array<ArrayBuffer> | null;
const Replaced = window.XMLHttpRequest;
/** Answers of tests that the server cannot give. */
const invented: string[] = [];

/** A request that no one answers fails its test (failOnRequest.ts). */
function refused(method: string, address: string): void {
  const request = new Replaced();
  request.open(method, address, true);
  request.send();
}

/** As much of the browser's own as axios uses. */
class NetworkRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  statusText = '';
  responseText = '';
  responseURL = '';
  responseType = '';
  timeout = 0;
  withCredentials = false;
  onloadend: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  onabort: ((event: Event) => void) | null = null;
  ontimeout: ((event: Event) => void) | null = null;
  private method = 'GET';
  private address = '';
  private readonly headers: Record<string, string> = {};
  private received: Record<string, string> = {};
  private isOver = false;

  get response(): unknown {
    return this.responseType === 'blob' ? new Blob([this.responseText]) : this.responseText;
  }

  open(method: string, address: string): void {
    this.method = method;
    this.address = address;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name.toLowerCase()] = value;
  }

  getAllResponseHeaders(): string {
    return Object.entries(this.received)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  send(body: string | Blob | null = null): void {
    const begun = state;
    begun.moving += 1;
    this.carry(body)
      .catch((problem: unknown) => {
        if (!(problem instanceof NoAnswer)) {
          invented.push(String(problem));
        } else if (problem.hasLeft && body !== null) {
          this.sayUploaded();
        }
        this.end('error');
      })
      .finally(() => {
        begun.moving -= 1;
      });
  }

  abort(): void {
    this.end('abort');
  }

  private async carry(body: string | Blob | null): Promise<void> {
    const bytes = body instanceof Blob ? await bytesOf(body) : body;
    const { status, headers, text } = await exchange(this.method, this.address, this.headers, bytes);
    this.sayUploaded();
    this.status = status;
    this.received = headers;
    this.responseText = text;
    this.responseURL = new URL(this.address, window.location.href).href;
    this.end('load');
  }

  private sayUploaded(): void {
    for (const type of ['progress', 'loadend']) {
      this.upload.dispatchEvent(new ProgressEvent(type, { lengthComputable: true, loaded: 1, total: 1 }));
    }
  }

  private end(how: 'load' | 'error' | 'abort'): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const event = new ProgressEvent(how);
    if (how === 'error') {
      this.onerror?.(event);
    } else if (how === 'abort') {
      this.onabort?.(event);
    }
    this.dispatchEvent(event);
    this.onloadend?.(new ProgressEvent('loadend'));
  }
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = await new Promise<ArrayBuffer>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (reader.result instanceof ArrayBuffer) {
        resolve(reader.result);
      }
    };
    reader.readAsArrayBuffer(blob);
  });
  return new Uint8Array(buffer);
}

Object.assign(window, { XMLHttpRequest: NetworkRequest });

const endings = new Set<() => void>();

/** Says what ends a page after its test, in which it may still send something, as a page does that is left. */
export function endPageWith(end: () => void): void {
  endings.add(end);
}

afterEach(async () => {
  for (const end of endings) {
    end();
  }
  if (endings.size > 0) {
    await outside.turn();
    await quiet();
  }
  for (const name of ['token', 'token.sig', 'XSRF-TOKEN']) {
    outside.takeCookies([`${name}=; Path=/; Max-Age=0`]);
  }
  state = { ...none };
  answers = new Map();
  faults = [];
  sent = [];
  const faulty = invented.splice(0);
  if (faulty.length > 0) {
    throw new Error(faulty.join('\n'));
  }
});
