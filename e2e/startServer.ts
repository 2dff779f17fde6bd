import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../test/freePort';
import { makeTestFolder } from '../test/testFolder';

const root = join(__dirname, '..');
/** The server promises less of both (bench/start.ts measures the start): tests beside each other keep it waiting. */
const startMs = 120_000;
const stopMs = 60_000;

/** A server process for one spec, on a data folder that is removed with it. */
export interface TestServer {
  /** "http://127.0.0.1:PORT"; the same after each start. */
  readonly url: string;
  readonly dataDir: string;
  /** The id of the running process. */
  pid(): number;
  /** The output of the running process, and of those before it. */
  output(): string;
  /** Starts it (again), on the same port and data, and waits until it is ready, for two minutes unless said. */
  start(withinMs?: number): Promise<void>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: as in a power failure. */
  kill(): Promise<void>;
  /** Sends a signal and waits for the end; returns the exit code, null if the signal itself ended it. */
  end(name: NodeJS.Signals): Promise<number | null>;
  /** SIGSTOP: it keeps its port and its connections and responds to nothing. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** Ends it, if it still runs, and removes its data. */
  remove(): Promise<void>;
}

/** Starts dist/main.js with `env` on top of the defaults of a test and waits until it is ready. */
export async function startServer(env: Record<string, string> = {}, args: readonly string[] = []): Promise<TestServer> {
  const dataDir = makeTestFolder('e2e');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  let running: ChildProcess | null = null;

  const signal = (name: NodeJS.Signals): void => {
    if (running === null) {
      throw new Error(`The server does not run, so it cannot get ${name}`);
    }
    running.kill(name);
  };

  const end = async (name: NodeJS.Signals): Promise<number | null> => {
    const process = running;
    if (process === null) {
      return null;
    }
    running = null;
    if (process.exitCode !== null || process.signalCode !== null) {
      return process.exitCode;
    }
    const ended = once(process, 'exit', { signal: AbortSignal.timeout(stopMs) });
    process.kill(name);
    // A paused process takes SIGTERM only when it goes on.
    process.kill('SIGCONT');
    await ended;
    return process.exitCode;
  };

  const server: TestServer = {
    url,
    dataDir,
    pid: () => running?.pid ?? 0,
    output: () => output,
    start: async (withinMs = startMs) => {
      const process = beginServer({ PORT: String(port), DATA_DIR: dataDir, ...env }, args, (text) => {
        output += text;
      });
      running = process;
      await untilReady(url, process, withinMs, () => output);
    },
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    end,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    remove: async () => {
      await end('SIGKILL');
      for (const folder of [dataDir, `${dataDir}-keys`]) {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
  try {
    await server.start();
  } catch (problem) {
    await server.remove();
    throw problem;
  }
  return server;
}

/** Starts dist/main.js with this environment and waits for nothing; `keep` gets what it prints. */
export function beginServer(
  env: Record<string, string>,
  args: readonly string[],
  keep: (text: string) => void,
): ChildProcess {
  const begun = spawn(process.execPath, ['dist/main.js', ...args], {
    cwd: root,
    // No variable of the developer's own environment reaches the server.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      HOST: '127.0.0.1',
      ...env,
    },
    // The server stops when this channel ends: no one is left behind by a run that was killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const output of [begun.stdout, begun.stderr]) {
    output?.on('data', (chunk: Buffer) => keep(chunk.toString()));
  }
  return begun;
}

async function untilReady(url: string, process: ChildProcess, withinMs: number, output: () => string): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (process.exitCode !== null || process.signalCode !== null) {
      throw new Error(
        `The server ended with ${process.exitCode ?? process.signalCode} before it was ready:\n${output()}`,
      );
    }
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    if (response?.ok === true) {
      return;
    }
    await wait(50);
  }
  throw new Error(`The server was not ready within ${withinMs / 1_000} s:\n${output()}`);
}
