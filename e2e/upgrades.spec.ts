import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { startServer } from './startServer';
import { expect, test } from './test';

/** Opens a connection, sends a text on it and leaves it open. */
async function open(url: string, sent: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

test('upgrade requests after a page view block no other request, and the server stops in spite of them', async () => {
  const server = await startServer();
  try {
    expect((await fetch(`${server.url}/sign_in`)).status).toBe(200);
    // An address may have 256 connections: with those of the batch before, which the server may still have.
    for (let sent = 0; sent < 2_000; sent += 125) {
      const sockets = await Promise.all(
        Array.from({ length: 125 }, (_, index) => open(server.url, upgrade(index % 2 === 0 ? '/' : '/nowhere'))),
      );
      const responses = await Promise.all(sockets.map((socket) => text(socket)));
      expect(responses.filter((response) => !response.startsWith('HTTP/1.1 400 '))).toEqual([]);
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    // The connection of these two calls themselves.
    expect(metrics).toMatch(/^wardlight_open_connections [12]$/m);

    const strays = ['', 'GET / HT', 'POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'];
    const stray = await Promise.all([...strays, ...strays].map((sent) => open(server.url, sent)));
    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain('stopping took too long');
    for (const socket of stray) {
      socket.destroy();
    }
  } finally {
    await server.remove();
  }
});
