import { parseEnv, type Env } from '../env';
import { UsageError } from './UsageError';

/**
 * Runs the command `npm run NAME`, or prints `help` if it is asked for; null: the command does so itself. The process
 * ends with the code that `command` returns, with 2 if the words after it are wrong, and with 1 if it failed; `failed`
 * is put before the reason.
 */
export function runCommand(name: string, help: string | null, command: () => Promise<0 | 1>, failed = ''): void {
  if (help !== null && process.argv.some((word) => word === '--help' || word === '-h')) {
    process.exitCode = printHelp(help);
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

/** Prints the text of `--help`, and returns the exit code. */
export function printHelp(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

/** Returns the settings of the environment. Throws if one is not valid. */
export function readSettings(): Env {
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  return parsed.env;
}
