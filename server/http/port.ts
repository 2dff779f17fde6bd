import { randomUUID, createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { serverEventsPath } from '../../lib/api/serverEvents';
import type { Env } from '../env';
import { createBudget } from './budget';
import { createShares } from './connectionShares';
import { limitConnections, mostConnections, type Connections } from './connections';
import { errorBodyOf, rejectUnreadable } from './errors';
import { alive, dataPolicy, fixedHeadersOf } from './headers';
import { HttpError } from './httpError';
import { isHttpsOnly } from './requireHttps';

/** Seconds. Devices send again after it, and the page loads itself again. */
const startingAfter = 2;

/** Nothing is loaded yet, no style sheet either: these are colours of styles/theme.ts and styles/nightTheme.ts. */
const style = `
:root { color-scheme: light dark; background: #f3f5f8; color: #101828; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
main { box-sizing: border-box; max-width: 36em; margin: 1em; padding: 2em; border: 1px solid #dfe3ea;
  border-radius: 12px; background: #fff; }
svg { display: block; width: 40px; height: 40px; }
h1 { margin: 0.5em 0; font-size: 24px; font-weight: 600; line-height: 1.3; }
p { margin: 0.5em 0 0; }
@media (prefers-color-scheme: dark) {
  :root { background: #0b1220; color: #e6ebf4; }
  main { border-color: #26334a; background: #111a2b; }
}
`;

/** Lets the page have its own style, and nothing else. */
const startingPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "frame-ancestors 'none'";

/** It has no script: the header `Refresh` loads it again, until the wanted page is there. */
const startingPage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Wardlight is starting</title>' +
  `<style>${style}</style></head><body><main>` +
  '<svg viewBox="0 0 32 32" fill="none" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3f51a5"/>' +
  '<circle cx="16" cy="16" r="9.5" stroke="#fff" stroke-opacity="0.5" stroke-width="2"/>' +
  '<path d="M3.5 16H12l2.5-6 4 12 2.5-6h7.5" stroke="#fff" stroke-width="2.6" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>' +
  '<h1>Wardlight is starting</h1>' +
  '<p><strong>No alerts are shown here until it is ready: look at the patient and the bedside monitor.</strong></p>' +
  `<p>This page tries again every ${startingAfter} seconds by itself, and then opens what you asked for.</p>` +
  '</main></body></html>';

/** The server's port with all its limits: from before the store is opened until the process ends. */
export interface Port {
  readonly server: Server;
  readonly connections: Connections;
  /** From here on requests get their responses from `handler`. Until then they hear that the server is starting. */
  open(handler: RequestListener): void;
}

/** Creates the server of a port, which is not bound yet. `elapsed`: milliseconds of a clock that is never set. */
export function createPort({
  env,
  log,
  elapsed,
}: {
  env: Pick<Env, 'connectionsPerAddress' | 'trustedProxies' | 'publicUrl'>;
  log: Logger;
  elapsed: () => number;
}): Port {
  let handle: RequestListener = (request, response) => {
    sayStarting(request, response, isHttpsOnly(env));
  };
  const refused = new WeakSet<Socket>();
  const server = createServer(
    {
      // Limits of security.md H2: by default Node waits minutes for a client that sends its request slowly.
      requestTimeout: requestTimeoutMs,
      headersTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      const { socket } = request;
      if (refused.has(socket)) {
        // The connection ends with the refusal before it.
        return;
      }
      if (connections.unfinishedOf(socket) > mostUnfinished) {
        refused.add(socket);
        connections.closed.pipelined += 1;
        refuse(response, isHttpsOnly(env));
        socket.pause();
        return;
      }
      handle(request, response);
    },
  );
  const hasStalled = watchStalls(server, elapsed);
  server.on('clientError', (error, socket) => {
    rejectUnreadable(error, socket, hasStalled);
  });
  // Node looks at its timers before it looks at what has come. After a thread was busy for as long as a connection may
  // be idle, which a start on a loaded machine can be, it would reset clients whose next request waits to be read.
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) {
        socket.destroy();
      }
    });
  });
  const logTooMany = createBudget(1, elapsed);
  const connections = limitConnections(server, {
    most: mostConnections,
    mostOf: createShares(env.connectionsPerAddress, env.trustedProxies),
    onTooMany: (network) => {
      if (logTooMany(network)) {
        log.warn({ network }, 'an address has more connections than CONNECTIONS_PER_ADDRESS lets it have');
      }
    },
    elapsed,
  });
  return {
    server,
    connections,
    open: (handler) => {
      handle = handler;
    },
  };
}

