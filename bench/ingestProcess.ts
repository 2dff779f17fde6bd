import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** The server's clock runs this much faster than ours, so that live values may arrive faster than real time. */
const speed = 200;
const started = z.object({ port: z.int(), token: z.string(), start: z.int() });

export interface IngestProcess {
  port: number;
  token: string;
  /**
   * Returns the instant of the next second of the ward, epoch milliseconds: the server's time, never the same one
   * twice.
   */
  nextSecond(): number;
  stop(): void;
}

/**
 * Starts bench/ingestServer with 250 patients, on SQLite if no database is named. `isSecondPerCall`: its clock moves on
 * by a second with each call, so that the rules have the work of values of one a second.
 */
export async function startIngest({
  databaseUrl = null,
  rules = false,
  isSecondPerCall = false,
}: { databaseUrl?: string | null; rules?: boolean; isSecondPerCall?: boolean } = {}): Promise<
  IngestProcess & { patients: number[] }
> {
  const folder = newFolder();
  const count = 250;
  const child = spawn(
    process.execPath,
    [
      'dist/bench-ingestServer.js',
      folder,
      String(count),
      isSecondPerCall ? 'calls' : String(speed),
      rules ? 'rules' : '',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) },
    },
  );
  const { port, token, start } = started.parse(JSON.parse(await firstLine(child)));
  let last = start;
  return {
    port,
    token,
    patients: Array.from({ length: count }, (_, index) => index + 1),
    nextSecond: () => {
      last = isSecondPerCall ? last + 1_000 : Math.max(last + 1_000, start + (Date.now() - start) * speed);
      return last;
    },
    stop: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

export function newFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'wardlight-bench-'));
}

export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) {
    throw new Error('The process has no output to read');
  }
  const lines: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  return String(lines[0]);
}
