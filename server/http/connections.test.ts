import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { errorBody } from '../../lib/api/errorBody';
import { serverEventsPath } from '../../lib/api/serverEvents';
import { noLimits } from '../../test/noLimits';
import { startTestServer, type TestServer } from '../../test/testServer';
import { addressRange, isRange } from './addressRange';
import { createShares } from './connectionShares';
import { type ConnectionLimits, type Connections, limitConnections } from './connections';
import { letFinish } from './letFinish';
import { bindPort, createPort, type Port } from './port';
import { createStrangerTurns } from './strangerTurns';
import { createTurns } from './turns';

describe('addressRange', () => {
  it.each(['gateway.example', '10.1.2', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', 'fe80::1%eth0', ''])(
    'has no range of the text %j',
    (text) => {
      expect(isRange(text)).toBe(false);
    },
  );

  it.each([
    ['10.1.2.0/24', '10.1.3.1'],
    ['10.1.2.3', '10.1.2.4'],
    ['10.1.2.0/24', ''],
    ['10.1.2.0/24', '::1'],
    ['::1', '127.0.0.1'],
    ['::/32', '10.1.2.3'],
  ])('%s does not hold %j', (text, address) => {
    expect(addressRange(text).has(address)).toBe(false);
  });

  it.each([
    ['10.1.2.0/24', '10.1.2.3', 120],
    ['10.1.2.3', '::ffff:10.1.2.3', 128],
    ['fe80::/10', 'fe80::1%eth0', 10],
    ['::/0', '::1', 0],
  ])('%s holds %s', (text, address, bits) => {
    expect(isRange(text)).toBe(true);
    expect(addressRange(text).has(address)).toBe(true);
    expect(addressRange(text).bits).toBe(bits);
  });
});

describe('the connections of an address', () => {
  it.each([
    ['192.168.1.1', 256],
    ['10.1.2.3', 600],
    ['::ffff:10.1.2.3', 600],
    ['10.1.3.1', 20],
    ['2001:db8::7', 30],
    ['2001:db9::7', 256],
    ['10.9.9.9', Infinity],
  ])(
    'of %s may be %d, as the first range that holds it says, those of a trusted proxy as many as there are',
    (address, most) => {
      const ranges = [
        { range: '10.1.2.0/24', most: 600 },
        { range: '10.0.0.0/8', most: 20 },
        { range: '2001:db8::/32', most: 30 },
      ];
      expect(createShares({ most: 256, ranges }, ['10.9.0.0/16'])(address)).toBe(most);
    },
  );
});

describe('connections', () => {
  describe('a request to upgrade', () => {
    let test: TestServer;
    let port: number;

    beforeAll(async () => {
      // A server of its own: it listens on a port, and its open connections are counted.
      test = await startTestServer('sqlite');
      port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
    });
    afterAll(() => test.stop());

    /** Sends 80 bytes and leaves the connection open, as a stranger would. */
    async function upgrade(path = '/', protocol = 'websocket'): Promise<Socket> {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
      return socket;
    }

    async function openConnections(): Promise<number> {
      const { payload } = await test.app.inject('/metrics');
      return Number(/^wardlight_open_connections (\d+)$/m.exec(payload)?.[1]);
    }

    it.each([
      ['/', 'websocket'],
      ['/api/v2/patients', 'websocket'],
      ['/_next/hmr', 'websocket'],
      ['/healthz', 'websocket'],
      ['/%2F', 'x'],
    ])('of %s to %s is refused in the one shape, and its connection is closed', async (path, protocol) => {
      const [head = '', body = ''] = (await text(await upgrade(path, protocol))).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 400 /);
      expect(errorBody.parse(JSON.parse(body)).error.code).toBe('no_upgrade');
    });

    it('is served over HTTP/1.1 when it only offers HTTP/2, as the client of a gateway may', async () => {
      const socket = await upgrade('/healthz', 'h2c');
      const [head] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
      expect(head).toMatch(/^HTTP\/1.1 200 /);
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    });

    it('1,100 times leaves nothing open and keeps no one out', async () => {
      const sockets: Socket[] = [];
      // More than the 1,056 connections of the port, but fewer at once than the 256 that one address may have.
      for (let sent = 0; sent < 1_100; sent += 220) {
        const some = await Promise.all(Array.from({ length: 220 }, () => upgrade()));
        await Promise.all(some.map((socket) => text(socket)));
        sockets.push(...some);
      }
      const health = get({ port, host: '127.0.0.1', path: '/healthz', agent: false });
      const [answer] = (await once(health, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      answer.resume();
      await once(answer, 'close');
      await expect(openConnections()).resolves.toBe(0);
      for (const socket of sockets) {
        socket.destroy();
      }
    });

    it('is no tunnel either', async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      await expect(text(socket)).resolves.toBe('');
      socket.destroy();
    });

    it('is not counted by /metrics as an open connection', async () => {
      const accepted = once(test.app.server, 'connection');
      const socket = connect(port, '127.0.0.1');
      await accepted;
      await expect(openConnections()).resolves.toBe(1);
      socket.destroy();
    });
  });

  describe('a connection that became something else than HTTP', () => {
    it('is ended by a stop', async () => {
      const server = createServer().on('upgrade', () => undefined);
      const connections = limitConnections(server, noLimits).open;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
      client.on('error', () => undefined);
      client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      const [, accepted] = (await once(server, 'upgrade')) as [IncomingMessage, Socket];
      expect(connections.has(accepted)).toBe(true);
      const ended = once(accepted, 'close');

      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
      letFinish(server, connections);
      const closed = once(server, 'close');
      server.close();
      jest.advanceTimersByTime(5_000);
      jest.useRealTimers();
      await Promise.all([ended, closed]);
      expect(connections.size).toBe(0);
      client.destroy();
    });
  });

  /** Opens a connection from an address of this machine and sends nothing. */
  async function open(port: number, from = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    // Without a reader it does not hear that the server has closed it.
    return socket.resume();
  }

  async function untilClosed(socket: Socket): Promise<void> {
    if (!socket.closed) {
      await once(socket, 'close');
    }
  }

  describe('an address', () => {
    it('has 256 connections at most, and the next one is closed; another address is served meanwhile', async () => {
      // A server of its own: an address takes all the connections that it may have.
      const test = await startTestServer('sqlite');
      const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
      const silent = await Promise.all(Array.from({ length: 300 }, () => open(port, '127.0.0.2')));
      const closed = silent.filter((socket) => socket.readyState !== 'open');
      const nurse = await test.signIn(await test.addSite(), 'nurse');
      const cookie = Object.entries(nurse.cookies).map(([name, value]) => `${name}=${value}`);
      for (const path of ['/healthz', '/api/v2/patients']) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: cookie.join('; ') } });
        expect([path, response.status]).toEqual([path, 200]);
        await response.text();
      }
      const { payload } = await test.app.inject('/metrics');
      expect(payload).toContain('wardlight_closed_connections_total{why="address"} 44');
      const warnings = test.logLines.filter(({ msg }) => String(msg).includes('CONNECTIONS_PER_ADDRESS'));
      expect(warnings).toEqual([expect.objectContaining({ network: '127.0.0.2' })]);
      expect(closed.length).toBeLessThanOrEqual(44);
      silent.forEach((socket) => socket.destroy());
      await test.stop();
    });
  });

  describe('long work', () => {
    const letIn = async (elapsed: () => number, meanwhile: () => void = () => undefined): Promise<number> => {
      const server = createServer();
      const connections = limitConnections(server, { ...noLimits, elapsed });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const clients = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
      // They connect then, and the kernel has them wait.
      await new Promise((resolve) => process.nextTick(resolve));
      const [first, second] = [connections.letIn(), connections.letIn()];
      meanwhile();
      // One wait for both: what one does after it is not done while the other waits.
      expect(second).toBe(first);
      await first;
      const count = connections.open.size;
      clients.forEach((client) => client.destroy());
      server.close();
      return count;
    };

    it('lets all connections in that wait, one in each turn of the event loop', async () => {
      await expect(letIn(() => 0)).resolves.toBe(30);
    });

    it('lets them in for as long although others have worked in the turn before', async () => {
      let ms = 0;
      await expect(
        letIn(
          () => ms,
          () => (ms = 60),
        ),
      ).resolves.toBe(30);
    });

    it('goes on after 20 ms although more come, and after 5 where they come again and again', async () => {
      const server = createServer();
      let ms = 0;
      const connections = limitConnections(server, { ...noLimits, elapsed: () => ms });
      // One in each turn, which takes a millisecond.
      let bringing = setImmediate(function bring() {
        ms += 1;
        server.emit('connection', new Socket());
        bringing = setImmediate(bring);
      });
      const counts: number[] = [];
      for (let call = 0; call < 40; call += 1) {
        const before = connections.open.size;
        await connections.letIn();
        counts.push(connections.open.size - before);
      }
      ms += 2_000;
      const before = connections.open.size;
      await connections.letIn();
      counts.push(connections.open.size - before);
      clearImmediate(bringing);
      connections.open.forEach((socket) => socket.destroy());
      const near = (count: number): number => (count > 15 ? 20 : 5);
      expect(counts.slice(0, 20).map(near)).toEqual(Array.from({ length: 20 }, () => 20));
      expect(counts.slice(38).map(near)).toEqual([5, 5, 20]);
    });
  });

  describe('requests that are sent on one connection without waiting for responses', () => {
    it('are looked at sixteen at a time, and 6,000 boards hold no one up', async () => {
      // A server of its own: it listens on a port, and the requests that it read are counted.
      const test = await startTestServer('sqlite');
      const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
      const nurse = await test.signIn(await test.addSite(), 'nurse');
      const cookie = Object.entries(nurse.cookies).map(([name, value]) => `${name}=${value}`);
      const board = `GET /api/v2/patients HTTP/1.1\r\nHost: a\r\nCookie: ${cookie.join('; ')}\r\n\r\n`;
      const socket = await open(port);
      let answers = '';
      socket.setEncoding('utf8').on('data', (part: string) => (answers += part));
      socket.write(board.repeat(6_000));
      // It may break while it is still sending.
      await untilClosed(socket);
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
        ...Array.from({ length: 16 }, () => 'HTTP/1.1 200'),
        'HTTP/1.1 429',
      ]);
      expect(answers).toMatch(/retry-after: 1\r\n[^]*"code":"too_many_at_once"/i);
      const { payload } = await test.app.inject('/metrics');
      expect(payload).toMatch(/^wardlight_http_request_seconds_count\{.*route="\/api\/v2\/patients".*\} 16$/m);
      expect(payload).toContain('wardlight_closed_connections_total{why="pipelined"} 1');
      await test.stop();
    });
  });

  it('a server whose 1,024 connections all await a response answers health checks and no one else', async () => {
    // A server of its own: all its connections are taken.
    const test = await startTestServer('sqlite');
    const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
    const ask = async (path: string, from?: string): Promise<Socket> => {
      const socket = await open(port, from);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      return socket;
    };
    // To make them a thousand times once they are let go would take long.
    jest.spyOn(test.server.metrics.registry, 'metrics').mockReturnValue(new Promise(() => undefined));
    const asked = jest.fn();
    test.app.server.on('request', asked);
    const waiting: Socket[] = [];
    for (const [place, count] of [250, 250, 250, 250, 24].entries()) {
      const some = Array.from({ length: count }, () => ask('/metrics', `127.0.0.${2 + place}`));
      waiting.push(...(await Promise.all(some)));
    }
    while (asked.mock.calls.length < 1_024) {
      await once(test.app.server, 'request');
    }
    await expect(text(await ask('/healthz'))).resolves.toMatch(/^HTTP\/1.1 200 /);
    const refused = await text(await ask('/api/v2/patients'));
    expect(refused).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 2[^]*too_many_connections/i);
    waiting.forEach((socket) => socket.destroy());
    await test.stop();
  });

  describe('a server with nearly all its connections', () => {
    let server: Server;
    let connections: Connections;
    let port: number;
    let clients: Socket[];
    let now: number;

    beforeEach(async () => {
      [clients, now] = [[], 0];
      server = createServer((request, response) => {
        request.resume().once('end', () => {
          if (request.url !== '/stream') {
            response.end(connections.isReserved(request.socket) ? 'reserved' : 'served');
          }
          response.flushHeaders();
        });
      });
      const limits: ConnectionLimits = { ...noLimits, most: 10, elapsed: () => now };
      connections = limitConnections(server, limits);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    });
    afterEach(async () => {
      clients.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    });

    /** Opens a connection that the server has taken, sends this, and waits for the response if there will be one. */
    async function visit(sent = '', isAnswered = sent !== ''): Promise<Socket> {
      const accepted = once(server, 'connection');
      const socket = await open(port);
      clients.push(socket);
      await accepted;
      if (isAnswered) {
        socket.write(sent);
        await once(socket, 'data');
      } else if (sent !== '') {
        const asked = once(server, 'request');
        socket.write(sent);
        await asked;
      }
      return socket;
    }
    const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    /** Asks on an open connection, and resolves with the first of the response. */
    const askOn = async (socket: Socket): Promise<string> => {
      socket.write(request('/'));
      const [part] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
      return part;
    };
    const slowBody = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\ndrip';

    it('closes the oldest that has not finished a request in a second, and no other', async () => {
      const [asked, streams] = [await visit(request('/')), await visit(request('/stream'))];
      const [silent, slow] = [await visit(), await visit(slowBody, false)];
      const others = [];
      for (let count = 0; count < 5; count += 1) {
        others.push(await visit(request('/')));
      }
      now = 999;
      const left = once(server, 'connection') as Promise<[Socket]>;
      const gone = await visit();
      expect(connections.closed.crowded).toBe(0);
      const [accepted] = await left;
      gone.destroy();
      await untilClosed(accepted);
      now = 1_000;
      const newest = [await visit()];
      await untilClosed(silent);
      newest.push(await visit());
      await untilClosed(slow);
      expect([connections.closed.crowded, connections.open.size]).toEqual([2, 9]);
      for (const socket of [asked, ...others, ...newest]) {
        socket.write(request('/'));
        await expect(once(socket, 'data')).resolves.toEqual([expect.anything()]);
      }
      expect(streams.destroyed).toBe(false);
    });

    it('closes one that waits for nothing when all have asked, and not one that awaits a response', async () => {
      const streams = await visit(request('/stream'));
      const idle = await visit(request('/'));
      for (let count = 0; count < 8; count += 1) {
        await visit(request('/stream'));
      }
      const served = await visit();
      await untilClosed(idle);
      const part = await askOn(served);
      expect([part.endsWith('served'), streams.destroyed]).toEqual([true, false]);
    });

    it('closes one whose requests all wait, before one that is idle, and none that has another under way', async () => {
      const releases: (() => void)[] = [];
      const hold = async (socket: Promise<Socket>): Promise<Socket> => {
        const requests = once(server, 'request') as Promise<[IncomingMessage]>;
        await socket;
        const [{ socket: accepted }] = await requests;
        releases.push(connections.hold(accepted));
        return await socket;
      };
      const idle = await visit(request('/'));
      const busy = await hold(visit(request('/stream')));
      busy.write(request('/stream'));
      await once(server, 'request');
      const [released, held] = [await hold(visit(request('/stream'))), await hold(visit(request('/stream')))];
      releases[1]?.();
      for (let count = 0; count < 6; count += 1) {
        await visit(request('/stream'));
      }
      const served = await visit();
      await untilClosed(held);
      const part = await askOn(served);
      expect([part.endsWith('served'), idle.destroyed, busy.destroyed, released.destroyed]).toEqual([
        ...[true, false, false, false],
      ]);
    });

    it('has some left for health checks when everybody awaits a response', async () => {
      for (let count = 0; count < 10; count += 1) {
        await visit(request('/stream'));
      }
      const health = await visit();
      const part = await askOn(health);
      expect([part.endsWith('reserved'), connections.closed.crowded]).toEqual([true, 0]);
    });
  });
});

