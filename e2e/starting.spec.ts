import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { errorBody } from '../lib/api/errorBody';
import { openStoreForCommand } from '../server/db/open';
import { freePort } from '../test/freePort';
import { makeTestFolder } from '../test/testFolder';
import { beginServer } from './startServer';
import { expect, test } from './test';

let dataDir: string;
let url: string;
let port: string;
let begun: ChildProcess[];
let output: string;

test.beforeEach(async () => {
  dataDir = makeTestFolder('e2e');
  port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  [begun, output] = [[], ''];
});

test.afterEach(async () => {
  for (const process of begun) {
    if (process.exitCode === null && process.signalCode === null) {
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    }
  }
  await rm(dataDir, { recursive: true, force: true });
});

function begin(env: Record<string, string> = {}): ChildProcess {
  const process = beginServer({ PORT: port, DATA_DIR: dataDir, ...env }, [], (said) => {
    output += said;
  });
  begun.push(process);
  return process;
}

/** Resolves with the exit code. */
async function untilEnd(process: ChildProcess): Promise<number | null> {
  if (process.exitCode === null && process.signalCode === null) {
    await once(process, 'exit');
  }
  return process.exitCode;
}

/** A PostgreSQL that takes connections and says nothing: a start waits for it for 5 s. */
async function freezeDatabase(): Promise<Server> {
  const frozen = createServer().listen(0, '127.0.0.1');
  await once(frozen, 'listening');
  return frozen;
}

/** Resolves with the first response, as soon as the port is bound. */
async function firstResponse(path: string): Promise<Response> {
  let response: Response | null = null;
  await expect
    .poll(
      async () => {
        response = await fetch(`${url}${path}`).catch(() => null);
        return response !== null;
      },
      { intervals: [10] },
    )
    .toBe(true);
  if (response === null) {
    throw new Error('No response');
  }
  return response;
}

/** Opens a connection, sends a text on it and leaves it open. */
async function open(sent: string): Promise<Socket> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

/**
 * Asks for upgrades, which are refused and keep no one out, also after a page view, when Next adds its own handler.
 * Returns connections that stay open without a request.
 */
async function upgradesAndStrays(): Promise<Socket[]> {
  expect((await fetch(`${url}/setup`)).status).toBe(200);
  const upgrade = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  const asked = ['/', '/nowhere'].flatMap((path) => Array.from({ length: 20 }, () => upgrade(path)));
  const sockets = await Promise.all(asked.map(open));
  const responses = await Promise.all(sockets.map((socket) => text(socket)));
  expect(responses.filter((response) => !response.startsWith('HTTP/1.1 400 '))).toEqual([]);
  // The connection of this call itself, and that of the page.
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^wardlight_open_connections [12]$/m);
  const strays = ['', 'GET / HT', 'POST /api/v2/auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'];
  return await Promise.all(strays.map(open));
}

test('a server that starts answers at once: it lives, it is not ready, and it stores nothing', async ({ page }) => {
  const frozen = await freezeDatabase();
  const { port: at } = frozen.address() as AddressInfo;
  const process = begin({ DATABASE_URL: `postgres://a@127.0.0.1:${at}/a` });
  const health = await firstResponse('/healthz');
  expect(health.status).toBe(200);
  expect(await health.json()).toEqual({ status: 'ok' });

  const device = { method: 'POST', body: '{"samples":[]}', headers: { authorization: 'Bearer a' } };
  for (const [path, init] of [
    ['/readyz', {}],
    ['/api/v2/patients', {}],
    ['/api/v2/vitals', device],
    ['/_next/data/a/dashboard.json', {}],
  ] as const) {
    const response = await fetch(`${url}${path}`, init);
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '2']);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(errorBody.parse(await response.json()).error.code).toBe('starting');
  }

  const shown = await page.goto(`${url}/dashboard`);
  expect(shown?.status()).toBe(503);
  expect(await shown?.allHeaders()).toMatchObject({ refresh: '2', 'retry-after': '2', 'cache-control': 'no-store' });
  await expect(page.getByRole('heading', { name: 'Wardlight is starting' })).toBeVisible();
  expect(output).not.toContain('Wardlight runs at');

  process.kill('SIGTERM');
  expect(await untilEnd(process)).toBe(0);
  expect(output).toContain('"msg":"stopped"');
  expect(output).not.toContain('cannot start');
  frozen.close();
});

