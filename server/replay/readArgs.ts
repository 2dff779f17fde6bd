import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './UsageError';

/** Returns the options and the other words of a command. Throws UsageError if an option is not known. */
export function readArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
}
