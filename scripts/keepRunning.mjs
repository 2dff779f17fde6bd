import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';

/** The exit code of a server that an uncaught fault of its own has ended in order (server/main.ts). */
const faultCode = 70;
/** The one of a server whose store cannot be used now: a full disk, a database that is away (server/main.ts). */
const unavailableCode = 75;
const againAfterMs = 2_000;
/** From here on the code is that of a signal: the server crashed, or the machine had no memory left for it. */
const signalCode = 128;
const restarts = 5;
const withinMs = 600_000;

/**
 * Runs a server until it ends by itself, and resolves with its exit code. One that a fault or a crash has ended is
 * started again, at most 5 times in 10 minutes: beyond that the fault comes with each start. One whose store cannot be
 * used is started again until it can, so that a ward comes back by itself once there is room. `run` gets whether a
 * fault or a crash came before.
 */
export async function keepRunning(run) {
  let faults = [];
  let isAfterCrash = false;
  for (;;) {
    const began = performance.now();
    const code = await run(isAfterCrash);
    // One that has run well was not the one after the crash any more.
    isAfterCrash &&= performance.now() - began < withinMs;
    if (code === unavailableCode) {
      process.stderr.write('Wardlight is started again in 2 s\n');
      await pause(againAfterMs);
      continue;
    }
    if (code !== faultCode && code <= signalCode) {
      return code;
    }
    isAfterCrash = true;
    const at = performance.now();
    faults = [...faults.filter((earlier) => at - earlier < withinMs), at];
    const how = code === faultCode ? 'by a fault' : `by signal ${code - signalCode}`;
    if (faults.length > restarts) {
      process.stderr.write(
        `Wardlight ended ${how}, ${faults.length} times within 10 minutes: it is not started again\n`,
      );
      return code;
    }
    process.stderr.write(`Wardlight ended ${how} and is started again\n`);
    await pause(1_000);
  }
}
