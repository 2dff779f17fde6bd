import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sharedServerOf } from './sharedServers';
import { expect, test } from './test';

test('an icon, no page at an unknown address of the API, and no source map, which the build keeps', async () => {
  const server = await sharedServerOf('plain');
  await test.step('a browser that asks for /favicon.ico gets the icon, and a page names its own', async () => {
    const icon = await fetch(`${server.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    expect([...new Uint8Array(await icon.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
    const page = await (await fetch(`${server.url}/sign_in`)).text();
    expect(page).toContain('<link rel="icon" href="/icon.svg"');
    expect(page).toMatch(/<title[^>]*>[^<]*Wardlight<\/title>/);
  });
  await test.step('an unknown address of the API is a 404 in JSON', async () => {
    for (const path of ['/monitoring', '/monitoring/', '/monitoring?x=1', '/monitoring/x', '/api/nowhere']) {
      const response = await fetch(`${server.url}${path}`);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json; charset=utf-8',
      ]);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    }
    expect((await fetch(`${server.url}/monitorings`)).headers.get('content-type')).toContain('text/html');
  });
  await test.step('no source map is served or named, and the build keeps them beside their scripts', async () => {
    const page = await (await fetch(`${server.url}/sign_in`)).text();
    const scripts = [...page.matchAll(/src="(\/_next\/static\/chunks\/[^"]+\.js)"/g)].map(([, path = '']) => path);
    expect(scripts.length).toBeGreaterThan(1);
    for (const path of scripts) {
      expect(await (await fetch(server.url + path)).text()).not.toContain('# sourceMappingURL=');
      expect([path, (await fetch(`${server.url}${path}.map`)).status]).toEqual([path, 404]);
    }
    const folder = join(__dirname, '../.next/source-maps/chunks');
    const kept = readdirSync(folder);
    const names = scripts.map((path) => basename(path));
    expect(kept.filter((name) => names.includes(name))).not.toEqual([]);
    for (const name of kept.filter((file) => file.endsWith('.js'))) {
      const [, map = ''] = /# sourceMappingURL=(.+)$/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
      expect([name, kept.includes(map)]).toEqual([name, true]);
    }
  });
});