describe('port', () => {
  const most = 2;
  const browserAccepts = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  let port: Port;
  let url: URL;
  let logged: string;
  let elapsed: number;

  async function start(publicUrl: string | null = null): Promise<void> {
    logged = '';
    elapsed = 0;
    port = createPort({
      env: { connectionsPerAddress: { most, ranges: [] }, trustedProxies: [], publicUrl },
      log: pino({}, { write: (line: string) => (logged += line) }),
      elapsed: () => elapsed,
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

  describe('a call that did not arrive in time', () => {
    const beats = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 500) {
        elapsed += 500;
        jest.advanceTimersByTime(500);
      }
    };
    const stands = (ms: number): void => {
      elapsed += ms;
    };

    it.each<[string, () => void, RegExp]>([
      ['of a slow client is refused', () => beats(60_000), /^HTTP\/1.1 408 [^]*"code":"request_timeout"/],
      ['after 1 s without reading as well', () => stands(1_500), /^HTTP\/1.1 408 /],
      [
        'because the server did not read for longer has to be sent again',
        () => stands(1_501),
        /^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*"code":"busy"/,
      ],
      ['within whose time it did not read, too', () => [stands(2_000), beats(30_000)], /^HTTP\/1.1 503 /],
      ['is that of a slow client again after that', () => [stands(2_000), beats(31_000)], /^HTTP\/1.1 408 /],
    ])('%s', async (_, pass, expected) => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'performance'] });
      await start();
      const connected = once(port.server, 'connection') as Promise<[Socket]>;
      const client = await open('POST /api/v2/vitals HTTP/1.1\r\nHost: a\r\nContent-Le');
      const [socket] = await connected;
      pass();
      port.server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      const [answer] = (await once(client.setEncoding('utf8'), 'data')) as [string];
      expect(answer).toMatch(expected);
      client.destroy();
      jest.useRealTimers();
    });
  });

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
});

