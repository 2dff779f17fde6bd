import pino from 'pino';
import { createApp } from '../server/app';
import { createClock } from '../server/clock/clock';
import { openStore } from '../server/db/open';
import { parseEnv } from '../server/env';

/**
 * The server without pages, on a clock that its parent sets: first as an argument, then by messages. It responds to
 * each message with the port once everything due by then has happened. Made to be killed.
 */
async function main(): Promise<void> {
  let now = Number(process.argv[3]);
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const { env } = parsed;
  const { app, server } = await createApp({
    env,
    store: await openStore(env),
    log: pino({ level: 'fatal' }),
    clock: createClock({ wall: () => now, monotonic: () => now }),
  });
  /** An evaluation asks at most one of the five steps that a plan has with its repeat, and takes a fifth of scores. */
  const evaluateAll = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) {
      await server.alerts.evaluateClock();
    }
  };
  await evaluateAll();
  // As the timers of the real server, but so often that a kill can interrupt them.
  repeat(() => server.alerts.evaluateClock());
  repeat(() => server.rollups.catchUp(server.recorder.inFlight));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.on('message', (at) => {
    now = Number(at);
    void evaluateAll().then(() => process.send?.({ port }));
  });
  process.on('disconnect', () => {
    process.exit(1);
  });
  process.send?.({ port });
}

/** Does something again and again, with a rest in between in which requests are taken. */
function repeat(work: () => Promise<void>): void {
  void work().then(() => {
    setTimeout(() => {
      repeat(work);
    }, 50);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
