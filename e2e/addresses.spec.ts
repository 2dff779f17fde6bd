import { expect, test } from './test';
import { startServer, type TestServer } from './startServer';

let server: TestServer;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server.remove();
});

test('a browser that asks for /favicon.ico gets the icon, and a page names its own', async () => {
  const icon = await fetch(`${server.url}/favicon.ico`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  expect([...new Uint8Array(await icon.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
  const page = await (await fetch(`${server.url}/sign_in`)).text();
  expect(page).toContain('<link rel="icon" href="/icon.svg"');
  expect(page).toMatch(/<title[^>]*>[^<]*Wardlight<\/title>/);
});

test('an address of programs that nothing answers is a 404 in JSON, and no page', async () => {
  for (const path of ['/monitoring', '/monitoring/', '/monitoring?x=1', '/monitoring/x', '/api/nowhere']) {
    const answer = await fetch(`${server.url}${path}`);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  }
  expect((await fetch(`${server.url}/monitorings`)).headers.get('content-type')).toContain('text/html');
});
