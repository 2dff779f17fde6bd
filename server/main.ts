import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import pino from 'pino';
import type { DemoResponse } from '../lib/session/schema';
import { serverReporter } from '../sentry.server.config';
import { createApp, opened } from './app';
import { system } from './audit/actor';
import { createBackupSchedule } from './backup/schedule';
import { createClock } from './clock/clock';
import { nameDamage } from './db/damage';
import { openStore } from './db/open';
import { reserveIn } from './disk/reserve';
import { parseEnv, type Env } from './env';
import { isStorageUnavailable, placesOf } from './http/errors';
import { bindPort, createPort } from './http/port';
import { createJobs, jobsOf } from './jobs';
import { createLoopWatch, createStallLog, lookEveryMs } from './loopWatch';
import { addPages } from './pages';
import type { Server } from './server';
import { createConfiguredAdmin } from './session/users';

// What the server does with faults that no one catches. Imported by server/main.ts before Next is.

/** Else Next hides the listeners of rejections behind methods of its own on `process`, and says so when it loads. */
process.env.NEXT_UNHANDLED_REJECTION_FILTER = 'disabled';

const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Gives every uncaught exception and unhandled rejection of this process to `handle`, and to nothing else: the handlers
 * of libraries print the text of an error, which may quote a patient's values. Next adds some when it starts, and again
 * when it first renders a page. Those that are there are removed, and each that comes is removed before anything waits.
 */
function handleUncaught(handle: (error: unknown) => void): void {
  const emitter: NodeJS.EventEmitter = process;
  const takeOver = (): void => {
    for (const event of events) {
      const [first, ...others] = emitter.listeners(event);
      if (first !== handle || others.length > 0) {
        emitter.removeAllListeners(event).on(event, handle);
      }
    }
  };
  takeOver();
  emitter.on('newListener', (event) => {
    if (events.some((known) => known === event)) {
      // It is added after this.
      queueMicrotask(takeOver);
    }
  });
}

/** The variables that describe the first user and the site. */
const ignoredByDemo = ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ADMIN_TYPE', 'SITE_NAME'];
/** The time limit of a stop, in milliseconds. */
const stopWithinMs = 9_000;
/** The exit code after an uncaught fault, with which `npm start` starts the server again (scripts/keepRunning.mjs). */
const faultCode = 70;
/** The one if the store cannot be used now: a full disk, a database that is away. `npm start` tries again. */
const unavailableCode = 75;

// Garbage is collected once the heap is half more than what lives in it, instead of four times as much: values at their
// usual pace leave 1.5 MB a second that is too old for the collection of young garbage, and a storm of calls 40 MB.
setFlagsFromString('--heap-growing-percent=50');

/** A stop has begun: what fails from here on fails because of it. */
let stopping = false;
/** For the words of a start that fails. */
let [dataDir, isOnPostgres] = ['', false];

const fileIn = (dataDir: string): string => path.join(dataDir, 'ended-by-a-fault');

/** Notes in the data folder that a fault of the server ends it, so that the next start can say so. Never throws. */
function markFault(dataDir: string): void {
  try {
    writeFileSync(fileIn(dataDir), '');
  } catch {
    // A full disk: the log has the fault.
  }
}

/** Returns whether a fault ended the server before this start, once. */
function takeFaultMark(dataDir: string): boolean {
  const isMarked = existsSync(fileIn(dataDir));
  rmSync(fileIn(dataDir), { force: true });
  return isMarked;
}

