import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBody } from '../../lib/api/errorBody';
import { startTestServer, type TestServer } from '../../test/testServer';
import { noLimits } from '../../test/noLimits';
import { limitConnections, type ConnectionLimits, type Connections } from './connections';
import { letFinish } from './letFinish';

describe('a request to upgrade', () => {
  let test: TestServer;
  let port: number;

  beforeAll(async () => {
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

  it('2,000 times leaves nothing open and keeps no one out', async () => {
    const sockets: Socket[] = [];
    // Fewer at once than the 256 connections that one address may have.
    for (let sent = 0; sent < 2_000; sent += 250) {
      const some = await Promise.all(Array.from({ length: 250 }, () => upgrade()));
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
  const test = await startTestServer('sqlite');
  const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const ask = async (path: string, from?: string): Promise<Socket> => {
    const socket = await open(port, from);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    return socket;
  };
  // The metrics read the store, which is held here.
  await test.store.db.connection().execute(async () => {
    const asked = jest.fn();
    test.app.server.on('request', asked);
    const waiting: Socket[] = [];
    for (let place = 0; place < 1_024; place += 1) {
      waiting.push(await ask('/metrics', `127.0.0.${2 + Math.floor(place / 250)}`));
    }
    while (asked.mock.calls.length < 1_024) {
      await once(test.app.server, 'request');
    }
    await expect(text(await ask('/healthz'))).resolves.toMatch(/^HTTP\/1.1 200 /);
    const refused = await text(await ask('/api/v2/patients'));
    expect(refused).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 2[^]*too_many_connections/i);
    waiting.forEach((socket) => socket.destroy());
  });
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
