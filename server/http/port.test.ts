import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { serverEventsPath } from '../../lib/api/serverEvents';
import { bindPort, createPort, type Port } from './port';

const most = 2;
const browserAccepts = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
let port: Port;
let url: URL;
let logged: string;

async function start(publicUrl: string | null = null): Promise<void> {
  logged = '';
  port = createPort({
    env: { connectionsPerAddress: { most, ranges: [] }, trustedProxies: [], publicUrl },
    log: pino({}, { write: (line: string) => (logged += line) }),
    elapsed: () => 0,
  });
  url = new URL(await bindPort(port, { host: '127.0.0.1', port: 0 }));
}
afterEach(async () => {
  const closed = once(port.server, 'close');
  port.server.close();
  await closed;
});

async function open(sent: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

describe('a port while the server starts', () => {
  it('answers a call whose body has not come, and does not say that it is stored', async () => {
    await start();
    const socket = await open('POST /api/v2/vitals HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 2\r\n[^]*"code":"starting"/i);
    socket.destroy();
  });

  it.each([
    ['/dashboard', 'text/html'],
    ['/', 'text/html'],
    ['/apiary', 'text/html'],
    ['/api/v2/patients?page=1', 'application/json'],
    ['/monitoring', 'application/json'],
    ['/_next/static/chunks/a.js', 'text/javascript'],
    ['/_next/static/a.css', 'text/css'],
    ['/_next/data/a/dashboard.json', 'application/json'],
    ['/metrics', 'application/json'],
    ['/readyz', 'application/json'],
  ])('answers a browser that opens %s with 503 and %s', async (path, type) => {
    await start();
    const response = await fetch(new URL(path, url), { headers: { accept: browserAccepts } });
    expect([response.status, response.headers.get('content-type')]).toEqual([503, `${type}; charset=utf-8`]);
    expect(response.headers.has('strict-transport-security')).toBe(false);
  });

  it.each(['/dashboard', '/', '/favicon.ico'])('answers %s with JSON if no page is asked for', async (path) => {
    await start();
    const response = await fetch(new URL(path, url));
    expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([
      503,
      'application/json; charset=utf-8',
      '2',
    ]);
    await expect(response.json()).resolves.toMatchObject({ error: { code: 'starting' } });
  });

  it('shows a page without scripts, by day and by night, that says by itself when it tries again', async () => {
    await start();
    const response = await fetch(new URL('/dashboard', url), { headers: { accept: browserAccepts } });
    const page = await response.text();
    expect(response.headers.get('refresh')).toBe('2');
    expect(page).toContain('<title>Wardlight is starting</title>');
    expect(page).toContain('tries again every 2 seconds by itself');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).not.toMatch(/<script|<link|<img|style=|https?:/);
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(page) ?? [];
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
        "frame-ancestors 'none'",
    );
  });

  it('ends a stream of events, so that the browser opens it again by itself', async () => {
    await start();
    const response = await fetch(new URL(serverEventsPath, url));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await expect(response.text()).resolves.toBe('retry: 2000\n\n');
  });

  it('promises HTTPS where the operator does', async () => {
    await start('https://ward.example');
    const response = await fetch(new URL('/healthz', url));
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  it('ends the connection of an upgrade', async () => {
    await start();
    const socket = await open('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect(text(socket)).resolves.toMatch(/^HTTP\/1.1 503 /);
  });

  it('rejects what is no request in the one shape', async () => {
    await start();
    await expect(text(await open('no request\r\n\r\n'))).resolves.toMatch(/^HTTP\/1.1 400 [^]*malformed_http/);
  });

  it('has its limits already', async () => {
    await start();
    const silent = [await open(''), await open('')];
    await expect(text(await open(''))).resolves.toBe('');
    expect(port.connections.closed).toEqual({ address: 1, crowded: 0, pipelined: 0 });
    expect(logged).toContain('CONNECTIONS_PER_ADDRESS');
    expect(port.server).toMatchObject({
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 5_000,
      maxConnections: 1_056,
    });
    silent.forEach((socket) => socket.destroy());
  });
});

it('a port that is open hands its requests on, also those of a connection from before', async () => {
  await start();
  const socket = await open('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  port.open((request, response) => {
    response.end(`served ${request.url}`);
  });
  socket.write('GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await expect(text(socket)).resolves.toMatch(/^HTTP\/1.1 200 [^]*served \/b/);
});

describe('a connection that is kept open', () => {
  const kept = async (): Promise<Socket> => {
    await start();
    port.server.keepAliveTimeout = 20;
    const socket = await open('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };

  it('is served where its next request came in time and the thread was busy with something long', async () => {
    const socket = await kept();
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    // Longer than the connection may be idle, with the second that Node adds.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    await expect(text(socket)).resolves.toMatch(/^HTTP\/1.1 200 /);
  });

  it('ends where nothing more comes', async () => {
    const socket = await kept();
    await expect(text(socket)).resolves.toBe('');
  });
});