test('a page and a connection from before the server is ready are served by it afterwards', async ({ page }) => {
  begin();
  await firstResponse('/');
  const opened = page.goto(`${url}/setup`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: number[] = [];
  const ports = new Set<number | undefined>();
  while (statuses.at(-1) !== 200) {
    const [response] = (await once(get(`${url}/readyz`, { agent }), 'response')) as [IncomingMessage];
    ports.add(response.socket.localPort);
    await text(response);
    statuses.push(response.statusCode ?? 0);
  }
  expect(new Set(statuses)).toEqual(new Set([503, 200]));
  expect(ports.size).toBe(1);
  agent.destroy();
  await opened;
  await expect(page.getByRole('heading', { name: 'Set up this installation' })).toBeVisible();
  // The heading is there before the scripts, and the server ends with the test: without them the page would throw.
  await page.waitForLoadState('load');
  await expect.poll(() => output).toContain(`Wardlight runs at ${url}`);
});

test('a start that fails or is ended says why and gives its port back, and the next one goes through', async () => {
  await test.step('a port that is taken is found out before anything is changed', async () => {
    const taken = createServer().listen(Number(port), '127.0.0.1');
    await once(taken, 'listening');
    expect(await untilEnd(begin())).toBe(1);
    expect(output).toContain(`Wardlight cannot start: Port ${port} of 127.0.0.1 is taken. PORT names another one`);
    expect(existsSync(join(dataDir, 'wardlight.db'))).toBe(false);
    taken.close();
    await once(taken, 'close');
  });
  await test.step('on a full disk it gives up the reserve, and says so', async () => {
    await writeFile(join(dataDir, 'reserve'), 'room');
    // The first thing that a start writes.
    await symlink('/dev/full', join(dataDir, 'wardlight.flush'));
    expect(await untilEnd(begin())).toBe(75);
    expect(output).toContain(`no space left on device, write. Make room on the disk of ${dataDir}. The reserve there`);
    expect(existsSync(join(dataDir, 'reserve'))).toBe(false);
  });
  await test.step('it is ended in order while it loads', async () => {
    output = '';
    const process = begin();
    await firstResponse('/readyz');
    process.kill('SIGTERM');
    expect(await untilEnd(process)).toBe(0);
    expect(output).toContain('"msg":"stopped"');
    expect(output).not.toMatch(/cannot start|Wardlight runs at/);
  });
  await test.step('beside a server on the same data, and with data of a newer schema', async () => {
    const first = begin();
    await expect.poll(() => output).toContain(`Wardlight runs at ${url}`);
    const other = beginServer({ PORT: String(await freePort()), DATA_DIR: dataDir }, [], (said) => {
      output += said;
    });
    begun.push(other);
    expect(await untilEnd(other)).toBe(1);
    expect(output).toContain('Wardlight cannot start: Another Wardlight already runs on the data folder');

    const strays = await upgradesAndStrays();
    first.kill('SIGTERM');
    expect(await untilEnd(first)).toBe(0);
    expect(output).not.toContain('stopping took too long');
    for (const socket of strays) {
      socket.destroy();
    }
    const db = await openStoreForCommand({ dataDir, databaseUrl: null });
    await sql`INSERT INTO schema_versions (version, applied_at) VALUES (9999, '')`.execute(db);
    await db.destroy();
    expect(await untilEnd(begin())).toBe(1);
    expect(output).toContain('Wardlight cannot start: The data are of schema version 9999');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });
});
