import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { sharedTestServer } from '../test/sharedServer';
import type { TestServer } from '../test/testServer';
import { createApp } from './app';
import { addBuiltFiles } from './builtFiles';
import { type Env, parseEnv } from './env';
import { readKey } from './readKey';
import type { App } from './server';

describe('builtFiles', () => {
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
});

describe('parseEnv', () => {
  function faultsOf(source: Record<string, string>): string[] {
    const parsed = parseEnv(source);
    return 'faults' in parsed ? parsed.faults : [];
  }

  function envOf(source: Record<string, string>): Env {
    const parsed = parseEnv(source);
    if ('faults' in parsed) {
      throw new Error(parsed.faults.join('; '));
    }
    return parsed.env;
  }

  it.each([
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', 'three'],
    ['DATABASE_URL', 'mysql://db/ward'],
    ['ALLOW_HTTP', 'yes'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1,'.repeat(2) + 'x'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '::1/129'],
    ['CONNECTIONS_PER_ADDRESS', '0'],
    ['CONNECTIONS_PER_ADDRESS', '10.0.0.0/8=600'],
    ['CONNECTIONS_PER_ADDRESS', '256,ward.example=600'],
    ['CONNECTIONS_PER_ADDRESS', '256,10.0.0.0/8'],
    ['CONNECTIONS_PER_ADDRESS', '256,10.0.0.0/8=600=7'],
    ['SITE_NAME', '   '],
    ['SITE_NAME', 'x'.repeat(101)],
    ['SITE_TIME_ZONE', 'Europe/Nowhere'],
    ['RAW_DAYS', '0'],
    ['RAW_DAYS', '3651'],
    ['PUBLIC_URL', 'ward.example'],
    ['PUBLIC_URL', 'ftp://ward.example'],
    ['METRICS_TOKEN', 'too short'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'mail.example:587'],
    ['MAIL_FROM', 'Wardlight'],
    ['ADMIN_TYPE', 'root'],
    ['SENTRY_DSN', 'https://reports.example/7'],
    ['SENTRY_DSN', 'https://key:secret@reports.example/7'],
    ['HL7_PORT', '65536'],
    ['HL7_ALLOW_PLAIN', 'yes'],
    ['HL7_RAW_MB', '63'],
    ['HL7_RAW_KEY_FILE', './data/hl7/raw.key'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
  ])('refuses %s=%s by its name', (name, value) => {
    expect(faultsOf({ PUBLIC_URL: 'https://ward.example', [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} \\S`)),
    ]);
  });

  it('lists every fault at once and repeats no value, which may be a secret', () => {
    const secrets = {
      DATABASE_URL: 'mysql://ward:hunter2@db/ward',
      ADMIN_PASSWORD: 'hunter2',
      ADMIN_EMAIL: 'hunter2',
      PORT: 'hunter2',
    };
    const faults = faultsOf({
      ...secrets,
      SITE_TIME_ZONE: 'hunter2',
      TRUSTED_PROXIES: 'hunter2',
      PUBLIC_URL: 'hunter2',
      ADMIN_TYPE: 'hunter2',
    });
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(
      [
        'ADMIN_EMAIL',
        'ADMIN_PASSWORD',
        'ADMIN_TYPE',
        'DATABASE_URL',
        'PORT',
        'PUBLIC_URL',
        'SITE_TIME_ZONE',
        'TRUSTED_PROXIES',
      ].sort(),
    );
    expect(faults.join()).not.toContain('hunter2');
  });

  it.each([
    ['ADMIN_EMAIL', 'kim@example.org'],
    ['ADMIN_PASSWORD', 'correct horse battery'],
  ])('refuses half a first user: %s alone', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual(['ADMIN_EMAIL and ADMIN_PASSWORD must be set together']);
  });

  it.each([
    ['STREAM_API_KEY', 'abc123'],
    ['STREAM_API_SECRET', 'a secret of the chat service'],
  ])('refuses half an account with the chat service: %s alone', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual(['STREAM_API_KEY and STREAM_API_SECRET must be set together']);
  });

  it('refuses a key or secret that the chat service cannot have given, and repeats neither', () => {
    expect(faultsOf({ STREAM_API_KEY: 'a key', STREAM_API_SECRET: 'short' })).toEqual([
      'STREAM_API_KEY is not a key of letters and digits',
      'STREAM_API_SECRET is shorter than a secret of the chat service',
    ]);
  });

  it('takes key and secret of the chat service together', () => {
    const stream = { key: 'abc123', secret: 'a secret of the chat service' };
    expect(envOf({ STREAM_API_KEY: stream.key, STREAM_API_SECRET: stream.secret }).stream).toEqual(stream);
  });

  it('refuses to send mails whose links would lead nowhere', () => {
    expect(faultsOf({ SMTP_URL: 'smtp://mail.example' })).toEqual([
      'SMTP_URL needs PUBLIC_URL, which the links in its mails begin with',
    ]);
  });

  it('refuses to allow plain HTTP behind a PUBLIC_URL with which only HTTPS is answered', () => {
    expect(faultsOf({ ALLOW_HTTP: 'true', PUBLIC_URL: 'https://ward.example' })).toEqual([
      'ALLOW_HTTP=true contradicts PUBLIC_URL, with which only HTTPS is answered: unset one of them',
    ]);
    expect(envOf({ ALLOW_HTTP: 'true', PUBLIC_URL: 'http://ward.example' }).allowHttp).toBe(true);
    expect(envOf({ ALLOW_HTTP: '1' }).allowHttp).toBe(true);
  });

  it.each([
    [{ HL7_HOST: '0.0.0.0' }, 'HL7_HOST lets other machines send patient data that are not encrypted'],
    [{ HL7_HOST: '10.1.2.3' }, 'HL7_HOST lets other machines send patient data that are not encrypted'],
    [{ HL7_TLS_CERT: 'cert.pem' }, 'HL7_TLS_CERT and HL7_TLS_KEY must be set together'],
    [{ HL7_TLS_KEY: 'key.pem' }, 'HL7_TLS_CERT and HL7_TLS_KEY must be set together'],
    [{ HL7_TLS_CA: 'ca.pem' }, 'HL7_TLS_CA needs HL7_TLS_CERT and HL7_TLS_KEY'],
  ])('refuses an HL7 port with %j', (set, fault) => {
    expect(faultsOf({ HL7_PORT: '2575', ...set })).toEqual([expect.stringContaining(fault)]);
  });

  it('has no HL7 port unless it is set, whatever else is', () => {
    expect(envOf({ HL7_HOST: '0.0.0.0' }).hl7).toBeNull();
  });

  it('takes plain HL7 from this machine, with TLS from any, and plain from any only if that is allowed', () => {
    const hl7 = { port: 2575, host: '127.0.0.1', tls: null, isExposed: false };
    expect(envOf({ HL7_PORT: '2575' }).hl7).toEqual(hl7);
    expect(envOf({ HL7_PORT: '2575', HL7_HOST: '0.0.0.0', HL7_ALLOW_PLAIN: '1' }).hl7).toEqual({
      ...hl7,
      host: '0.0.0.0',
      isExposed: true,
    });
    const files = { HL7_TLS_CERT: 'cert.pem', HL7_TLS_KEY: 'key.pem', HL7_TLS_CA: 'ca.pem' };
    expect(envOf({ HL7_PORT: '2575', HL7_HOST: '0.0.0.0', ...files }).hl7).toEqual({
      ...hl7,
      host: '0.0.0.0',
      tls: { certFile: 'cert.pem', keyFile: 'key.pem', caFile: 'ca.pem' },
    });
  });

  it('needs nothing, and takes an empty variable for one that is not set', () => {
    const defaults: Env = {
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: null,
      backupKeyFile: null,
      allowHttp: false,
      trustedProxies: [],
      connectionsPerAddress: { most: 256, ranges: [] },
      siteName: 'My ward',
      siteTimeZone: 'UTC',
      rawDays: 15,
      metricsToken: null,
      sessionCallsPerMinute: 6_000,
      publicUrl: null,
      smtpUrl: null,
      mailFrom: 'wardlight@localhost',
      firstAdmin: null,
      sentryDsn: null,
      stream: null,
      hl7: null,
      hl7Raw: { keyFile: null, mostBytes: 2_147_483_648 },
      logLevel: 'info',
      dev: false,
    };
    expect(envOf({})).toEqual(defaults);
    expect(envOf({ PORT: '', DATABASE_URL: '', ADMIN_EMAIL: '', ADMIN_PASSWORD: '', PATH: '/bin' })).toEqual(defaults);
  });

  it('reads what is set', () => {
    expect(
      envOf({
        PORT: '0',
        TRUSTED_PROXIES: ' 10.0.0.0/8, 127.0.0.1 ,::1, ',
        CONNECTIONS_PER_ADDRESS: '300, 10.1.2.0/24=600,::1=900',
        PUBLIC_URL: 'https://Ward.example:8443/some/path',
        SMTP_URL: 'smtps://ward:hunter2@mail.example',
        ADMIN_EMAIL: 'Kim@Example.org',
        ADMIN_PASSWORD: 'correct horse battery',
        NODE_ENV: 'development',
      }),
    ).toMatchObject({
      port: 0,
      trustedProxies: ['10.0.0.0/8', '127.0.0.1', '::1'],
      connectionsPerAddress: {
        most: 300,
        ranges: [
          { range: '10.1.2.0/24', most: 600 },
          { range: '::1', most: 900 },
        ],
      },
      publicUrl: 'https://ward.example:8443',
      smtpUrl: 'smtps://ward:hunter2@mail.example',
      mailFrom: 'wardlight@ward.example',
      firstAdmin: { email: 'kim@example.org', password: 'correct horse battery', type: 'administrator' },
      dev: true,
    });
  });
});

describe('a key of the operator', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'wardlight-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const read = async (text: string): Promise<Buffer> => {
    const file = path.join(folder, 'some.key');
    await writeFile(file, text);
    return await readKey(file, 'SOME_KEY_FILE');
  };

  it.each(['', 'secret', 'ab'.repeat(31), 'ab'.repeat(33), Buffer.alloc(31).toString('base64')])(
    'is not %j, and the error does not repeat it',
    async (text) => {
      const failed = await read(text).catch((error: unknown) => String(error));
      expect(failed).toContain('The file of SOME_KEY_FILE holds no key');
      expect(text === '' || !String(failed).includes(text)).toBe(true);
    },
  );

  it('has 32 bytes in base 16 or 64', async () => {
    await expect(read(`${'AB'.repeat(32)}\n`)).resolves.toEqual(Buffer.alloc(32, 0xab));
    await expect(read(Buffer.alloc(32, 0xab).toString('base64'))).resolves.toEqual(Buffer.alloc(32, 0xab));
  });
});
