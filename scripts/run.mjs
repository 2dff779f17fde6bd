import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program in the project's folder with our own input and output and returns its exit code (128 + the signal's
 * number if one ended it). A signal that stops us stops the program first, so that nothing is left behind.
 */
export function run(root, command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    const pass = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the program itself; we only wait for its end.
    const stay = () => {};
    process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', stay);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', stay);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
