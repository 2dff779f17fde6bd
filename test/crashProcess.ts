import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { TestDatabase } from './database';

/** A server of test/crashServer.ts that runs. */
export interface CrashServer {
  child: ChildProcess;
  port: number;
}

export interface CrashStart {
  program: string;
  /** What its clock says, epoch milliseconds. */
  now: number;
  env?: Record<string, string>;
}

const listening = z.object({ port: z.int() });

/** Packages that read files of their own. */
const external = ['@fastify/swagger', '@fastify/swagger-ui', '@node-rs/argon2', 'better-sqlite3', 'pg-native'];

/**
 * Builds test/crashServer.ts with its packages, under a name that no other test builds at the same time, and returns
 * the program.
 */
export function buildCrashServer(name: string): string {
  const program = `dist/test-crashServer-${name}.js`;
  rmSync(`${program}.compiled`, { force: true });
  const more = JSON.stringify({ packages: 'bundle', minify: true, external });
  const call = `bundle(process.cwd(), 'test/crashServer.ts', '${program}', ${more})`;
  execFileSync(process.execPath, ['-e', `import('./scripts/bundle.mjs').then(({ bundle }) => ${call})`]);
  return program;
}

/**
 * Starts the server; null if it ended before it was ready, which happens while its predecessor still locks the
 * database, or if it was killed as `killAfterMs` says.
 */
export async function startCrashServer(
  where: TestDatabase,
  { program, now, killAfterMs, env = {} }: CrashStart & { killAfterMs: number | null },
): Promise<CrashServer | null> {
  const child = fork('test/startCompiled.cjs', [resolve(program), String(now)], {
    env: {
      NODE_ENV: 'test',
      DATA_DIR: where.dataDir,
      ...(where.databaseUrl === null ? {} : { DATABASE_URL: where.databaseUrl }),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => null);
  const ready = once(child, 'message').then(([message]) => listening.parse(message).port);
  if (killAfterMs !== null) {
    await Promise.race([wait(killAfterMs), ended]);
    child.kill('SIGKILL');
    await ended;
    return null;
  }
  const port = await Promise.race([ready, ended]);
  return port === null ? null : { child, port };
}

/** Starts the server, again and again until it is ready. */
export async function startUntilReady(where: TestDatabase, how: CrashStart): Promise<CrashServer> {
  for (;;) {
    const running = await startCrashServer(where, { ...how, killAfterMs: null });
    if (running !== null) {
      return running;
    }
  }
}
