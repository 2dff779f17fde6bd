import { serverReporter } from '../sentry.server.config';
import pino from 'pino';
import type { DemoAnswer } from '../lib/session/schema';
import { beat } from './alerts/heartbeat';
import { createApp } from './app';
import type { Server } from './server';
import { system } from './audit/actor';
import { readHead } from './audit/verify';
import { createBackupSchedule } from './backup/schedule';
import { openStore } from './db/open';
import { parseEnv, type Env } from './env';
import { placesOf } from './http/errors';
import { addPages } from './pages';
import { lockIdleSessions } from './session/routes';
import { createConfiguredAdmin } from './session/users';
import { applyRetention } from './vitals/retention';

const rollupEveryMs = 1_000;
const lockEveryMs = 1_000;
const watchEveryMs = 1_000;
const lookBackEveryMs = 5_000;
const heartbeatEveryMs = 60_000;
const retentionEveryMs = 3_600_000;
const headEveryMs = 3_600_000;
const backupEveryMs = 1_800_000;
/** Longer than this a stop may not take. */
const stopWithinMs = 9_000;

async function main(): Promise<void> {
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    process.stderr.write(`Wardlight cannot start:\n${parsed.faults.map((fault) => `  - ${fault}\n`).join('')}`);
    process.exitCode = 1;
    return;
  }
  const { env } = parsed;
  const log = pino({ level: env.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  if (Number(process.versions.node.split('.')[0]) < 22) {
    log.warn(`Node ${process.versions.node} gets no security fixes any more: run Wardlight on Node 24 LTS`);
  }
  const store = await openStore(env);
  await createConfiguredAdmin(store, Date.now(), env);
  const { app, server } = await createApp({ env, store, log, reporter: serverReporter, pages: addPages });
  const people = process.argv.includes('--demo') ? await openDemo(env, server) : [];

  const rollupTimer = setInterval(() => void server.rollups.catchUp(server.recorder.inFlight), rollupEveryMs);
  const lockTimer = setInterval(() => {
    lockIdleSessions(server).catch((error: unknown) => {
      log.error(
        { code: error instanceof Error ? error.name : 'unknown' },
        'noting that a session is locked failed; it is locked all the same',
      );
    });
  }, lockEveryMs);
  const watchTimer = setInterval(() => {
    server.alerts.watch().catch((error: unknown) => {
      log.error(
        { code: error instanceof Error ? error.name : 'unknown' },
        'the look at the clock of the alerts failed; the next one makes up for it',
      );
    });
  }, watchEveryMs);
  const lookBackTimer = setInterval(() => {
    server.alerts.lookBack().catch((error: unknown) => {
      log.error(
        { code: error instanceof Error ? error.name : 'unknown' },
        'judging what came late failed; it is tried again',
      );
    });
  }, lookBackEveryMs);
  const listen = (): void => {
    beat(server).then(
      (ms) => {
        server.metrics.heartbeat.set(ms / 1_000);
        server.metrics.heartbeatAt.set(Date.now() / 1_000);
      },
      (error: unknown) => {
        server.metrics.heartbeat.set(NaN);
        log.error(
          { code: error instanceof Error ? error.name : 'unknown' },
          'the heartbeat was not heard: alerts may not come',
        );
      },
    );
  };
  const heartbeatTimer = setInterval(listen, heartbeatEveryMs);
  const retain = (): void => {
    applyRetention(store, server.rollups.rolledUpTo(), Date.now(), env.rawDays, log).catch((error: unknown) => {
      log.error(
        { code: error instanceof Error ? error.name : 'unknown' },
        'deleting old samples failed; it is tried again in an hour',
      );
    });
  };
  const retentionTimer = setInterval(retain, retentionEveryMs);
  /** Logs go to another place than the data, so whoever rewrites the audit would have to rewrite them too. */
  const exportHead = (): void => {
    readHead(store.db).then(
      (head) => {
        log.info(head, 'audit head');
      },
      () => undefined,
    );
  };
  const headTimer = setInterval(exportHead, headEveryMs);
  const backups = createBackupSchedule({ dataDir: env.dataDir, log, now: Date.now });
  const backupTimer = setInterval(() => void backups.tick(), backupEveryMs);

  let stopping = false;
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) {
      return;
    }
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long; leaving now');
      process.exit(1);
    }, stopWithinMs).unref();
    clearInterval(rollupTimer);
    clearInterval(lockTimer);
    clearInterval(watchTimer);
    clearInterval(lookBackTimer);
    clearInterval(heartbeatTimer);
    clearInterval(retentionTimer);
    clearInterval(headTimer);
    clearInterval(backupTimer);
    backups.stop();
    await app.close();
    await server.recorder.idle();
    await server.rollups.stop();
    await server.alerts.stop();
    await store.close();
    await serverReporter?.close();
    log.info('stopped');
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal, 0));
  }
  // Next listens to both and prints the error's own text, which may quote a patient's values. The server goes on, as it
  // did.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event).on(event, (error: unknown) => {
      const fault = error instanceof Error ? error.name : typeof error;
      log.error({ report: server.reportFault(error, ''), fault, stack: placesOf(error) }, 'a fault that nobody caught');
    });
  }
  store.lockLost.catch(() => void stop('another process took the database', 1));

  const address = await app.listen({ port: env.port, host: env.host });
  retain();
  exportHead();
  listen();
  announce(env, address, server.setup.code, people);
}

/**
 * Makes the demo ward unless it is there already, and returns the people that it made. Throws where people of their own
 * work.
 */
async function openDemo(env: Env, { demo, setup }: Server): Promise<DemoAnswer['people']> {
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

/** Tells the person at the terminal where to go; the one-use code and the passwords go nowhere else. */
function announce(env: Env, address: string, setupCode: string | null, people: DemoAnswer['people']): void {
  const url = env.publicUrl ?? address;
  const lines =
    setupCode === null
      ? [`Wardlight runs at ${url}`]
      : [`Wardlight runs at ${url}`, `First person: open ${url}/setup and enter the code ${setupCode}`];
  if (people.length > 0) {
    lines.push('Demo ward, all patients simulated. These passwords are shown only now:');
    lines.push(...people.map(({ type, email, password }) => `  ${type.padEnd(14)} ${email.padEnd(20)} ${password}`));
  }
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`Wardlight cannot start: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
  process.exit(1);
});
