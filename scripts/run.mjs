import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/**
 * Runs a program in the project's folder and returns its exit code (128 + the signal's number if a signal ended it). It
 * has our own input and output; with `onOutput` it has no input, and its output goes to that function. A signal that
 * stops us stops the program first, so that no process is left; one that has not ended `killAfterMs` later is killed,
 * which is a 1. `priority` is that of the operating system: with a low one it takes the time that others leave. With
 * `isTied` a program of Node gets a channel, whose end says to it that we are gone, however we ended.
 */
export function run(root, command, args, options = {}) {
  const { env = process.env, onOutput = null, priority = 0, isTied = false, killAfterMs = null } = options;
  return new Promise((resolve, reject) => {
    const own = isTied ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
    const stdio = onOutput === null ? own : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd: root, env, stdio });
    if (priority !== 0 && child.pid !== undefined) {
      setPriority(child.pid, priority);
    }
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', onOutput);
    let timer = null;
    const pass = (signal) => {
      child.kill(signal);
      if (killAfterMs !== null && timer === null) {
        timer = setTimeout(() => {
          process.stderr.write(`Killed after ${killAfterMs / 1_000} s: it was to stop and did not end\n`);
          child.kill('SIGKILL');
        }, killAfterMs);
      }
    };
    // A terminal sends Ctrl-C to the program itself; we only wait for its end.
    const stay = () => {
      if (killAfterMs !== null) {
        // It may have been sent to us alone; a second signal changes nothing for the program.
        pass('SIGTERM');
      }
    };
    process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', stay);
    child.once('error', reject);
    // 'close' comes after the last output, 'exit' may come before it.
    child.once('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', stay);
      clearTimeout(timer);
      // A signal that ended what was to stop is no crash.
      resolve(timer !== null && code === null ? 1 : (code ?? 128 + constants.signals[signal]));
    });
  });
}
