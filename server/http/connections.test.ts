import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBody } from '../../lib/api/errorBody';
import { startTestServer, type TestServer } from '../../test/testServer';
import { trackConnections } from './connections';
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
    // Fewer at once than the 1,024 connections that the server takes.
    for (let sent = 0; sent < 2_000; sent += 500) {
      sockets.push(...(await Promise.all(Array.from({ length: 500 }, () => upgrade()))));
    }
    await Promise.all(sockets.map((socket) => text(socket)));
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
    const connections = trackConnections(server);
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
