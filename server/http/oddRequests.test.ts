import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { errorBody } from '../../lib/api/errorBody';
import { appAddress } from '../../test/appAddress';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { rejectOddRequest } from './oddRequests';

describe('what only a proxy or an attacker sends', () => {
  let test: TestServer;
  let port: number;

  beforeAll(async () => {
    test = await sharedTestServer('sqlite');
    port = Number(new URL(await appAddress(test)).port);
  });

  async function send(sent: string): Promise<{ head: string; body: string }> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(sent);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { head, body };
  }
  const close = 'Connection: close\r\n\r\n';

  it.each([
    ['TRACE', 405, 'method_not_allowed', `TRACE /healthz HTTP/1.1\r\nHost: a\r\nCookie: token=x\r\n${close}`],
    ['TRACE of a page', 405, 'method_not_allowed', `TRACE / HTTP/1.1\r\nHost: a\r\n${close}`],
    ['two hosts', 400, 'malformed_request', `GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\n${close}`],
    ['the same host twice', 400, 'malformed_request', `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n${close}`],
    [
      'an address on another host',
      400,
      'malformed_request',
      `GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\n${close}`,
    ],
    ['an address of another kind', 400, 'malformed_request', `GET ftp://a/healthz HTTP/1.1\r\nHost: a\r\n${close}`],
    ['no place', 404, 'not_found', `GET * HTTP/1.1\r\nHost: a\r\n${close}`],
    ['an address that cannot be decoded', 400, 'malformed_url', `GET /% HTTP/1.1\r\nHost: a\r\n${close}`],
  ])('%s: %i %s, with the policy of data', async (_, status, code, sent) => {
    const { head, body } = await send(sent);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'; frame-ancestors 'none'");
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(errorBody.parse(JSON.parse(body)).error.code).toBe(code);
    expect(body).not.toContain('token=x');
  });

  it('is not an address that names this host, which every server takes', async () => {
    const { head } = await send(`GET http://A:80/healthz HTTP/1.1\r\nHost: a:80\r\n${close}`);
    expect(head).toMatch(/^HTTP\/1.1 200 /);
  });
});

it.each([
  ['http://a/alerts?x=1', '/alerts?x=1'],
  ['HTTP://A', '/'],
  ['http://a?x=http://b/', '/?x=http://b/'],
  ['/alerts?x=http://a/', '/alerts?x=http://a/'],
])('an address of this host is a path to all that comes after: %s', async (address, path) => {
  const app = Fastify();
  app.addHook('onRequest', rejectOddRequest);
  app.get('*', ({ url }) => url);
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [, body] = (await text(socket)).split('\r\n\r\n');
  expect(body).toBe(path);
  await app.close();
});
