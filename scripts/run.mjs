import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/**
 * Runs a program in the project's folder and returns its exit code (128 + the signal's number if a signal ended it). It
 * has our own input and output; with `onOutput` it has no input, and its output goes to that function. A signal that
 * stops us stops the program first, so that no process is left. With `isLow` it takes only the time that others leave.
 * With `isTied` a program of Node gets a channel, whose end says to it that we are gone, however we ended.
 */
export function run(root, command, args, { env = process.env, onOutput = null, isLow = false, isTied = false } = {}) {
  return new Promise((resolve, reject) => {
    const own = isTied ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
    const stdio = onOutput === null ? own : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd: root, env, stdio });
    if (isLow && child.pid !== undefined) {
      setPriority(child.pid, constants.priority.PRIORITY_LOW);
    }
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', onOutput);
    const pass = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the program itself; we only wait for its end.
    const stay = () => {};
    process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', stay);
    child.once('error', reject);
    // 'close' comes after the last output, 'exit' may come before it.
    child.once('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', stay);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
