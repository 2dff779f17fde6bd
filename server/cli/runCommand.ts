import { parseEnv, type Env } from '../env';
import { UsageError } from './UsageError';

/**
 * Runs the command `npm run NAME`, or prints `help` if it is asked for. The process ends with the code that `command`
 * returns, with 2 if the words after it are wrong, and with 1 if it failed; `failed` is put before the reason.
 */
export function runCommand(name: string, help: string, command: () => Promise<0 | 1>, failed = ''): void {
  if (process.argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
    process.exitCode = 0;
    return;
  }
  command().then(
    (code) => {
      process.exitCode = code;
    },
    (failure: unknown) => {
      const isUsage = failure instanceof UsageError;
      const reason = failure instanceof Error ? failure.message : String(failure);
      process.stderr.write(isUsage ? `${reason}\nSee npm run ${name} -- --help\n` : `${failed}${reason}\n`);
      process.exitCode = isUsage ? 2 : 1;
    },
  );
}

/** Returns the settings of the environment. Throws if one is not valid. */
export function readSettings(): Env {
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  return parsed.env;
}