describe('letFinish', () => {
  describe('a server that stops', () => {
    it('finishes a response that it has begun, closes idle connections, and accepts no new ones', async () => {
      // A server of its own, which it stops.
      const test = await startTestServer('sqlite');
      const { email, password } = await test.addUser(await test.addSite(), 'nurse');
      const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
      const agent = new Agent({ keepAlive: true });
      const [health] = (await once(get(`${address}/healthz`, { agent }), 'response')) as [IncomingMessage];
      health.resume();
      await once(health, 'end');

      const begun = once(test.app.server, 'request');
      const answer = fetch(`${address}/api/v2/auth/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      await begun;
      const stopped = test.app.close();
      await expect(answer).resolves.toMatchObject({ status: 200 });
      await stopped;
      await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed');
      agent.destroy();
      await test.stop();
    });
  });

  describe('letFinish', () => {
    it('cuts connections that do not end within 5 s', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      const connections = limitConnections(server, noLimits);
      await once(server, 'listening');
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const client = connect(port, '127.0.0.1');
      client.on('error', () => undefined);
      const [accepted] = (await once(server, 'connection')) as [Socket];
      client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\ndrip');
      await once(server, 'request');

      jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
      const closed = jest.fn();
      letFinish(server, connections.open);
      server.close(closed);
      jest.advanceTimersByTime(4_999);
      expect(accepted.destroyed).toBe(false);
      jest.advanceTimersByTime(1);
      expect(accepted.destroyed).toBe(true);
      jest.useRealTimers();
      await once(client, 'close');
    });

    it('does nothing to a server that does not listen', () => {
      jest.useFakeTimers();
      letFinish(createServer(), new Set());
      expect(jest.getTimerCount()).toBe(0);
      jest.useRealTimers();
    });
  });
});

describe('strangerTurns', () => {
  /** Work that is over when its test says so. */
  function work() {
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { run: jest.fn(() => done), end };
  }

  it('does one piece of work at a time, others in between, and addresses take turns', async () => {
    const order: string[] = [];
    const note = (name: string) => async () => {
      order.push(name);
      await turn();
      order.push('done');
    };
    const turns = createStrangerTurns(60_000, () => {
      order.push('others');
      return turn();
    });
    await Promise.all([
      turns('a', note('a1')),
      turns('a', note('a2')),
      turns('a', note('a3')),
      turns('b', note('b1')),
      turns('c', note('c1')),
    ]);
    const all = ['a1', 'a2', 'b1', 'c1', 'a3'];
    expect(order).toEqual(all.flatMap((name) => [name, 'done', 'others']));
  });

  it('goes on after work that fails', async () => {
    const turns = createStrangerTurns(60_000, turn);
    const failing = turns('a', () => Promise.reject(new Error('no page')));
    const served = turns('a', () => Promise.resolve('served'));
    await expect(failing).rejects.toThrow('no page');
    await expect(served).resolves.toBe('served');
  });

  it('goes on without work that takes too long, once', async () => {
    const turns = createStrangerTurns(1, turn);
    const [stalled, second, third] = [work(), work(), work()];
    const asked = [turns('a', stalled.run), turns('a', () => Promise.resolve('served'))];
    await expect(asked[1]).resolves.toBe('served');
    const slow = createStrangerTurns(60_000, turn);
    const later = [slow('a', second.run), slow('a', third.run)];
    stalled.end();
    await asked[0];
    await turn();
    expect([second.run.mock.calls.length, third.run.mock.calls.length]).toEqual([1, 0]);
    second.end();
    third.end();
    await Promise.all(later);
  });
});

describe('turns', () => {
  it('begins so many in a turn, and of those that wait one of each address in turn', async () => {
    const inTurn = createTurns(3);
    const order: string[] = [];
    const ask = (name: string): void =>
      inTurn(name.slice(0, 1), () => {
        order.push(name);
      });
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'c1', 'b2'].forEach(ask);
    expect(order.splice(0)).toEqual(['a1', 'a2', 'a3']);
    await turn();
    expect(order.splice(0)).toEqual(['a4', 'b1', 'c1']);
    ask('d1');
    expect(order).toEqual([]);
    await turn();
    expect(order.splice(0)).toEqual(['a5', 'b2', 'd1']);
    await turn();
    expect(order.splice(0)).toEqual(['a6', 'a7']);
    await turn();
    await turn();
    ['a8', 'b3', 'a9'].forEach(ask);
    expect(order).toEqual(['a8', 'b3', 'a9']);
  });

  it('begins nothing twice, and goes on after a long pause', async () => {
    const inTurn = createTurns(1);
    const go = jest.fn();
    inTurn('a', go);
    inTurn('a', go);
    expect(go).toHaveBeenCalledTimes(1);
    await turn();
    expect(go).toHaveBeenCalledTimes(2);
    await turn();
    await turn();
    inTurn('b', go);
    expect(go).toHaveBeenCalledTimes(3);
  });

  it('goes on at once while there are few of one, and in order in later turns', async () => {
    const [inTurn, gone] = [createTurns(2), [] as number[]];
    [1, 2, 3, 4, 5].forEach((call) => inTurn('', () => gone.push(call)));
    const counts = [[...gone]];
    for (let count = 0; count < 2; count += 1) {
      await turn();
      counts.push([...gone]);
    }
    expect(counts).toEqual([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('waits for no one after a turn without any', async () => {
    const [inTurn, gone] = [createTurns(1), [] as string[]];
    inTurn('', () => undefined);
    await turn();
    await turn();
    inTurn('', () => gone.push('first'));
    inTurn('', () => gone.push('second'));
    expect(gone).toEqual(['first']);
    await turn();
    await turn();
    expect(gone).toEqual(['first', 'second']);
  });
});