/** How long a request may take to arrive, in milliseconds. */
const requestTimeoutMs = 30_000;
const beatEveryMs = 500;
/** Without a beat for this long nothing was read, in milliseconds. */
const stalledAfterMs = 1_000;

/** Returns a function that says whether the thread stood still for over 1 s within the time of a request. */
function watchStalls(server: Server, elapsed: () => number): () => boolean {
  let beatAt = elapsed();
  let stalledAt = -Infinity;
  const beat = (): void => {
    const now = elapsed();
    stalledAt = now - beatAt > beatEveryMs + stalledAfterMs ? now : stalledAt;
    beatAt = now;
  };
  const timer = setInterval(beat, beatEveryMs).unref();
  server.once('close', () => clearInterval(timer));
  return () => {
    // After a stall the timers run first, in whatever order.
    beat();
    return elapsed() - stalledAt <= requestTimeoutMs;
  };
}

/**
 * Requests of one connection that may await their responses. Browsers, proxies and devices send the next one after the
 * response. Node hands over all that have arrived at once, and thousands of handlers would run before anyone else's.
 */
const mostUnfinished = 16;
const tooManyAtOnce = new HttpError(
  429,
  'too_many_at_once',
  `A connection may await ${mostUnfinished} responses. Send the next request after one has come.`,
  { retryAfter: 1 },
);

/** Ends the connection with this response, after those to the requests before it. */
function refuse(response: ServerResponse, isHttps: boolean): void {
  setHeaders(response, isHttps);
  response.setHeader('connection', 'close');
  sendError(response, tooManyAtOnce);
}

/**
 * Binds a port, so that a start finds out that it is taken before it changes anything. Resolves with the address for
 * the terminal.
 */
export async function bindPort({ server }: Port, { host, port }: Pick<Env, 'host' | 'port'>): Promise<string> {
  // After a network fault hundreds connect at once. The kernel ignores those beyond 511 by default, and a client tries
  // again only after 1 s, then 2 s more.
  server.listen({ host, port, backlog: mostConnections });
  await once(server, 'listening').catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new Error(`Port ${port} of ${host} is taken. PORT names another one`, { cause: error }) : error;
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port');
  }
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  // A browser on this machine does not get far with the address that means all of them.
  return `http://${name === '0.0.0.0' ? '127.0.0.1' : name}:${address.port}`;
}

const starting = new HttpError(503, 'starting', 'Wardlight is starting. Try again in a moment.', {
  retryAfter: startingAfter,
});

/** Responds to a request while nothing is loaded. It reads no body and changes nothing, so no device gets an ACK. */
function sayStarting({ url = '', headers }: IncomingMessage, response: ServerResponse, isHttps: boolean): void {
  setHeaders(response, isHttps);
  const [path = ''] = url.split('?');
  if (path === '/healthz') {
    response.setHeader('content-type', json).end(alive);
    return;
  }
  if (path === serverEventsPath) {
    // A browser gives a stream up that is refused, and opens one again that ends.
    response.setHeader('content-type', 'text/event-stream').end(`retry: ${startingAfter * 1_000}\n\n`);
    return;
  }
  if (headers.upgrade !== undefined) {
    response.setHeader('connection', 'close');
  }
  const fileType = fileTypes[/^\/_next\/static\/.*\.(js|css)$/.exec(path)?.[1] ?? ''];
  if (fileType !== undefined) {
    response.writeHead(starting.status, { 'retry-after': `${startingAfter}`, 'content-type': fileType }).end();
  } else if (
    headers.accept?.includes('text/html') === true &&
    !/^\/(api|monitoring|readyz|metrics|_next)(\/|$)/.test(path)
  ) {
    response
      .writeHead(starting.status, {
        refresh: `${startingAfter}`,
        'retry-after': `${startingAfter}`,
        'content-type': html,
        'content-security-policy': startingPolicy,
      })
      .end(startingPage);
  } else {
    sendError(response, starting);
  }
}

/** A browser prints a fault if a file of a page is of another type, whatever its status. */
const fileTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';

/** Sets the headers of every response, for what Fastify does not see. */
function setHeaders(response: ServerResponse, isHttps: boolean): void {
  const headers = { ...fixedHeadersOf(isHttps), 'content-security-policy': dataPolicy, 'x-request-id': randomUUID() };
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, value);
  }
}

function sendError(response: ServerResponse, error: HttpError): void {
  const body = JSON.stringify(errorBodyOf(error, String(response.getHeader('x-request-id'))));
  response.writeHead(error.status, { 'retry-after': `${error.details.retryAfter}`, 'content-type': json }).end(body);
}
