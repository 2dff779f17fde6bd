import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { startTestServer } from '../../test/testServer';
import { limitConnections } from './connections';
import { letFinish } from './letFinish';
import { noLimits } from '../../test/noLimits';

describe('a server that stops', () => {
  it('finishes a response that it has begun, closes idle connections, and accepts no new ones', async () => {
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
