import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { sharedTestServer } from '../test/sharedServer';
import type { TestServer } from '../test/testServer';
import { createApp } from './app';
import type { App } from './server';
import { addBuiltFiles } from './builtFiles';

const script = 'const patient = null;\n'.repeat(200);
const font = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1, 2, 3]);
/** Compresses files as the build does, in a separate Node process, because jest loads no ES module. */
function compressFiles(built: string): void {
  const program = [
    "import { compressFiles } from './scripts/compressFiles.mjs'",
    `compressFiles(${JSON.stringify(built)});`,
  ].join('; ');
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(stderr);
  }
}

let folder: string;
let test: TestServer;
let app: App;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wardlight-built-'));
  const built = join(folder, 'static');
  mkdirSync(join(built, 'chunks'), { recursive: true });
  mkdirSync(join(built, 'media'));
  writeFileSync(join(folder, 'secret.js'), 'outside');
  writeFileSync(join(built, 'chunks/0a1_b-c.d~e.js'), script);
  writeFileSync(join(built, 'chunks/.hidden.js'), script);
  writeFileSync(join(built, 'media/open.3f.woff2'), font);
  compressFiles(built);
  test = await sharedTestServer('sqlite');
  ({ app } = await createApp({
    env: test.server.env,
    store: test.store,
    log: pino({ level: 'silent' }),
    pages: (pages) => addBuiltFiles(pages, built),
  }));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('a built file', () => {
  it.each([
    '/_next/static/',
    '/_next/static/chunks',
    '/_next/static/chunks/',
    '/_next/static/chunks/none.js',
    '/_next/static/chunks/.hidden.js',
    '/_next/static/../secret.js',
    '/_next/static/chunks/../../secret.js',
    '/_next/static/%2e%2e/secret.js',
    '/_next/static/.%2e/secret.js',
    '/_next/static/..%2fsecret.js',
    '/_next/static/..%5csecret.js',
    '/_next/static\\..\\secret.js',
    '//_next/static/chunks/0a1_b-c.d~e.js',
    '/_next/static/chunks/%00.js',
    '/_next/static/%E0%A4%A',
  ])('is not %s', async (url) => {
    for (const encoding of ['gzip', 'br, gzip', 'identity']) {
      const answer = await app.inject({ url, headers: { 'accept-encoding': encoding } });
      expect([400, 403, 404]).toContain(answer.statusCode);
      expect(answer.json()).toEqual({
        error: expect.objectContaining({ code: expect.any(String) as string }) as object,
      });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it.each([
    ['gzip, deflate', true],
    ['gzip, deflate, br, zstd', true],
    ['*', true],
    ['deflate', false],
    ['identity', false],
    ['gzip;q=0', false],
    [undefined, false],
  ])(
    'goes to a browser that takes %j in a form that it can read, to be kept for good',
    async (encoding, isCompressed) => {
      const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
      const answer = await app.inject({ url: '/_next/static/chunks/0a1_b-c.d~e.js?v=1', headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(answer.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
      expect((isCompressed ? gunzipSync(answer.rawPayload) : answer.rawPayload).toString()).toBe(script);
      expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    },
  );

  it('that is compressed by its nature goes as it is', async () => {
    const answer = await app.inject({
      url: '/_next/static/media/open.3f.woff2',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers).toMatchObject({ 'content-type': 'font/woff2' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.rawPayload).toEqual(font);
  });

  it('is not sent again to a browser that has it', async () => {
    const url = '/_next/static/chunks/0a1_b-c.d~e.js';
    const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    const again = await app.inject({
      url,
      headers: { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload).toHaveLength(0);
  });
});