async function main(): Promise<void> {
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    process.stderr.write(`Wardlight cannot start:\n${parsed.faults.map((fault) => `  - ${fault}\n`).join('')}`);
    process.exitCode = 1;
    return;
  }
  const { env } = parsed;
  [dataDir, isOnPostgres] = [env.dataDir, env.databaseUrl !== null];
  const log = pino({ level: env.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  if (Number(process.versions.node.split('.')[0]) < 22) {
    log.warn(`Node ${process.versions.node} gets no security fixes any more: run Wardlight on Node 26 or 24 LTS`);
  }
  const clock = createClock();
  const port = createPort({ env, log, elapsed: clock.elapsed });
  const address = await bindPort(port, env);

  /** Ends what has been started so far. At first that is the port alone: a migration is a transaction. */
  let end = async (): Promise<void> => {
    port.server.close();
    await Promise.resolve();
  };
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) {
      return;
    }
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long; leaving now');
      process.exit(exitCode === 0 ? 1 : exitCode);
    }, stopWithinMs).unref();
    await end();
    await serverReporter?.close();
    log.info('stopped');
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal, 0));
  }
  process.on('disconnect', () => void stop('what started it is gone', 0));

  const store = await openStore(env);
  end = async () => {
    port.server.close();
    await store.close();
  };
  const isDemo = process.argv.includes('--demo');
  if (!isDemo) {
    await createConfiguredAdmin(store, clock.now(), env);
  }
  const parts = { env, store, log, clock, port, reporter: serverReporter, pages: addPages };
  const { app, server } = await createApp(parts).catch((error: unknown) => {
    throw nameDamage(error, path.join(env.dataDir, 'wardlight.db'));
  });
  // What kills a process leaves no mark in it: `npm start` says so.
  if (takeFaultMark(env.dataDir) || process.argv.includes('--after-crash')) {
    server.alerts.endedByFault();
  }
  const people = isDemo ? await openDemo(env, server) : [];

  const backups = createBackupSchedule({ env, log, now: clock.now });
  const jobs = createJobs(jobsOf(server, backups), log);

  end = async () => {
    const jobsEnded = jobs.stop();
    backups.stop();
    await app.close();
    await server.recorder.idle();
    await server.rollups.stop();
    await server.alerts.stop();
    await jobsEnded;
    // If that fails, the next start says that they were lost.
    await server.lateRows.append().catch(() => {
      log.error({ rows: server.lateRows.count() }, 'views of patients are lost: they could not be recorded');
    });
    await store.close();
  };
  // What ran at that moment ended somewhere in the middle: the memory may be wrong, the store is not.
  handleUncaught((error) => {
    const fault = error instanceof Error ? error.name : typeof error;
    log.error({ report: server.reportFault(error, ''), fault, stack: placesOf(error) }, 'uncaught fault');
    markFault(env.dataDir);
    void stop('uncaught fault', faultCode);
  });
  store.lockLost.catch(() => void stop('another process took the database', 1));

  await app.ready();
  if (stopping) {
    return;
  }
  // So that the first response says already whether anything is stored. If not, the jobs log it.
  await server.storage.check().catch(() => undefined);
  // To describe all calls takes the thread 0.4 s the first time, and anybody may ask for it.
  await app.inject('/api/openapi.json');
  port.open(app.routing);
  log.info(`Server listening at ${address}`);
  await opened(app, server);
  jobs.start();
  const look = createLoopWatch(() => performance.now());
  const stallsToLog = createStallLog(() => performance.now());
  setInterval(() => {
    const ms = look();
    if (ms !== null) {
      server.metrics.loopStalls.inc();
    }
    const stalls = stallsToLog(ms);
    if (stalls !== null) {
      log.warn(stalls, 'the thread that answers calls was busy with one thing');
    }
  }, lookEveryMs).unref();
  if (isDemo && ignoredByDemo.some((name) => (process.env[name] ?? '') !== '')) {
    log.warn(`the demo makes a site and users of its own: ${ignoredByDemo.join(', ')} are ignored`);
  }
  announce(env, address, server.setup.code, people);
}

/**
 * Creates the demo ward unless it exists, and returns its users. Throws if the store has users who are not of the demo.
 */
async function openDemo(env: Env, { demo, setup }: Server): Promise<DemoResponse['people']> {
  if (await demo.exists()) {
    return [];
  }
  if (setup.code === null) {
    throw new Error(
      'there are users here already: --demo makes a ward of its own, so name an empty folder with DATA_DIR',
    );
  }
  const people = await demo.create(system, env.siteTimeZone);
  setup.code = null;
  return people;
}

/** Prints the address on the terminal. The one-use code and the passwords are shown nowhere else. */
function announce(env: Env, address: string, setupCode: string | null, people: DemoResponse['people']): void {
  const url = env.publicUrl ?? address;
  const lines =
    setupCode === null
      ? [`Wardlight runs at ${url}`]
      : [`Wardlight runs at ${url}`, `First person: open ${url}/setup and enter the code ${setupCode}`];
  if (people.length > 0) {
    lines.push('Demo ward, all patients simulated. These passwords are shown only now:');
    lines.push(...people.map(({ type, email, password }) => `  ${type.padEnd(14)} ${email.padEnd(23)} ${password}`));
  }
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
}

/** Codes of Node and of SQLite for a disk, or a user's part of it, without room. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** Returns whether an error says that the disk is full. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}

main().catch((error: unknown) => {
  if (stopping) {
    return;
  }
  const words = [error instanceof Error ? error.message : 'unknown fault'];
  if (isDiskFull(error)) {
    words.push(`Make room on the disk of ${path.resolve(dataDir)}`);
    if (reserveIn(dataDir).giveUp()) {
      words.push('The reserve there was given up, so that the next start has some');
    }
  }
  process.stderr.write(`Wardlight cannot start: ${words.join('. ')}\n`);
  process.exit(isDiskFull(error) || (isOnPostgres && isStorageUnavailable(error)) ? unavailableCode : 1);
});
